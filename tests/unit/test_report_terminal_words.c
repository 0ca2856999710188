/* SPDX-License-Identifier: BSD-2-Clause */
/* What terminal reports say of what is rare, and what none of them may leave out. */
#include "test_report_fixture.h"

static const struct terminal_style plain = {.columns = 100};
static const struct terminal_style verbose = {.verbosity = 1, .columns = 100};
static const struct terminal_style quiet = {.verbosity = -1, .columns = 100};

/* The rule that no report may break: what looks like a ratio of a metric has its interval. */
static void no_ratio_without_interval(void **state)
{
	struct record r;
	AUTO_FREE char *text = NULL;

	(void)state;
	fixture_full(&r);
	text = written(terminal_report, &r, &verbose);
	assert_null(strstr(text, "1.777"));
	assert_non_null(strstr(text, "1.018 [1.009, 1.027]"));
	record__done(&r);
}

static void same_and_undecided_say_what_would_have_been_seen(void **state)
{
	struct record r;
	AUTO_FREE char *text = NULL;
	size_t lines = 0;

	(void)state;
	fixture_full(&r);
	text = written(terminal_report, &r, &quiet);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (strncmp(line, "  = ", 4) != 0 && strncmp(line, "  ? ", 4) != 0)
			continue;
		assert_non_null(strstr(line, "would have been seen"));
		lines++;
	}
	assert_int_equal(lines, 4);
	record__done(&r);
}

static const char *lines_of(struct record *r, char **ret)
{
	*ret = written(terminal_report, r, &plain);
	return *ret;
}

/* The first stage has said slower, and the time is over: its figure stays, and the suspicion. */
static void what_time_cut_short_is_suspected(void **state)
{
	static const struct stage_result first = {.verdict = STAGE_SLOWER,
						  .blocks = 12,
						  .median = 1.21,
						  .lo = 1.113,
						  .hi = 1.356},
					 second = {.verdict = STAGE_OPEN,
						   .blocks = 4,
						   .median = 1.254,
						   .lo = NAN,
						   .hi = NAN};
	struct record r;
	struct rec_metric *m;
	AUTO_FREE char *text = NULL;

	(void)state;
	fixture_run(&r);
	m = judge(add_bench(&r, "a", BENCH_UNDECIDED), METRIC_CPU, VERDICT_UNDECIDED);
	m->reason = REASON_OUT_OF_TIME;
	m->stages_cnt = 2;
	m->stage[0] = first;
	m->stage[1] = second;
	m->detectable = 1.3;
	assert_non_null(strstr(lines_of(&r, &text), "1.210 [1.113, 1.356]  slower in stage 1, not "
						    "confirmed: --max-time was over"));
	assert_non_null(strstr(text, "a change of 1.300 would have been seen with all blocks"));
	free(text);
	m->detectable = 1.043; /* and yet it was not told: that it would be seen is not true */
	assert_null(strstr(lines_of(&r, &text), "would have been seen"));
	assert_non_null(strstr(text, "\n1 undecided (slower in stage 1) in 9.3 s."));
	free(text);
	m->stages_cnt = 1; /* stage 2 had not begun yet */
	assert_non_null(
		strstr(lines_of(&r, &text), "slower in stage 1, not confirmed: --max-time"));
	free(text);
	for (size_t i = 0; i < 3; i++) {
		struct rec_bench *b = add_bench(&r, "other", i ? BENCH_UNDECIDED : BENCH_SAME);

		m = judge(b, METRIC_CPU, i ? VERDICT_UNDECIDED : VERDICT_SAME);
		m->reason = i ? REASON_OUT_OF_TIME : REASON_NONE;
		add_stage(m, STAGE_OPEN, 12, 1.01, .99, 1.03);
	}
	assert_non_null(strstr(lines_of(&r, &text),
			       "\n3 undecided (1 of them slower in stage 1), 1 same in 9.3 s."));
	record__done(&r);
}

