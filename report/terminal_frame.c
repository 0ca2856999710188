/* SPDX-License-Identifier: BSD-2-Clause */
#include "terminal_parts.h"
#include <string.h>
#include "text.h"

#define COMMIT_DIGITS 7
#define LINE_END      200 /* bytes */

static const char *last_lines(const char *s, size_t len, size_t lines_max)
{
	const char *from = s + len;

	while (from > s && lines_max)
		if (*--from == '\n' && --lines_max == 0)
			return from + 1;
	return s;
}

/* Of a line that is not shown whole both ends are. */
static void quote_line(FILE *out, const char *line, size_t len, bool whole)
{
	fputs("  | ", out);
	if (whole || len <= 2 * LINE_END) {
		text_escape(out, line, len);
	} else {
		text_escape(out, line, LINE_END);
		fprintf(out, " ... (%zu bytes) ... ", len - 2 * LINE_END);
		text_escape(out, line + len - LINE_END, LINE_END);
	}
	fputc('\n', out);
}

void terminal_quoted(FILE *out, const char *s, size_t lines_max)
{
	size_t len = s ? strlen(s) : 0;
	const char *end, *line;

	while (len && s[len - 1] == '\n')
		len--;
	end = s + len;
	for (line = last_lines(s, len, lines_max); line < end;) {
		const char *eol = memchr(line, '\n', end - line);

		eol = eol ? eol : end;
		quote_line(out, line, eol - line, !lines_max);
		line = eol + 1;
	}
}

static void write_commit(FILE *out, const struct rec_version *v)
{
	if (v->commit) {
		text_escape(out, v->commit, strnlen(v->commit, COMMIT_DIGITS));
		if (v->ref) {
			fputs(" (", out);
			terminal_text(out, v->ref);
			fputc(')', out);
		}
		return;
	}
	terminal_text(out, v->ref ? v->ref : v->path);
}

/* A clean tree is its commit; what counts as changed is what no commit has. */
static void write_worktree(FILE *out, const struct rec_version *v)
{
	if (v->commit && !v->changed_files) {
		text_escape(out, v->commit, strnlen(v->commit, COMMIT_DIGITS));
		fputs(" (working tree)", out);
		return;
	}
	fprintf(out, "working tree, %zu file%s changed", v->changed_files,
		v->changed_files == 1 ? "" : "s");
}

static void write_version(FILE *out, const struct rec_version *v)
{
	switch (v->kind) {
	case VERSION_COMMIT:
		write_commit(out, v);
		break;
	case VERSION_WORKTREE:
		write_worktree(out, v);
		break;
	case VERSION_DIR:
	case VERSION_PROGRAM:
		terminal_text(out, v->source ? v->source : v->path);
		break;
	}
}

static void write_header(FILE *out, const struct record *r)
{
	fputs("joust " JOUST_VERSION, out);
	for (size_t i = 0; i < SIDE_CNT; i++) {
		if (!rec_version__known(&r->version[i]))
			continue;
		fprintf(out, "%s%s ", i == SIDE_BASELINE ? "   " : "  ", side_name(i));
		write_version(out, &r->version[i]);
	}
	fprintf(out, "   seed %ju\n", (uintmax_t)r->seed);
}

static void write_pmu(FILE *out, const struct rec_host *h)
{
	if (h->pmu) {
		fputs(": PMU", out);
		return;
	}
	fputs(": no PMU", out);
	if (h->pmu_missing && !h->virtual_machine) {
		fputs(" (", out);
		terminal_text(out, h->pmu_missing);
		fputc(')', out);
	}
}

static void write_missing_layers(FILE *out, const struct record *r)
{
	const char *before = " without ";

	for (size_t i = 0; i < r->layers_cnt; i++) {
		if (!r->layers[i].missing)
			continue;
		fputs(before, out);
		terminal_text(out, r->layers[i].name);
		before = ", ";
	}
}

static void write_host(FILE *out, const struct record *r)
{
	const struct rec_host *h = &r->host;

	if (h->cpus <= 0)
		return; /* the run ended before it looked at the host */
	fprintf(out, "%d CPU%s", h->cpus, h->cpus == 1 ? "" : "s");
	fputs(h->virtual_machine ? ", virtual machine" : "", out);
	write_pmu(out, h);
	fputc('.', out);
	if (r->sandbox) {
		fputs(" Sandbox ", out);
		terminal_text(out, r->sandbox);
		write_missing_layers(out, r);
		fputc('.', out);
	}
	fputs(h->bpf ? " Interference by BPF.\n" : "\n", out);
}

static void write_rule(FILE *out, const struct record *r)
{
	if (r->judging.rule == RULE_DUEL)
		fputs("Judged by the rule of duel (--rule duel): a 99 % interval looked at after "
		      "10, 20, .. 60 blocks, up to three confirmations.\n",
		      out);
}

void terminal_opening(FILE *out, const struct record *r)
{
	write_header(out, r);
	write_host(out, r);
	write_rule(out, r);
	fputc('\n', out);
}

void terminal_message(FILE *out, const struct record *r)
{
	const char *message = r->message ? r->message : "";
	size_t first = strcspn(message, "\n");

	if (r->status == STATUS_NOTHING)
		fputs("Nothing to compare", out);
	else if (r->status == STATUS_INTERRUPTED)
		fputs("Interrupted", out);
	else if (r->status == STATUS_ERROR && r->message)
		fputs("Error", out);
	else
		return;
	if (first) {
		fputs(": ", out);
		text_escape(out, message, first);
	} else if (r->status == STATUS_INTERRUPTED) {
		fputs(": what was not settled by then is not judged", out);
	}
	fputs(first && strchr(".:!?", message[first - 1]) ? "\n" : ".\n", out);
	terminal_quoted(out, message + first + strspn(message + first, "\n"), 0);
}

void terminal_notes(FILE *out, const struct record *r)
{
	for (size_t i = 0; i < r->notes_cnt; i++) {
		size_t first = strcspn(r->notes[i], "\n");

		fputs("Note: ", out);
		text_escape(out, r->notes[i], first);
		fputc('\n', out);
		terminal_quoted(out, r->notes[i] + first + strspn(r->notes[i] + first, "\n"), 0);
	}
}
