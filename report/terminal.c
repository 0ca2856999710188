/* SPDX-License-Identifier: BSD-2-Clause */
#include "terminal.h"
#include <math.h>
#include <string.h>
#include "disturbance.h"
#include "terminal_parts.h"
#include "text.h"

struct place {
	const struct rec_bench *bench;
	size_t rank, index;
	double ratio; /* of what regressed, else 0 */
};

static double regression(const struct rec_bench *b)
{
	int id = b->verdict == BENCH_REGRESSED ? terminal_deciding(b) : -1;
	const struct stage_result *shown = id >= 0 ? terminal_shown(&b->metric[id]) : NULL;

	return shown ? shown->median : 0;
}

static int worse_first(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->ratio != y->ratio)
		return x->ratio > y->ratio ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* NULL without memory or benchmarks: the record's own order serves then. */
static struct place *order(const struct record *r)
{
	struct place *places = r->benches_cnt ? calloc(r->benches_cnt, sizeof(*places)) : NULL;

	if (!places)
		return NULL;
	for (size_t i = 0; i < r->benches_cnt; i++) {
		const struct rec_bench *b = &r->benches[i];

		places[i] = (struct place){b, terminal_rank(b), i, regression(b)};
	}
	qsort(places, r->benches_cnt, sizeof(*places), worse_first);
	return places;
}

static void write_benches(FILE *out, const struct record *r, const struct place *places,
			  const struct terminal_style *style)
{
	struct terminal_layout layout = terminal_layout_of(r, style);

	for (size_t i = 0; i < r->benches_cnt; i++)
		terminal_bench(out, places ? places[i].bench : &r->benches[i], &layout);
}

static size_t count_rank(const struct record *r, size_t rank)
{
	size_t cnt = 0;

	for (size_t i = 0; i < r->benches_cnt; i++)
		cnt += terminal_rank(&r->benches[i]) == rank;
	return cnt;
}

static bool is_suspected(const struct rec_bench *b)
{
	for (int i = 0; b->verdict == BENCH_UNDECIDED && i < METRIC_CNT; i++)
		if (terminal_suspected(&b->metric[i]))
			return true;
	return false;
}

/* Of the undecided those of which more is known than nothing. */
static void write_suspected(FILE *out, const struct record *r, size_t undecided)
{
	size_t cnt = 0;

	for (size_t i = 0; i < r->benches_cnt; i++)
		cnt += is_suspected(&r->benches[i]);
	if (!cnt)
		return;
	fputs(" (", out);
	if (undecided > 1)
		fprintf(out, "%zu of them ", cnt);
	fputs("slower in stage 1)", out);
}

static void write_counts(FILE *out, const struct record *r)
{
	const struct terminal_mark *mark;
	const char *comma = "";

	for (size_t rank = 0; (mark = terminal_mark(rank)); rank++) {
		size_t cnt = count_rank(r, rank);

		if (!cnt)
			continue;
		fprintf(out, "%s%zu %s", comma, cnt, mark->word);
		if (strcmp(mark->word, "error") == 0 && cnt > 1)
			fputc('s', out);
		if (strcmp(mark->word, "undecided") == 0)
			write_suspected(out, r, cnt);
		comma = ", ";
	}
	fputs(" in ", out);
	text_duration(out, r->seconds * 1e9);
	fputc('.', out);
}

/* ": 11 by stress-ng (pid 812), 3 by the host" */
static void write_disturbers(FILE *out, const struct disturbance *d)
{
	const char *before = ": ";

	for (size_t i = 0; i < d->by_cnt; i++, before = ", ") {
		fprintf(out, "%s%zu by ", before, d->by[i].pairs);
		terminal_text(out, d->by[i].comm); /* another program's words */
		fprintf(out, " (pid %jd)", (intmax_t)d->by[i].pid);
	}
	if (d->by_others) {
		fprintf(out, "%s%zu by others", before, d->by_others);
		before = ", ";
	}
	if (d->by_host)
		fprintf(out, "%s%zu by the host", before, d->by_host);
}

static void write_disturbed(FILE *out, const struct disturbance *d)
{
	if (!d->recorded)
		return;
	fprintf(out, " %zu of %zu pairs %s disturbed", d->disturbed, d->recorded,
		d->disturbed == 1 ? "was" : "were");
	if (d->disturbed && d->named)
		write_disturbers(out, d);
	fputc('.', out);
}

static void write_summary(FILE *out, const struct record *r)
{
	struct disturbance d;

	disturbance_of(r, &d);
	write_counts(out, r);
	write_disturbed(out, &d);
	if (d.unknown)
		fprintf(out, " Of %zu pair%s it is not known: events were lost.", d.unknown,
			d.unknown == 1 ? "" : "s");
	if (d.unsteady)
		fprintf(out,
			" In %zu of %zu blocks the CPU's own speed changed by more than %g %%.",
			d.unsteady, d.canaries, 100 * CANARY_SHARE);
	if (d.stolen)
		fprintf(out, " In %zu block%s the hypervisor took %.0f ms of the CPU away.",
			d.stolen, d.stolen == 1 ? "" : "s", d.steal_ns / 1e6);
	if (d.reclocked)
		fprintf(out, " In %zu block%s the CPU changed its frequency.", d.reclocked,
			d.reclocked == 1 ? "" : "s");
	if (d.lost)
		fprintf(out, " %zu block%s lost and taken again.", d.lost,
			d.lost == 1 ? " was" : "s were");
	fputc('\n', out);
}