static void a_changed_count_does_not_hide_the_time(void **state)
{
	struct record r;
	struct rec_bench *b;
	AUTO_FREE char *text = NULL;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_CHANGED);
	(void)judge(b, METRIC_CPU, VERDICT_SAME);
	per_iteration(&b->metric[METRIC_PAGE_FAULTS], 73, 76);
	b->metric[METRIC_PAGE_FAULTS].moved = true;
	assert_non_null(strstr(lines_of(&r, &text), "~ changed"));
	assert_non_null(strstr(text, " page_faults "));
	assert_non_null(strstr(text, " cpu "));
	record__done(&r);
}

static void an_unstable_ratio_is_a_range(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;
	struct record r;

	(void)state;
	fixture_run(&r);
	m = judge(add_bench(&r, "wanders", BENCH_REGRESSED), METRIC_CPU, VERDICT_SLOWER);
	for (int i = 0; i < 3; i++)
		add_stage(m, STAGE_SLOWER, 20, 1.1, 1.05, 1.2);
	m->unstable = true;
	m->decile_lo = 1.013;
	m->decile_hi = 1.357;
	assert_non_null(strstr(lines_of(&r, &text),
			       "cpu  1.100; 1.013 to 1.357 in 80 % of the blocks: it wanders  "
			       "limit 1.02, in most states of the machine, not all, 3 stages, 60 "
			       "blocks\n"));
	assert_null(strstr(text, "1.050")); /* an interval of the median says nothing of that */
	free(TAKE_PTR(text));
	m->decile_lo = 1.03; /* in all states then */
	assert_null(strstr(lines_of(&r, &text), "in most states"));
	record__done(&r);
}

static void all_together_have_a_line(void **state)
{
	static const struct {
		enum verdict verdict;
		const struct terminal_style *style;
		const char *line;
	} cases[] = {
		{VERDICT_SLOWER, &plain,
		 "x regressed  all 12 benchmarks together  cpu  1.0101 [1.0070, 1.0120]  limit "
		 "1.005, "
		 "a shift of all by 1.0061 would have been seen\n"},
		{VERDICT_UNDECIDED, &plain, "? undecided  all 12 benchmarks together"},
		{VERDICT_UNDECIDED, &plain, "--max-time was over before it was settled; a shift"},
		{VERDICT_SAME, &verbose, "= same       all 12 benchmarks together"},
		{VERDICT_SAME, &plain, NULL},
		{VERDICT_SLOWER, &quiet, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *text = NULL;
		struct record r;

		fixture_run(&r);
		(void)judge(add_bench(&r, "a", BENCH_SAME), METRIC_CPU, VERDICT_SAME);
		r.across = (struct rec_across){
			.judged = true,
			.benches = 12,
			.limit = 1.005,
			.stages_cnt = 1,
			.stage = {{.blocks = 30, .median = 1.0101, .lo = 1.007, .hi = 1.012}},
			.verdict = cases[i].verdict,
			.reason = REASON_OUT_OF_TIME,
			.detectable = 1.0061};
		text = written(terminal_report, &r, cases[i].style);
		if (cases[i].line)
			assert_non_null(strstr(text, cases[i].line));
		else
			assert_null(strstr(text, "together"));
		record__done(&r);
	}
}

/* Nobody has to ask with -v why, and more blocks would not help. */
static void what_could_not_be_measured_says_why(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_UNDECIDED);
	b->reason = REASON_NOT_MEASURED;
	b->metric[METRIC_INSTRUCTIONS].missing = REASON_NO_PMU;
	b->metric[METRIC_CPU].judged = true;
	b->metric[METRIC_CPU].missing = REASON_UNDECLARED_THREADS;
	assert_non_null(strstr(lines_of(&r, &text),
			       "no judged metric could be measured; cpu: the work ran in child "
			       "processes, or in threads that it does not declare\n"));
	assert_non_null(strstr(text, "Next: Declare threads with JOUST_BENCH_THREADS"));
	free(TAKE_PTR(text));
	b->metric[METRIC_CPU].judged = false;
	assert_non_null(strstr(lines_of(&r, &text), "no judged metric could be measured\n"));
	assert_non_null(strstr(text, "Next: Run with -v"));
	record__done(&r);
}

