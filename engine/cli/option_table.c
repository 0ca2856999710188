/* SPDX-License-Identifier: BSD-2-Clause */
#include "option_table.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "../decide/blocks.h"
#include "option_parsers.h"

#define ANALYZE	     VERB_BIT(VERB_ANALYZE)
#define ALL	     (VERBS_PROJECT | VERB_BIT(VERB_DOCTOR) | VERB_BIT(VERB_CLEAN) | ANALYZE)
#define COMPARE	     VERB_BIT(VERB_COMPARE)
#define JUDGED	     (COMPARE | VERB_BIT(VERB_AA))
#define FIELD(field) .offset = offsetof(struct options, field)

/* clang-format off */
static const struct option_row rows[] = {
	{.name = "base", .argument = "REF", .parse = parse_string, FIELD(base),
	 .verbs = COMPARE, .group = GROUP_WHAT, .common = true,
	 .help = "Compare against this commit, directory or program. Default: where the branch left the "
		 "main branch."},
	{.name = "candidate", .argument = "REF", .parse = parse_string, FIELD(candidate),
	 .verbs = VERBS_PROJECT, .group = GROUP_WHAT, .common = true,
	 .help = "Measure this commit, directory or program. Default: the working tree."},
	{.name = "filter", .argument = "REGEX", .parse = parse_regex, FIELD(filter),
	 .verbs = VERBS_PROJECT, .group = GROUP_WHAT, .common = true,
	 .help = "Only benchmarks whose name matches (POSIX extended). No match is an error."},
	{.name = "exclude", .argument = "REGEX", .parse = parse_regex, FIELD(exclude),
	 .verbs = VERBS_PROJECT, .group = GROUP_WHAT,
	 .help = "Leave out benchmarks whose name matches."},
	{.name = "force", .parse = parse_flag, FIELD(force),
	 .verbs = COMPARE, .group = GROUP_WHAT,
	 .help = "Measure although nothing that could matter has changed."},
	{.name = "in-place", .parse = parse_flag, FIELD(in_place),
	 .verbs = VERBS_PROJECT, .group = GROUP_WHAT,
	 .help = "Build and measure the working tree itself, not a snapshot of it."},
	{.name = "dry-run", .parse = parse_flag, FIELD(dry_run),
	 .verbs = COMPARE | VERB_BIT(VERB_RUN), .group = GROUP_WHAT,
	 .help = "Build, say what would be measured and how long at most, and measure nothing."},

	{.name = "limit", .argument = "[METRIC=]LIMIT", .parse = parse_limit, FIELD(limit),
	 .verbs = JUDGED, .group = GROUP_JUDGE, .common = true, .multi = true,
	 .help = "Slower than this is a regression: 1.02 or 2%. Without a metric it is CPU time's. A "
		 "counted metric takes a difference per iteration. May be given once for each metric."},
	{.name = "alpha", .argument = "P", .parse = parse_number, FIELD(alpha), .lo = 1e-6, .hi = 0.25,
	 .verbs = JUDGED, .group = GROUP_JUDGE,
	 .help = "Error rate of one stage. Default: 0.01; a regression needs three stages."},
	{.name = "judge", .argument = "METRIC", .parse = parse_metric, FIELD(judge),
	 .verbs = JUDGED, .group = GROUP_JUDGE, .multi = true,
	 .help = "Judge this metric too. May be given several times."},
	{.name = "blocks", .argument = "N", .parse = parse_count, FIELD(blocks),
	 .lo = 1, .hi = BLOCKS_MOST, .verbs = VERBS_MEASURE, .group = GROUP_JUDGE,
	 .help = "Take so many blocks unless something shows to be slower or faster before: both "
		 "--min-blocks and --max-blocks. `joust aa` takes all in stage 1."},
	{.name = "min-blocks", .argument = "N", .parse = parse_count, FIELD(min_blocks),
	 .lo = 1, .hi = BLOCKS_MOST, .verbs = JUDGED, .group = GROUP_JUDGE,
	 .help = "Say `same` after so many blocks at the earliest; slower and faster are said as soon as they "
		 "show."},
	{.name = "max-blocks", .argument = "N", .parse = parse_count, FIELD(max_blocks),
	 .lo = BLOCKS_LEAST, .hi = BLOCKS_MOST, .verbs = JUDGED, .group = GROUP_JUDGE, .common = true,
	 .help = "Give up after so many blocks in stage 1 and twice as many in a confirmation. Default: "
		 "60."},
	{.name = "strict", .parse = parse_flag, FIELD(strict),
	 .verbs = COMPARE, .group = GROUP_JUDGE, .common = true,
	 .help = "Exit with 2 when something could not be told."},
	{.name = "bisect", .parse = parse_flag, FIELD(bisect),
	 .verbs = COMPARE, .group = GROUP_JUDGE,
	 .help = "Exit as `git bisect run` wants it: 125 where it could not be told. Implies --strict; "
		 "a culprit that says it is wanted (Joust-Accept) is one all the same."},
	{.name = "rule", .argument = "RULE", .parse = parse_rule, FIELD(rule),
	 .verbs = COMPARE, .group = GROUP_JUDGE,
	 .help = "How timed metrics are judged: stages, or for comparison duel, the rule of an earlier "
		 "tool (looks after 10, 20, .. 60 blocks, three confirmations)."},
	{.name = "prove-same", .argument = "PERCENT", .parse = parse_margin, FIELD(prove_same),
	 .verbs = COMPARE, .group = GROUP_JUDGE,
	 .help = "Call only that the same which two one-sided tests at 5 % show to have changed by no more "
		 "than this. A stage then takes all of its blocks."},

	{.name = "pairs", .argument = "N", .parse = parse_pairs, FIELD(pairs), .lo = 1, .hi = 33,
	 .verbs = VERBS_MEASURE, .group = GROUP_MEASURE,
	 .help = "Pairs taken from the processes of a block, an odd number."},
	{.name = "warmup", .letter = 'w', .argument = "SEC", .parse = parse_number, FIELD(warmup_s),
	 .lo = 0, .hi = 3600, .verbs = VERBS_MEASURE, .group = GROUP_MEASURE,
	 .help = "Warm each worker up for at least so many seconds."},
	{.name = "timeout", .argument = "SEC", .parse = parse_number, FIELD(timeout_s),
	 .lo = 0.001, .hi = 1e6, .verbs = VERBS_PROJECT, .group = GROUP_MEASURE,
	 .help = "A sample that takes longer is an error. Default: 60 s or 20 samples, the longer one."},
	{.name = "max-time", .argument = "SEC", .parse = parse_number, FIELD(max_time_s),
	 .lo = 0.001, .hi = 1e7, .verbs = VERBS_MEASURE, .group = GROUP_MEASURE, .common = true,
	 .help = "End after the round in which so many seconds are over; what is not settled then is "
		 "undecided."},
	{.name = "seed", .argument = "N", .parse = parse_seed, FIELD(seed),
	 .verbs = VERBS_MEASURE, .group = GROUP_MEASURE,
	 .help = "Seed of the coins that choose every order. Every report says the one used."},
	{.name = "layouts", .argument = "N", .parse = parse_count, FIELD(layouts), .lo = 1, .hi = 64,
	 .verbs = JUDGED, .group = GROUP_MEASURE,
	 .help = "Link each side so many times, with functions in another order each. Default: 4."},
	{.name = "sandbox", .argument = "LEVEL", .parse = parse_sandbox, FIELD(sandbox),
	 .verbs = VERBS_PROJECT, .group = GROUP_MEASURE,
	 .help = "How workers and builds are confined: standard, strict (no layer may be missing, and joust.conf "
		 "may open no more than the baseline's), none."},
	{.name = "sandbox-log", .parse = parse_flag, FIELD(sandbox_log),
	 .verbs = VERBS_PROJECT, .group = GROUP_MEASURE,
	 .help = "Refuse no system call; say which ones the sandbox would have refused."},
	{.name = "jobs", .argument = "N", .parse = parse_only, FIELD(jobs), .only = "1",
	 .verbs = VERBS_MEASURE, .group = GROUP_MEASURE,
	 .help = "Benchmarks measured at the same time, on CPUs of their own."},
	{.name = "event", .letter = 'e', .argument = "LIST", .parse = parse_events, FIELD(events),
	 .verbs = VERB_BIT(VERB_COMPARE) | VERB_BIT(VERB_RUN), .group = GROUP_MEASURE, .multi = true,
	 .help = "Count these events too, named as perf names them: branches, L1-dcache-load-misses, r1a2, "
		 "cpu/event=0x3c/, faults; user mode alone where it is the hardware that counts. They are "
		 "recorded, not judged. At most 8."},
	{.name = "require", .argument = "LIST", .parse = parse_string, FIELD(require),
	 .verbs = VERBS_MEASURE | VERB_BIT(VERB_DOCTOR), .group = GROUP_MEASURE,
	 .help = "Exit with 3 unless the host has all of these: names that `joust doctor` prints, "
		 "separated by commas."},
	{.name = "runs", .argument = "N", .parse = parse_count, FIELD(runs), .lo = 1, .hi = 100000,
	 .verbs = VERB_BIT(VERB_AA), .group = GROUP_MEASURE,
	 .help = "Compare a version with itself so many times. Default: 20."},
	{.name = "inject", .argument = "PERCENT", .parse = parse_percent, FIELD(inject), .lo = 0.01,
	 .hi = 100,
	 .verbs = VERB_BIT(VERB_AA), .group = GROUP_MEASURE,
	 .help = "Let libjoust burn so much more time on one side: what is found of it is this host's power."},

	{.name = "export-json", .argument = "FILE", .parse = parse_string, FIELD(export_json),
	 .verbs = VERBS_MEASURE | ANALYZE, .group = GROUP_OUTPUT, .common = true,
	 .help = "Write the whole record there too; - is stdout."},
	{.name = "export-markdown", .argument = "FILE", .later = true,
	 .verbs = VERBS_MEASURE, .group = GROUP_OUTPUT,
	 .help = "Write a report for a pull request."},
	{.name = "export-html", .argument = "FILE", .later = true,
	 .verbs = VERBS_MEASURE, .group = GROUP_OUTPUT,
	 .help = "Write a report with plots."},
	{.name = "export-junit", .argument = "FILE", .later = true,
	 .verbs = VERBS_MEASURE, .group = GROUP_OUTPUT,
	 .help = "Write a report for a CI server."},
	{.name = "color", .argument = "WHEN", .parse = parse_when, FIELD(color),
	 .verbs = VERBS_PROJECT | VERB_BIT(VERB_DOCTOR) | ANALYZE, .group = GROUP_OUTPUT,
	 .help = "auto, always or never. Beats NO_COLOR and its relatives."},
	{.name = "progress", .argument = "WHEN", .parse = parse_when, FIELD(progress),
	 .verbs = VERBS_PROJECT, .group = GROUP_OUTPUT,
	 .help = "auto, always or never: a line on stderr that says how far it is."},
	{.name = "quiet", .letter = 'q', .parse = parse_flag, FIELD(quiet),
	 .verbs = VERBS_PROJECT | VERB_BIT(VERB_CLEAN) | ANALYZE, .group = GROUP_OUTPUT, .common = true,
	 .help = "Say only what was decided."},
	{.name = "verbose", .letter = 'v', .parse = parse_flag, FIELD(verbose),
	 .verbs = VERBS_PROJECT | ANALYZE, .group = GROUP_OUTPUT, .common = true,
	 .help = "Show every metric, and why one is missing."},
	{.name = "version", .letter = 'V', .parse = parse_flag, FIELD(version),
	 .verbs = ALL, .group = GROUP_OUTPUT,
	 .help = "Say which joust this is."},
	{.name = "help", .letter = 'h', .parse = parse_help, FIELD(help),
	 .verbs = ALL, .group = GROUP_OUTPUT, .common = true,
	 .help = "-h is short, --help is complete; both know each verb."},
};
/* clang-format on */

