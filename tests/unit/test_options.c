/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_options_fixture.h"
#include <ctype.h>
#include <math.h>

static void table_is_consistent(void **state)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	char env[OPTION_ENV_MAX];

	(void)state;
	assert_true(cnt <= OPTIONS_MAX);
	for (size_t i = 0; i < cnt; i++) {
		const struct option_row *r = &rows[i];

		print_message("# --%s\n", r->name);
		for (const char *s = r->name; *s; s++)
			assert_true(islower((unsigned char)*s) || *s == '-');
		assert_ptr_equal(option_find(r->name, strlen(r->name)), r);
		if (r->letter)
			assert_ptr_equal(option_find_letter(r->letter), r);
		assert_true(r->help && strlen(r->help) > 10);
		assert_int_equal(r->help[strlen(r->help) - 1], '.');
		assert_true(r->later || r->parse);
		assert_true(r->verbs != 0);
		assert_true(r->group < GROUP_CNT);
		assert_true(strlen("JOUST_") + strlen(r->name) < OPTION_ENV_MAX);
		if (option_env_name(r, env))
			assert_null(strchr(env, '-'));
	}
}

/* The list of design.md: each is either there or known and refused. */
static void every_option_of_the_design_is_known(void **state)
{
	static const char *const names[] = {
		"base",	       "candidate",    "filter",      "exclude",     "limit",
		"alpha",       "blocks",       "min-blocks",  "max-blocks",  "pairs",
		"layouts",     "judge",	       "warmup",      "timeout",     "max-time",
		"seed",	       "force",	       "in-place",    "strict",	     "bisect",
		"dry-run",     "sandbox",      "sandbox-log", "prove-same",  "rule",
		"require",     "jobs",	       "event",	      "export-json", "export-markdown",
		"export-html", "export-junit", "color",	      "progress",    "quiet",
		"verbose",     "version",      "help",	      "runs",	     "inject",
	};
	size_t cnt;

	(void)state;
	for (size_t i = 0; i < CNT(names); i++)
		assert_non_null(option_find(names[i], strlen(names[i])));
	(void)option_rows(&cnt);
	assert_int_equal(cnt, CNT(names));
}

static void nothing_given_is_compare_with_nothing_set(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "");
	assert_int_equal(l.o.verb, VERB_COMPARE);
	assert_false(l.o.verb_given);
	assert_null(l.o.base);
	assert_null(l.o.command);
	assert_true(isnan(l.o.alpha) && isnan(l.o.warmup_s) && isnan(l.o.max_time_s));
	for (int i = 0; i < METRIC_CNT; i++)
		assert_true(isnan(l.o.limit[i]) && !l.o.judge[i]);
	assert_int_equal(l.o.blocks + l.o.pairs + l.o.given_cnt, 0);
	assert_false(l.o.seed_given || l.o.strict || l.o.bisect);
}

static void strings_reach_their_fields(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "compare|--base|HEAD~1|--candidate=dir=1|--filter|^a b$|--exclude=x|"
		       "--export-json|-|--require=pmu,bpf|--sandbox|none|--rule=stages|--jobs|1");
	assert_string_equal(l.o.base, "HEAD~1");
	assert_string_equal(l.o.candidate, "dir=1");
	assert_string_equal(l.o.filter, "^a b$");
	assert_string_equal(l.o.exclude, "x");
	assert_string_equal(l.o.export_json, "-");
	assert_string_equal(l.o.require, "pmu,bpf");
	assert_int_equal(l.o.sandbox, SANDBOX_NONE);
	assert_int_equal(l.o.rule, RULE_STAGES);
	assert_string_equal(l.o.jobs, "1");
	assert_true(l.o.verb_given);
}

static void numbers_reach_their_fields(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "--alpha=.005|--min-blocks|12|--max-blocks=100|--pairs=5|-w|2.5|--timeout=7|"
		       "--max-time|60|--seed=18446744073709551615");
	assert_true(l.o.alpha == .005);
	assert_int_equal(l.o.min_blocks, 12);
	assert_int_equal(l.o.max_blocks, 100);
	assert_int_equal(l.o.pairs, 5);
	assert_true(l.o.warmup_s == 2.5 && l.o.timeout_s == 7 && l.o.max_time_s == 60);
	assert_true(l.o.seed == UINT64_MAX && l.o.seed_given);
	done(&l);
	must_parse(&l, "--blocks=30|-w5|--seed|0");
	assert_int_equal(l.o.blocks, 30);
	assert_true(l.o.warmup_s == 5);
	assert_true(l.o.seed == 0 && l.o.seed_given);
	done(&l);
	must_parse(&l, "run|--blocks=1");
	assert_int_equal(l.o.blocks, 1);
}