/* Verdicts by another rule than ours are called so, above and on their own lines. */
static void the_other_rule_is_named(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	r.judging.rule = RULE_DUEL;
	b = add_bench(&r, "a", BENCH_SAME);
	(void)judge(b, METRIC_CPU, VERDICT_SAME);
	b->duel = (struct duel_chain){.result = DUEL_CLEARED, .measurements = 2, .counted = 2};
	text = written(terminal_report, &r, &plain);
	assert_non_null(strstr(text, "Judged by the rule of duel (--rule duel)"));
	assert_non_null(strstr(text, "; cleared by the rule of duel\n"));
	record__done(&r);
}

static void one_link_layout_is_said_of_a_regression_in_time(void **state)
{
	static const struct {
		enum metric_id id;
		size_t layouts;
		enum one_layout one;
		const char *why, *said;
	} cases[] = {{METRIC_CPU, 1, ONE_LAYOUT_OTHER, NULL,
		      "one link layout: it may be where the code lies; other"},
		     {METRIC_CPU, 1, ONE_LAYOUT_OTHER, "x\n",
		      "one link layout, because x\\n: it may be where the code lies\n"},
		     {METRIC_CPU, 1, ONE_LAYOUT_FOREIGN, "y", NULL},
		     {METRIC_CPU, 1, ONE_LAYOUT_SCRIPT, "y", NULL},
		     {METRIC_CPU, 4, ONE_LAYOUT_OTHER, NULL, NULL},
		     {METRIC_INSTRUCTIONS, 1, ONE_LAYOUT_OTHER, NULL, NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *text = NULL;
		struct rec_metric *m;
		struct record r;

		fixture_run(&r);
		m = judge(add_bench(&r, "a", BENCH_REGRESSED), cases[i].id, VERDICT_SLOWER);
		add_stage(m, STAGE_SLOWER, 12, 1.1, 1.05, 1.2);
		m->layouts = cases[i].layouts;
		r.benches[0].one_layout = cases[i].one;
		r.benches[0].layouts_why = cases[i].why ? copy(cases[i].why) : NULL;
		lines_of(&r, &text);
		assert_int_equal(!!strstr(text, "one link layout"), !!cases[i].said);
		if (cases[i].said)
			assert_non_null(strstr(text, cases[i].said));
		record__done(&r);
	}
}

static void a_sized_regression_says_where(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_REGRESSED);
	add_stage(judge(b, METRIC_CPU, VERDICT_SLOWER), STAGE_SLOWER, 24, 1.01, 1, 1.02);
	b->sizes_cnt = 2;
	b->sizes[0] = 100;
	b->sizes[1] = 200;
	b->endpoint[0] = (struct rec_endpoint){.lo = 9, .margin = NAN};
	b->endpoint[1] = (struct rec_endpoint){.lo = .01, .margin = log(1.02)};
	b->endpoint[2] = (struct rec_endpoint){.estimate = .1, .lo = .05, .margin = log2(1.02)};
	b->endpoint[3] =
		(struct rec_endpoint){.estimate = log(2.7), .lo = log(2.6), .margin = log(2.5)};
	text = written(terminal_report, &r, &plain);
	assert_null(strstr(text, "at size"));
	assert_non_null(strstr(text, "to the power of 0.100 more, limit 0.029 more\n"));
	assert_non_null(strstr(text, "from size 100 to 200: 2.700 a doubling, limit 2.5\n"));
	record__done(&r);
}