#define ROWS_CNT (sizeof(rows) / sizeof(rows[0]))
_Static_assert(ROWS_CNT <= OPTIONS_MAX, "seen flags have room for every option");

const struct option_row *option_rows(size_t *ret_cnt)
{
	*ret_cnt = ROWS_CNT;
	return rows;
}

const struct option_row *option_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ROWS_CNT; i++)
		if (strlen(rows[i].name) == len && !memcmp(rows[i].name, name, len))
			return &rows[i];
	return NULL;
}

const struct option_row *option_find_letter(char letter)
{
	for (size_t i = 0; i < ROWS_CNT; i++)
		if (rows[i].letter && rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

bool option_env_name(const struct option_row *row, char ret[static OPTION_ENV_MAX])
{
	size_t len = strlen("JOUST_");

	if (!strcmp(row->name, "help") || !strcmp(row->name, "version"))
		return false;
	memcpy(ret, "JOUST_", len);
	for (const char *s = row->name; *s && len < OPTION_ENV_MAX - 1; s++)
		ret[len++] = *s == '-' ? '_' : (char)toupper((unsigned char)*s);
	ret[len] = '\0';
	return true;
}

const char *option_group_title(enum option_group g)
{
	static const char *const titles[] = {
		[GROUP_WHAT] = "What is compared",
		[GROUP_JUDGE] = "How it is judged",
		[GROUP_MEASURE] = "How it is measured",
		[GROUP_OUTPUT] = "What is shown",
	};

	return titles[g];
}