static void flags_and_words_reach_their_fields(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "--force|--in-place|--strict|--dry-run|-v|--color=never|--progress|always");
	assert_true(l.o.force && l.o.in_place && l.o.strict && l.o.dry_run && l.o.verbose);
	assert_false(l.o.bisect || l.o.quiet);
	assert_int_equal(l.o.color, WHEN_NEVER);
	assert_int_equal(l.o.progress, WHEN_ALWAYS);
	done(&l);
	must_parse(&l, "--bisect|-q|--force=no|--color|auto");
	assert_true(l.o.bisect && l.o.strict && l.o.quiet);
	assert_false(l.o.force);
	assert_int_equal(l.o.color, WHEN_AUTO);
}

static void limits_and_judges_are_per_metric(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l,
		   "--limit=3%|--limit|wall=1.5|--limit=page_faults=0|--judge=cycles|--judge|wall");
	assert_true(fabs(l.o.limit[METRIC_CPU] - 1.03) < 1e-12);
	assert_true(l.o.limit[METRIC_CPU_TOTAL] == l.o.limit[METRIC_CPU]);
	assert_true(l.o.limit[METRIC_WALL] == 1.5);
	assert_true(l.o.limit[METRIC_PAGE_FAULTS] == 0);
	assert_true(isnan(l.o.limit[METRIC_INSTRUCTIONS]));
	assert_true(l.o.judge[METRIC_CYCLES] && l.o.judge[METRIC_WALL] && !l.o.judge[METRIC_CPU]);
	done(&l);
	must_parse(&l, "--limit=cpu_total=1.2|--limit=1.05|--limit=1.1");
	assert_true(l.o.limit[METRIC_CPU] == 1.1);
	assert_true(l.o.limit[METRIC_CPU_TOTAL] == 1.2);
	assert_true(isnan(l.o.peak_least));
	done(&l);
	must_parse(&l, "--limit=peak_memory=20%|--limit=peak_memory=+2500000");
	assert_true(fabs(l.o.limit[METRIC_PEAK_MEMORY] - 1.2) < 1e-12);
	assert_true(l.o.peak_least == 2.5e6);
	assert_true(isnan(l.o.prove_same));
	done(&l);
	must_parse(&l, "--limit=peak_memory=+5MiB");
	assert_true(l.o.peak_least == 5 << 20);
	done(&l);
	must_parse(&l, "--prove-same=2%");
	assert_true(fabs(l.o.prove_same - 1.02) < 1e-12);
}

static void given_options_are_remembered_in_order(void **state)
{
	static const char *const want[][2] = {{"seed", "7"},
					      {"limit", "2%"},
					      {"strict", "yes"},
					      {"limit", "wall=1.9"},
					      {"seed", "8"}};
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "--seed=7|--limit|2%|--strict|--limit=wall=1.9|--seed|8");
	assert_int_equal(l.o.given_cnt, CNT(want));
	for (size_t i = 0; i < CNT(want); i++) {
		assert_string_equal(l.o.given[i].name, want[i][0]);
		assert_string_equal(l.o.given[i].value, want[i][1]);
		assert_false(l.o.given[i].from_environment);
	}
	assert_int_equal(l.o.seed, 8);
}

static void a_command_stands_behind_two_dashes(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "run|--seed=1|--|./bench|--seed=2|--|-x");
	assert_int_equal(l.o.command_cnt, 4);
	assert_string_equal(l.o.command[0], "./bench");
	assert_string_equal(l.o.command[1], "--seed=2");
	assert_string_equal(l.o.command[2], "--");
	assert_string_equal(l.o.command[3], "-x");
	assert_int_equal(l.o.seed, 1);
	must_refuse("--", "no command behind --");
	must_refuse("--||x", "no command behind --: its first word is empty");
	must_refuse("--| |x", "no command behind --: its first word is empty");
	must_refuse("doctor|--|x", "`joust doctor` takes no command");
	must_refuse("clean|--|x", "takes no command");
}