/* Only the largest size is judged; that another one moved is not kept back. */
static void a_size_that_nobody_judges_is_shown(void **state)
{
	static const char *const why =
		"not judged: only the largest size, the scaling exponent and the growths are\n";
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;
	char *line;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_SAME);
	add_stage(judge(b, METRIC_CPU, VERDICT_SAME), STAGE_SAME, 24, .844, .79, .9);
	b->metric[METRIC_CPU].limit = 1.02;
	b->sizes_cnt = 4;
	for (size_t i = 0; i < 4; i++)
		b->sizes[i] = 1000 * (double)(1 << i);
	for (size_t i = 0; i < 8; i++)
		b->endpoint[i] = (struct rec_endpoint){.lo = -.05, .hi = .05, .margin = NAN};
	b->endpoint[0] = (struct rec_endpoint){
		.estimate = log(1.308), .lo = log(1.218), .hi = log(1.404), .margin = NAN};
	b->endpoint[2] = (struct rec_endpoint){
		.estimate = log(.9), .lo = log(.85), .hi = log(.97), .margin = NAN};
	b->endpoint[3] = (struct rec_endpoint){.estimate = log(.844),
					       .lo = log(.844) - .06,
					       .hi = log(.844) + .06,
					       .upper = log(.844) + .04,
					       .margin = log(1.02)};
	b->endpoint[4] = (struct rec_endpoint){
		.estimate = -.154, .lo = -.17, .hi = -.14, .upper = -.142, .margin = log2(1.02)};
	line = strstr(lines_of(&r, &text), "size 1000  1.308 [1.218, 1.404]  ");
	assert_non_null(line);
	line = strstr(line, why);
	assert_non_null(line);
	assert_non_null(strstr(line, "size 4000  0.900 [0.850, 0.970]  not judged\n"));
	assert_null(strstr(text, "size 2000"));
	assert_non_null(strstr(text,
			       "at size 8000, where 1.105 would have been seen; scaling "
			       "exponent -0.154 against the baseline's, at most -0.142, limit "
			       "+0.029\n"));
	free(TAKE_PTR(text));
	text = written(terminal_report, &r, &verbose);
	assert_non_null(strstr(text, "size 2000  1.000 [0.951, 1.051]  not judged\n"));
	assert_non_null(strstr(text, "size 8000  0.844 [0.795, 0.896]  limit 1.02\n"));
	assert_non_null(strstr(text, "scaling exponent -0.154 [-0.170, -0.140]  limit +0.029\n"));
	assert_non_null(strstr(text, "from size 1000 to 2000  1.000 [0.951, 1.051] a doubling  "
				     "not judged\n"));
	free(TAKE_PTR(text));
	b->metric[METRIC_CPU].stage[0].lo = NAN; /* cut short: no endpoints are known */
	text = written(terminal_report, &r, &verbose);
	assert_null(strstr(text, "size 1000"));
	record__done(&r);
}

/* 98 % of an interval at every look, 95 % of a boundary: the second may have settled it. */
static void same_beside_its_interval_says_why(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;
	struct record r;

	(void)state;
	fixture_run(&r);
	m = judge(add_bench(&r, "a", BENCH_SAME), METRIC_CPU, VERDICT_SAME);
	m->detectable = 1.027;
	add_stage(m, STAGE_SAME, 12, .998, .965, 1.211);
	assert_non_null(strstr(lines_of(&r, &text),
			       "0.998 [0.965, 1.211]  enough blocks lie below 1.02 for this, too "
			       "few for a narrower interval; 1.027 would have been seen\n"));
	free(text);
	m->stage[0].hi = 1.02;
	assert_null(strstr(lines_of(&r, &text), "enough blocks"));
	record__done(&r);
}

/* The figure of the line is far below its limit: what is near is another one. */
static void a_sized_doubt_says_of_what(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_UNDECIDED);
	m = judge(b, METRIC_CPU, VERDICT_UNDECIDED);
	add_stage(m, STAGE_UNDECIDED, 24, .844, .719, .99);
	m->reason = REASON_NEAR_LIMIT;
	b->sizes_cnt = 2;
	b->sizes[0] = 100;
	b->sizes[1] = 200;
	b->endpoint[0] = (struct rec_endpoint){.upper = 9, .margin = NAN};
	b->endpoint[1] = (struct rec_endpoint){.upper = -.01, .hi = 1, .margin = log(1.02)};
	b->endpoint[2] = (struct rec_endpoint){
		.estimate = .02, .lo = -.05, .upper = .06, .margin = log2(1.02)};
	b->endpoint[3] = (struct rec_endpoint){.upper = .1, .margin = log(2.5)};
	assert_non_null(strstr(lines_of(&r, &text),
			       "cpu  0.844 [0.719, 0.990]  too near the limit: scaling exponent "
			       "+0.020 [-0.050, +0.060], limit +0.029\n"));
	assert_non_null(strstr(text, "Next: Measure on a quieter host"));
	assert_null(strstr(text, "--max-blocks"));
	free(text);
	m->reason = REASON_SUSPECTED;
	b->endpoint[3].upper = 1;
	assert_non_null(strstr(lines_of(&r, &text),
			       "+0.029; from size 100 to 200  1.000 [1.000, 2.718] a doubling, "
			       "limit 2.5\n"));
	assert_null(strstr(text, "--max-blocks"));
	free(text);
	b->sizes_cnt = 0;
	assert_non_null(strstr(lines_of(&r, &text), "--max-blocks"));
	free(text);
	r.judging.rule = RULE_DUEL; /* its looks are fixed */
	assert_null(strstr(lines_of(&r, &text), "--max-blocks"));
	record__done(&r);
}

