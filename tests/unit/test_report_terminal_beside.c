/* SPDX-License-Identifier: BSD-2-Clause */
/* What a report says beside a verdict. */
#include "test_report_fixture.h"

static const struct terminal_style plain = {.columns = 100};

static const char *lines_of(struct record *r, char **ret)
{
	*ret = written(terminal_report, r, &plain);
	return *ret;
}

/*
 * What `cpu` has settled stays so, but a cost that only `cpu_total` can see is not passed over in
 * silence, and the other line does not claim that it would have been seen.
 */
static void a_total_that_may_be_slower_is_shown(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *total;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_SAME);
	add_stage(judge(b, METRIC_CPU, VERDICT_SAME), STAGE_SAME, 12, 1, .998, 1.003);
	b->metric[METRIC_CPU].detectable = 1.02;
	total = judge(b, METRIC_CPU_TOTAL, VERDICT_UNDECIDED);
	add_stage(total, STAGE_UNDECIDED, 60, 1.034, 1.015, 1.061);
	total->reason = REASON_NEAR_LIMIT;
	total->detectable = 1.05;
	assert_non_null(strstr(lines_of(&r, &text), "1.020 in most slices would have been seen\n"));
	assert_non_null(strstr(text, " cpu_total  1.034 [1.015, 1.061]  undecided: too near the "
				     "limit; a cost in few iterations may be above the limit\n"));
	assert_null(strstr(text, "1.050"));
	free(text);
	total->stage[0].lo = .999; /* it may be nothing at all */
	assert_null(strstr(lines_of(&r, &text), "cpu_total"));
	assert_non_null(strstr(text, "in most slices"));
	free(text);
	total->stage[0] = (struct stage_result){.blocks = 60, .median = 1.019, .lo = 1.01, .hi = 2};
	assert_null(strstr(lines_of(&r, &text), "cpu_total"));
	free(text);
	total->stages_cnt = 2; /* it was slower in stage 1 */
	total->reason = REASON_OUT_OF_TIME;
	assert_non_null(strstr(lines_of(&r, &text),
			       "undecided: slower in stage 1, not confirmed: --max-time was over "
			       "before it was settled; a cost in few iterations"));
	free(text);
	total->verdict = VERDICT_SAME;
	assert_null(strstr(lines_of(&r, &text), "cpu_total"));
	assert_null(strstr(text, "in most slices"));
	record__done(&r);
}

/* n blocks of three pairs whose elapsed times have this ratio, give or take a thousandth. */
static void add_wall(struct rec_bench *b, size_t n, double ratio)
{
	for (size_t i = 0; i < n; i++) {
		struct rec_block *blk = add_block(b, 3, 2e6, 0);

		for (size_t pair = 0; pair < 3; pair++) {
			struct rec_half *half = blk->pairs[pair].half;

			half[SIDE_BASELINE].value[METRIC_WALL] = 20e6;
			half[SIDE_CANDIDATE].value[METRIC_WALL] =
				20e6 * (ratio + .001 * ((double)i - (double)(n - 1) / 2));
		}
	}
}