/* Exit status 0 must not pass for "same". */
static void write_doubt(FILE *out, const struct record *r)
{
	size_t cnt = 0;

	for (size_t i = 0; i < r->benches_cnt; i++)
		cnt += r->benches[i].verdict == BENCH_UNDECIDED;
	if (!cnt)
		return;
	fprintf(out,
		"Undecided is not same: of %zu benchmark%s joust cannot say that %s no slower%s\n",
		cnt, cnt == 1 ? "" : "s", cnt == 1 ? "it is" : "they are",
		r->exit ? "." : " (--strict makes that exit status 2).");
}

/* The name as an extended regular expression that matches nothing else. */
static char *name_pattern(const char *name)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	if (!out)
		return NULL;
	fputc('^', out);
	for (; *name; name++) {
		if (strchr(".[]()*+?{}|^$\\", *name))
			fputc('\\', out);
		fputc(*name, out);
	}
	fputc('$', out);
	if (fclose(out) != 0) {
		free(buffer);
		return NULL;
	}
	return buffer;
}

/* The options of the run hold again; a whole command of ours could not repeat what follows "--". */
static void write_rerun(FILE *out, const struct rec_bench *b)
{
	AUTO_FREE char *pattern = name_pattern(b->name);

	fputs("measure it alone: the same command with --filter ", out);
	text_shell_quote(out, pattern ? pattern : b->name);
}

/* A trailer can accept what is a commit, or is going to be one; --bisect looks at none. */
static bool can_be_accepted(const struct record *r)
{
	enum version_kind kind = r->version[SIDE_CANDIDATE].kind;

	return !r->bisect && (kind == VERSION_COMMIT || kind == VERSION_WORKTREE);
}

/* Of several benchmarks; the others may want something else. */
static void write_whose(FILE *out, const struct record *r, const struct rec_bench *b)
{
	if (r->benches_cnt < 2)
		return;
	fputc('"', out);
	terminal_text(out, b->name);
	fputs("\": ", out);
}

/* What is no matter of one benchmark. */
static bool ends_run(enum reason why)
{
	return why == REASON_INTERRUPTED || why == REASON_OUT_OF_TIME;
}

/* The name to be copied ends the line, without a full stop. */
static void write_regressed(FILE *out, const struct record *r, const struct rec_bench *b)
{
	fputs("Next: ", out);
	/* alone, its stages would lie nearer still */
	if (r->benches_cnt > 1 && !rec_bench__one_state(b)) {
		write_rerun(out, b);
	} else {
		write_whose(out, r, b);
		fputs("see what the candidate does more; the same command again tells whether it "
		      "helped",
		      out);
	}
	if (!can_be_accepted(r))
		return;
	fputs("; or accept it by a trailer of the commit message: Joust-Accept: ", out);
	terminal_text(out, b->name);
	fputs(": REASON", out);
}

static enum reason doubt(const struct rec_bench *b)
{
	int id = terminal_deciding(b), missing = terminal_missing(b);

	if (id < 0 && missing >= 0 && reason_get(b->metric[missing].missing)->remedy)
		return b->metric[missing].missing;
	return id >= 0 && b->metric[id].reason != REASON_NONE ? b->metric[id].reason : b->reason;
}

static const char *remedy_of(const struct record *r, const struct rec_bench *b)
{
	bool fixed = b->sizes_cnt || r->judging.rule == RULE_DUEL;

	if (b->verdict == BENCH_ERROR)
		return reason_remedy(b->reason, fixed);
	return b->verdict == BENCH_UNDECIDED ? reason_remedy(doubt(b), fixed) : NULL;
}

/* Where the build of a program is that has to be looked at by hand. */
static void write_build(FILE *out, const struct record *r, const struct rec_bench *b)
{
	enum side side = b->reason_side == SIDE_BASELINE ? SIDE_BASELINE : SIDE_CANDIDATE;
	const struct rec_version *v = &r->version[side];

	if (b->verdict != BENCH_ERROR || !v->built || !v->path ||
	    (b->reason != REASON_EXIT_STATUS && b->reason != REASON_SIGNAL &&
	     b->reason != REASON_TIMEOUT))
		return;
	fputs(" Its build is in ", out);
	text_shell_quote(out, v->path);
}

/* What to do about the worst benchmark; false when there is nothing to do. */
static bool write_next(FILE *out, const struct record *r, const struct rec_bench *worst)
{
	const char *remedy = worst ? remedy_of(r, worst) : NULL;

	if (worst && worst->verdict == BENCH_REGRESSED && !worst->accepted) {
		write_regressed(out, r, worst);
		return true;
	}
	if (!remedy)
		return false;
	fputs("Next: ", out);
	if (worst->verdict == BENCH_ERROR || !ends_run(doubt(worst)))
		write_whose(out, r, worst);
	fputs(remedy, out);
	write_build(out, r, worst);
	return true;
}

static void write_footer(FILE *out, const struct record *r, const struct rec_bench *worst)
{
	if (write_next(out, r, worst))
		fputc('\n', out);
	if (!r->path)
		return;
	fputs("Record: ", out);
	terminal_text(out, r->path);
	fputc('\n', out);
}

void terminal_report(FILE *out, const struct record *r, const struct terminal_style *style)
{
	AUTO_FREE struct place *places = order(r);
	const struct rec_bench *worst = places ? places[0].bench : NULL;

	if (style->verbosity >= 0) {
		terminal_opening(out, r);
	}
	write_benches(out, r, places, style);
	terminal_across(out, &r->across, style->verbosity);
	if (style->verbosity >= 0 && r->benches_cnt)
		fputc('\n', out);
	terminal_message(out, r);
	if (style->verbosity < 0)
		return;
	if (r->benches_cnt) {
		write_summary(out, r);
		write_doubt(out, r);
	}
	terminal_notes(out, r);
	write_footer(out, r, worst);
}
