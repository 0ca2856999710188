/* SPDX-License-Identifier: BSD-2-Clause */
#include "help.h"
#include <math.h>
#include <string.h>
#include "option_table.h"

#define COLUMNS	    96
#define TEXT_COLUMN 30

#define ANALYZE VERB_BIT(VERB_ANALYZE)
#define JUDGES	(VERB_BIT(VERB_COMPARE) | ANALYZE)

/* `text` broken at blanks, from column `at` on, each further line indented by TEXT_COLUMN. */
static void print_wrapped(FILE *out, int at, const char *text)
{
	if (at >= TEXT_COLUMN) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", TEXT_COLUMN - at, "");
	at = TEXT_COLUMN;
	for (bool first = true; *text; first = false) {
		int len = (int)strcspn(text, " ");

		if (!first && at + 1 + len > COLUMNS) {
			fprintf(out, "\n%*s", TEXT_COLUMN, "");
			at = TEXT_COLUMN;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		fprintf(out, "%.*s", len, text);
		at += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct option_row *row)
{
	char left[80], text[400];
	int len;

	len = snprintf(left, sizeof(left), "  %c%c%s --%s%s%s", row->letter ? '-' : ' ',
		       row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
		       row->argument ? " " : "", row->argument ? row->argument : "");
	(void)snprintf(text, sizeof(text), "%s%s%s%s", row->help,
		       row->only ? " This version has only: " : "", row->only ? row->only : "",
		       row->only ? "." : "");
	fputs(left, out);
	print_wrapped(out, len, text);
}

static bool shown(const struct option_row *row, const struct options *o)
{
	return option_applies(row, o->verb) && !row->later && (row->common || o->help == HELP_FULL);
}

static void print_group(FILE *out, const struct options *o, enum option_group g)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	bool any = false;

	for (size_t i = 0; i < cnt; i++) {
		if (rows[i].group != g || !shown(&rows[i], o))
			continue;
		if (!any && o->help == HELP_FULL)
			fprintf(out, "\n%s:\n", option_group_title(g));
		any = true;
		print_option(out, &rows[i]);
	}
}

static void print_verbs(FILE *out)
{
	fputs("\nVerbs (`joust VERB --help` says more):\n", out);
	for (int i = 0; i < VERB_CNT; i++) {
		const struct verb_row *v = verb_get((enum verb)i);

		if (v->implemented)
			print_wrapped(out, fprintf(out, "  %s", v->name), v->help);
	}
}

static void print_metrics(FILE *out)
{
	fputs("\nMetrics, for --limit and --judge:\n", out);
	for (int i = 0; i < METRIC_CNT; i++) {
		const struct metric *m = metric_get((enum metric_id)i);
		char text[400];

		if (m->judge == JUDGE_NEVER)
			continue;
		(void)snprintf(text, sizeof(text), "Limit %s%g%s. %s",
			       m->kind == METRIC_COUNTED ? "+" : "", m->limit,
			       m->judge == JUDGE_ASKED	    ? ", judged when asked"
			       : m->judge == JUDGE_THREADED ? ", judged with more than one thread"
							    : "",
			       m->why);
		print_wrapped(out, fprintf(out, "  %s", m->name), text);
	}
}

static void print_exit_statuses(FILE *out, enum verb verb)
{
	static const struct {
		const char *status, *help;
		unsigned verbs;
	} lines[] = {
		{"0", "Passed, or nothing to compare.", JUDGES},
		{"0", "Done.", ~JUDGES},
		{"1",
		 "Something became slower, and no commit has a line Joust-Accept: BENCHMARK: "
		 "reason in the last paragraph of its message.",
		 JUDGES},
		{"1", "A version was found slower than itself.", VERB_BIT(VERB_AA)},
		{"2", "Something could not be told; only under --strict, otherwise 0.",
		 VERB_BIT(VERB_COMPARE)},
		{"2", "Something could not be told, and the record is one of --strict.", ANALYZE},
		{"3",
		 "Could not compare: a build failed, a benchmark crashed, an output could not be "
		 "written, ...",
		 VERBS_PROJECT},
		{"3", "Could not: the host lacks it, or an output could not be written.",
		 ~VERBS_PROJECT & ~ANALYZE},
		{"3",
		 "The record is of a run that could not compare, or an output could not be "
		 "written.",
		 ANALYZE},
		{"64", "Wrong usage or malformed input.", ~0u},
		{"129, 130, 143", "Interrupted; what was measured until then is written.",
		 VERBS_PROJECT},
		{"125, 128", "With --bisect in place of 2 or 3, and of 64.",
		 VERB_BIT(VERB_COMPARE)},
		{"125", "In place of 2 or 3, where the record is one of --bisect.", ANALYZE},
	};

	fputs("\nExit status:\n", out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].verbs & VERB_BIT(verb))
			print_wrapped(out, fprintf(out, "  %s", lines[i].status), lines[i].help);
}

static void print_environment(FILE *out)
{
	fputs("\nEvery long option but --help and --version can be set in the environment: "
	      "--max-time 60\n"
	      "is JOUST_MAX_TIME=60, and --strict is JOUST_STRICT=yes. A flag beats the "
	      "environment, and\n"
	      "--strict=no switches a flag off. Of an option given twice the last one holds, "
	      "except where\n"
	      "it may be given several times. Names are never abbreviated.\n",
	      out);
}

static void print_later(FILE *out)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	int at = fprintf(out, "\nRefused, because not in this version:\n ");

	at = 1;
	for (int i = 0; i < VERB_CNT; i++)
		if (!verb_get((enum verb)i)->implemented)
			at += fprintf(out, " %s", verb_get((enum verb)i)->name);
	for (size_t i = 0; i < cnt; i++) {
		if (!rows[i].later)
			continue;
		if (at + 3 + (int)strlen(rows[i].name) > COLUMNS)
			at = fprintf(out, "\n ") - 1;
		at += fprintf(out, " --%s", rows[i].name);
	}
	fputc('\n', out);
}

void help_print(FILE *out, const struct options *o)
{
	const struct verb_row *v = verb_get(o->verb);

	fprintf(out, "joust %s%s[OPTION...]%s%s\n%s\n", o->verb_given ? v->name : "[VERB]", " ",
		v->arguments[0] ? " " : "", v->arguments,
		o->verb_given ? v->help : "Tells whether a change made a program slower.");
	if (!o->verb_given)
		print_verbs(out);
	if (o->help == HELP_SHORT)
		fputs("\nOptions (--help has all of them):\n", out);
	for (int g = 0; g < GROUP_CNT; g++)
		print_group(out, o, (enum option_group)g);
	if (o->help == HELP_SHORT)
		return;
	if (o->verb == VERB_COMPARE)
		print_metrics(out);
	print_environment(out);
	print_exit_statuses(out, o->verb);
	if (o->verb_given)
		fputs("\n`joust --help` names the other verbs and what is not in this version.\n",
		      out);
	else
		print_later(out);
}

void help_version(FILE *out)
{
	fputs("joust " JOUST_VERSION "\n", out);
}