static void verbs_come_first(void **state)
{
	static const char *const there[] = {"compare", "run", "list", "doctor", "clean"};
	static const char *const later[] = {"report", "explain", "pair", "import",
					    "export", "merge",	 "init"};
	char text[80];

	(void)state;
	for (size_t i = 0; i < CNT(there); i++) {
		CLEANUP(done) struct line l;

		must_parse(&l, there[i]);
		assert_int_equal(l.o.verb, verb_find(there[i]));
	}
	for (size_t i = 0; i < CNT(later); i++) {
		(void)snprintf(text, sizeof(text), "`joust %s` is not in this version", later[i]);
		must_refuse(later[i], text);
	}
	must_refuse("comprae", "did you mean compare?");
	must_refuse("lst", "did you mean list?");
	must_refuse("xyzzyplugh", "`joust --help` names all");
	must_refuse("help|nonesuch", "`joust --help` names all");
	must_refuse("bench", "joust compare");
	must_refuse("./bench|x", "stands behind --");
	must_refuse("--strict|compare", "a verb comes first");
	must_refuse("compare|x", "stands behind --");
	must_refuse("compare|-", "stands behind --");
	must_refuse("doctor|x", "`joust doctor` takes no x");
	must_refuse("compare|", "unexpected");
}

static void analyze_takes_one_file(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "analyze|-q|a file|--export-json=-");
	assert_int_equal(l.o.verb, VERB_ANALYZE);
	assert_string_equal(l.o.file, "a file");
	done(&l);
	must_parse(&l, "analyze");
	assert_null(l.o.file); /* the last one */
	must_refuse("analyze|a|b", "takes no b");
	must_refuse("analyze|a|--strict", "is not for `joust analyze`");
	must_refuse("analyze|a|--|b", "takes no command");
}

static void another_rule(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "--rule|duel|--limit=3%");
	assert_int_equal(l.o.rule, RULE_DUEL);
	done(&l);
	must_parse(&l, "--rule=stages|--blocks=30");
	assert_int_equal(l.o.rule, RULE_STAGES);
}

static void events_are_named_as_perf_names_them(void **state)
{
	CLEANUP(done) struct line l;

	(void)state;
	must_parse(&l, "-e|branches,faults|--event=r1a2");
	assert_int_equal(l.o.events.cnt, 3);
	assert_string_equal(l.o.events.item[0].name, "branches:u");
	assert_string_equal(l.o.events.item[1].name, "faults");
	assert_string_equal(l.o.events.item[2].name, "r1a2:u");
	must_refuse("-e|cyclops", "no event \"cyclops\" is known");
	must_refuse("--event=cs:u", "would always be 0");
}

static void help_and_version_ask_for_nothing_else(void **state)
{
	static const struct {
		const char *words;
		enum help_kind help;
		bool version;
		enum verb verb;
	} rows[] = {
		{"-h", HELP_SHORT, false, VERB_COMPARE},
		{"--help", HELP_FULL, false, VERB_COMPARE},
		{"run|-h", HELP_SHORT, false, VERB_RUN},
		{"doctor|--help", HELP_FULL, false, VERB_DOCTOR},
		{"clean|-h", HELP_SHORT, false, VERB_CLEAN},
		{"-V", HELP_NONE, true, VERB_COMPARE},
		{"--version", HELP_NONE, true, VERB_COMPARE},
		{"-qv|--help", HELP_FULL, false, VERB_COMPARE},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		CLEANUP(done) struct line l;

		must_parse(&l, rows[i].words);
		assert_int_equal(l.o.help, rows[i].help);
		assert_int_equal(l.o.version, rows[i].version);
		assert_int_equal(l.o.verb, rows[i].verb);
	}
	must_refuse("--help|--nonsense", "unknown option");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_consistent),
		cmocka_unit_test(every_option_of_the_design_is_known),
		cmocka_unit_test(nothing_given_is_compare_with_nothing_set),
		cmocka_unit_test(strings_reach_their_fields),
		cmocka_unit_test(numbers_reach_their_fields),
		cmocka_unit_test(flags_and_words_reach_their_fields),
		cmocka_unit_test(limits_and_judges_are_per_metric),
		cmocka_unit_test(given_options_are_remembered_in_order),
		cmocka_unit_test(a_command_stands_behind_two_dashes),
		cmocka_unit_test(verbs_come_first),
		cmocka_unit_test(analyze_takes_one_file),
		cmocka_unit_test(another_rule),
		cmocka_unit_test(events_are_named_as_perf_names_them),
		cmocka_unit_test(help_and_version_ask_for_nothing_else),
	};

	clear_environment();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