static void elapsed_time_that_moved_is_shown(void **state)
{
	static const struct {
		enum bench_verdict verdict;
		size_t blocks;
		double ratio;
		bool shown;
	} cases[] = {
		{BENCH_SAME, 9, 3, true},    {BENCH_UNDECIDED, 9, 3, true},
		{BENCH_SAME, 7, 3, false}, /* no interval */
		{BENCH_SAME, 9, 1.06, true}, {BENCH_SAME, 9, 1.052, false},
		{BENCH_SAME, 9, .3, false},  {BENCH_REGRESSED, 9, 3, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *text = NULL;
		struct rec_bench *b;
		struct record r;

		fixture_run(&r);
		b = add_bench(&r, "a", cases[i].verdict);
		add_stage(judge(b, METRIC_CPU, VERDICT_SAME), STAGE_SAME, 12, 1, .998, 1.003);
		add_wall(b, cases[i].blocks, cases[i].ratio);
		add_wall(b, 1, .01);
		b->blocks[b->blocks_cnt - 1].lost = REASON_SUSPENDED;
		add_wall(b, 20, 1);
		for (size_t k = 1; k <= 20; k++)
			b->blocks[b->blocks_cnt - k].stage = 0;
		per_iteration(&b->metric[METRIC_WALL], 20e6, 60e6);
		assert_true(!!strstr(lines_of(&r, &text), " wall  ") == cases[i].shown);
		if (i == 0)
			assert_non_null(strstr(text,
					       " wall  3.000 [2.996, 3.004]  not judged: --judge "
					       "wall; 20.00 ms -> 60.00 ms an iteration\n"));
		free(TAKE_PTR(text));
		b->sizes_cnt = 1; /* a block of several sizes has no value an iteration */
		assert_null(strstr(lines_of(&r, &text), " wall  "));
		record__done(&r);
	}
}

/* n blocks whose CPU times have this ratio too. */
static void add_both(struct rec_bench *b, size_t n, double cpu, double wall)
{
	add_wall(b, n, wall);
	for (size_t i = b->blocks_cnt - n; i < b->blocks_cnt; i++)
		for (size_t pair = 0; pair < 3; pair++)
			b->blocks[i].pairs[pair].half[SIDE_CANDIDATE].value[METRIC_CPU] *= cpu;
}

/* A benchmark of n blocks that ran out of time in stage 1: slower by 1.1, by either clock. */
static struct rec_bench *add_cut_short(struct record *r, size_t n)
{
	struct rec_bench *b = add_bench(r, "a", BENCH_UNDECIDED);
	struct rec_metric *m = judge(b, METRIC_CPU, VERDICT_UNDECIDED);

	m->reason = REASON_OUT_OF_TIME;
	add_stage(m, STAGE_OPEN, n, 1.1, NAN, NAN);
	add_both(b, n, 1.1, 1.1);
	return b;
}

/* Elapsed time had a figure there, and what is judged had none. */
static void what_time_ended_has_its_figure_so_far(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *m;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_cut_short(&r, 9);
	m = &b->metric[METRIC_CPU];
	assert_non_null(strstr(lines_of(&r, &text),
			       " cpu  1.100 [1.100, 1.100] so far  --max-time was over"));
	assert_null(strstr(text, " wall ")); /* that is what cpu says already */
	free(TAKE_PTR(text));
	m->reason = REASON_NOT_MEASURED; /* who knows why blocks have no value */
	assert_null(strstr(lines_of(&r, &text), "so far"));
	free(TAKE_PTR(text));
	m->reason = REASON_OUT_OF_TIME;
	for (size_t i = 0; i < b->blocks_cnt; i++) /* it waits as well */
		for (size_t pair = 0; pair < 3; pair++)
			b->blocks[i].pairs[pair].half[SIDE_CANDIDATE].value[METRIC_WALL] *= 2;
	assert_non_null(strstr(lines_of(&r, &text), " wall  2.200 [2.192, 2.208]  not judged"));
	record__done(&r);
}

/* A ratio without an interval is not shown. */
static void too_few_blocks_have_no_figure(void **state)
{
	AUTO_FREE char *text = NULL;
	struct record r;

	(void)state;
	fixture_run(&r);
	add_cut_short(&r, 5)->metric[METRIC_CPU].detectable = 1.3;
	assert_non_null(strstr(lines_of(&r, &text), " cpu  no interval yet  --max-time was over"));
	assert_null(strstr(text, "1.100"));
	record__done(&r);
}

static void what_was_asked_for_is_shown(void **state)
{
	AUTO_FREE char *text = NULL;
	struct rec_metric *wall;
	struct rec_bench *b;
	struct record r;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_UNDECIDED);
	judge(b, METRIC_CPU, VERDICT_UNDECIDED)->reason = REASON_OUT_OF_TIME;
	wall = judge(b, METRIC_WALL, VERDICT_UNDECIDED);
	wall->reason = REASON_OUT_OF_TIME;
	add_stage(wall, STAGE_SLOWER, 12, 2.9, 2.7, 3.1);
	add_stage(wall, STAGE_OPEN, 3, 2.9, NAN, NAN);
	assert_non_null(strstr(lines_of(&r, &text),
			       " wall  2.900 [2.700, 3.100]  undecided: slower "
			       "in stage 1, not confirmed: --max-time was"));
	free(text);
	b->threads = 2; /* nobody had to ask */
	assert_null(strstr(lines_of(&r, &text), " wall  "));
	free(text);
	(void)judge(b, METRIC_PAGE_FAULTS, VERDICT_SAME);
	assert_non_null(strstr(lines_of(&r, &text), "same: more than +0.5 an iteration would"));
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_total_that_may_be_slower_is_shown),
		cmocka_unit_test(elapsed_time_that_moved_is_shown),
		cmocka_unit_test(what_time_ended_has_its_figure_so_far),
		cmocka_unit_test(too_few_blocks_have_no_figure),
		cmocka_unit_test(what_was_asked_for_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