/* `joust run` has one version, and a difference is of both. */
static void an_error_has_a_side_where_there_are_two(void **state)
{
	AUTO_FREE char *text = NULL;
	struct record r;

	(void)state;
	fixture_run(&r);
	rec_bench__fail(add_bench(&r, "a", BENCH_OPEN), REASON_SIGNAL, SIDE_CNT, "SIGSEGV");
	rec_bench__fail(add_bench(&r, "b", BENCH_OPEN), REASON_DIGEST_DIFFERS, SIDE_CNT, NULL);
	r.version[SIDE_CANDIDATE].built = true;
	free(r.version[SIDE_CANDIDATE].path);
	r.version[SIDE_CANDIDATE].path = copy("/a b/tree");
	lines_of(&r, &text);
	assert_non_null(strstr(text, "a  both sides: the program died"));
	assert_non_null(strstr(text, "b  the two versions computed different results\n"));
	assert_non_null(strstr(text, "in a debugger. Its build is in '/a b/tree'\n"));
	free(text);
	free(r.verb);
	r.verb = copy("run");
	text = written(terminal_measured, &r, &plain);
	assert_non_null(strstr(text, "a  the program died by a signal: SIGSEGV\n"));
	record__done(&r);
}

static void an_accepted_regression_says_by_what(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_REGRESSED);
	add_stage(judge(b, METRIC_CPU, VERDICT_SLOWER), STAGE_SLOWER, 12, 1.1, 1.05, 1.2);
	b->accepted = copy("checks\033[31m more");
	b->accepted_by = copy("3f9c2a1d5e8b7c6a4f3e2d1c0b9a8f7e6d5c4b3a");
	text = written(terminal_report, &r, &quiet);
	assert_non_null(strstr(text, "accepted by commit 3f9c2a1d5e8b: checks\\x1b[31m more\n"));
	free(text);
	text = written(terminal_report, &r, &plain);
	assert_non_null(strstr(text, "  & accepted   a  "));
	assert_non_null(strstr(text, "\n1 accepted in "));
	assert_null(strstr(text, "regressed"));
	assert_null(strstr(text, "Next:"));
	record__done(&r);
}

static void worst_first(void **state)
{
	static const char *const expected[] = {
		"cli: crash",  "parse: worse",	 "parse: large", "write: pretty", "cli: small file",
		"cli: faults", "write: compact", "needs data",	 "fresh",	  "gone"};
	struct record r;
	AUTO_FREE char *text = NULL;
	const char *at;

	(void)state;
	fixture_full(&r);
	at = text = written(terminal_report, &r, &quiet);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		at = strstr(at, expected[i]);
		assert_non_null(at);
	}
	record__done(&r);
}

static void small_limit_gets_more_decimals(void **state)
{
	struct record r;
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;

	(void)state;
	fixture_run(&r);
	m = judge(add_bench(&r, "a", BENCH_SAME), METRIC_INSTRUCTIONS, VERDICT_SAME);
	m->limit = 1.0002;
	m->detectable = 1.00025;
	add_stage(m, STAGE_SAME, 12, 1.00001, 0.99998, 1.00004);
	text = written(terminal_report, &r, &quiet);
	assert_non_null(strstr(text, "1.00001 [0.99998, 1.00004]  1.00025 would have been seen"));
	record__done(&r);
}

/* What the name matches: itself. What a shell makes of it: one argument. */
static void next_line_is_inert(void **state)
{
	struct record r;
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;

	(void)state;
	fixture_run(&r);
	m = judge(add_bench(&r, "it's $(x) a+b", BENCH_REGRESSED), METRIC_CPU, VERDICT_SLOWER);
	add_stage(m, STAGE_SLOWER, 12, 1.5, 1.4, 1.6);
	text = written(terminal_report, &r, &plain);
	assert_non_null(strstr(text,
			       "Next: see what the candidate does more; the same command "
			       "again tells whether it helped; or accept it by a trailer of the "
			       "commit message: Joust-Accept: it's $(x) a+b: REASON\n"
			       "Record: "));
	free(text);
	(void)judge(add_bench(&r, "other", BENCH_SAME), METRIC_CPU, VERDICT_SAME);
	text = written(terminal_report, &r, &plain);
	assert_non_null(strstr(text, "Next: measure it alone: the same command with --filter "
				     "'^it'\\''s \\$\\(x\\) a\\+b$'; or accept it by a trailer of "
				     "the commit message: Joust-Accept: it's $(x) a+b: REASON\n"
				     "Record: "));
	record__done(&r);
}

/* Of several errors it is told whose remedy that is. */
static void next_line_names_the_benchmark(void **state)
{
	AUTO_FREE char *text = NULL;
	struct record r;

	(void)state;
	fixture_run(&r);
	rec_bench__fail(add_bench(&r, "a", BENCH_OPEN), REASON_SIGNAL, SIDE_CNT, "SIGSEGV");
	assert_non_null(strstr(lines_of(&r, &text), "Next: Run the benchmark by hand"));
	free(TAKE_PTR(text));
	rec_bench__fail(add_bench(&r, "b", BENCH_OPEN), REASON_TIMEOUT, SIDE_CNT, NULL);
	assert_non_null(strstr(lines_of(&r, &text), "Next: \"a\": Run the benchmark by hand"));
	record__done(&r);
}

/* To measure it alone would bring its stages nearer still, and a directory has no commit message. */
static void advice_fits_what_was_measured(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	(void)judge(add_bench(&r, "other", BENCH_SAME), METRIC_CPU, VERDICT_SAME);
	b = add_bench(&r, "a", BENCH_REGRESSED);
	add_stage(judge(b, METRIC_CPU, VERDICT_SLOWER), STAGE_SLOWER, 12, 1.5, 1.4, 1.6);
	add_block(b, 1, 100, 0)->at_ns = 0;
	add_block(b, 1, 100, 0)->at_ns = 9e9;
	assert_non_null(strstr(lines_of(&r, &text), "Joust-Accept: a: REASON\n"));
	assert_non_null(strstr(text, "Next: \"a\": see what the candidate does more"));
	free(text);
	r.bisect = true; /* which asks for no trailer */
	assert_null(strstr(lines_of(&r, &text), "Joust-Accept"));
	r.bisect = false;
	free(text);
	r.version[SIDE_CANDIDATE].kind = VERSION_DIR;
	assert_null(strstr(lines_of(&r, &text), "Joust-Accept"));
	assert_null(strstr(text, "--filter"));
	free(text);
	b->blocks[1].at_ns = 11e9;
	assert_non_null(
		strstr(lines_of(&r, &text), "alone: the same command with --filter '^a$'\n"));
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_ratio_without_interval),
		cmocka_unit_test(same_and_undecided_say_what_would_have_been_seen),
		cmocka_unit_test(what_time_cut_short_is_suspected),
		cmocka_unit_test(a_changed_count_does_not_hide_the_time),
		cmocka_unit_test(an_unstable_ratio_is_a_range),
		cmocka_unit_test(what_could_not_be_measured_says_why),
		cmocka_unit_test(all_together_have_a_line),
		cmocka_unit_test(the_other_rule_is_named),
		cmocka_unit_test(one_link_layout_is_said_of_a_regression_in_time),
		cmocka_unit_test(a_sized_regression_says_where),
		cmocka_unit_test(a_size_that_nobody_judges_is_shown),
		cmocka_unit_test(same_beside_its_interval_says_why),
		cmocka_unit_test(a_sized_doubt_says_of_what),
		cmocka_unit_test(an_error_has_a_side_where_there_are_two),
		cmocka_unit_test(an_accepted_regression_says_by_what),
		cmocka_unit_test(worst_first),
		cmocka_unit_test(small_limit_gets_more_decimals),
		cmocka_unit_test(next_line_is_inert),
		cmocka_unit_test(next_line_names_the_benchmark),
		cmocka_unit_test(advice_fits_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
