/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_judge_fixture.h"

static void the_default_is_sixty_and_twice_that(void **state)
{
	const struct stage_plan *sp;
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	assert_int_equal(rig.b->blocks_max[0], 60);
	assert_int_equal(rig.b->blocks_max[1], 120);
	assert_int_equal(rig.b->blocks_max[2], 120);
	assert_int_equal(rig.b->blocks_min, 12);
	assert_int_equal(policy_plan(&rig.p, 60, &sp), 0);
	assert_int_equal(sp->n_min, 12);
	assert_true(fabs(sp->detect_sigmas - .56) < .005);
	bench_done(&rig);
}

static void plans_are_made_once(void **state)
{
	const struct stage_plan *first, *again, *other;
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	assert_int_equal(policy_plan(&rig.p, 20, &first), 0);
	for (size_t n = 30; n < 60; n++)
		assert_int_equal(policy_plan(&rig.p, n, &other), 0);
	assert_int_equal(policy_plan(&rig.p, 20, &again), 0);
	assert_ptr_equal(first, again);
	assert_int_equal(first->n_max, 20);
	assert_int_equal(policy_plan(&rig.p, 0, &other), -EINVAL);
	assert_int_equal(policy_plan(&rig.p, 5000, &other), -EINVAL);
	/* too few to reject: no `same` before the end, and no crash */
	assert_int_equal(policy_plan(&rig.p, 1, &other), 0);
	assert_int_equal(other->n_min, 1);
	bench_done(&rig);
}

static void a_flag_goes_before_the_cost_of_a_benchmark(void **state)
{
	(void)state;
	for (int flag = 0; flag < 2; flag++) {
		struct bench_rig rig;

		bench_init(&rig);
		for (size_t i = 0; i < CONFIRMED_STAGES; i++)
			rig.b->blocks_max[i] = 20;
		rig.p.blocks_max = flag ? 40 : 0;
		bench_plan(&rig);
		for (size_t i = 0; i < CONFIRMED_STAGES; i++)
			assert_int_equal(rig.b->blocks_max[i], !flag ? 20 : i ? 80 : 40);
		bench_done(&rig);
	}
}

static void min_blocks_raises_the_least_number(void **state)
{
	static const struct {
		size_t max, min;
		bool fixed;
		size_t expected_min, expected_blocks;
	} cases[] = {
		{0, 0, false, 12, 12},	 {0, 5, false, 12, 12}, {0, 30, false, 30, 30},
		{40, 40, false, 40, 40}, {25, 0, true, 25, 25},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		bench_init(&rig);
		rig.p.blocks_max = cases[i].max;
		rig.p.blocks_min = cases[i].min;
		rig.p.fixed_blocks = cases[i].fixed;
		bench_plan(&rig);
		assert_int_equal(rig.b->blocks_min, cases[i].expected_min);
		fill_stage(&rig, 1, 1);
		assert_int_equal(rig.b->blocks_cnt, cases[i].expected_blocks);
		assert_int_equal(rig.b->verdict, BENCH_SAME);
		bench_done(&rig);
	}
}

static void a_stored_minimum_is_kept(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->blocks_min = 30;
	bench_plan(&rig);
	judge_plan(rig.b, &rig.p);
	assert_int_equal(rig.b->blocks_min, 30);
	bench_done(&rig);
}

static int prepared(struct policy p)
{
	int err = policy__prepare(&p);

	policy__done(&p);
	return err;
}

static void numbers_outside_their_range_are_refused(void **state)
{
	static const double alphas[] = {0, -1, .5, 2, NAN};
	static const size_t blocks[] = {1, 8, 2048, SIZE_MAX};
	struct policy def, p;

	(void)state;
	policy__init(&def);
	assert_int_equal(prepared(def), 0);
	for (size_t i = 0; i < 5; i++) {
		p = def;
		p.alpha = alphas[i];
		assert_int_equal(prepared(p), -EINVAL);
	}
	for (size_t i = 0; i < 4; i++) {
		p = def;
		p.blocks_max = blocks[i];
		assert_int_equal(prepared(p), -EINVAL);
	}
	p = def;
	p.blocks_min = 61;
	assert_int_equal(prepared(p), -EINVAL);
	p = def;
	p.blocks_max = 9;
	assert_int_equal(prepared(p), 0);
	p.alpha = 1e-6; /* nine blocks can never reject at that level */
	assert_int_equal(prepared(p), -EINVAL);
	p.blocks_max = 60;
	assert_int_equal(prepared(p), 0);
}

static void limits_are_checked_by_their_kind(void **state)
{
	struct policy def, p;

	(void)state;
	policy__init(&def);
	p = def;
	p.limit[METRIC_CPU] = .99;
	assert_int_equal(prepared(p), -EINVAL);
	p.limit[METRIC_CPU] = INFINITY;
	assert_int_equal(prepared(p), -EINVAL);
	p.limit[METRIC_CPU] = 1; /* aa judges at 1 */
	p.limit[METRIC_PAGE_FAULTS] = 0;
	assert_int_equal(prepared(p), 0);
	p.limit[METRIC_PAGE_FAULTS] = -.5;
	assert_int_equal(prepared(p), -EINVAL);
}

static void limits_go_flag_benchmark_table(void **state)
{
	static const struct {
		double flag, own, flag_total, own_total, cpu, total;
	} cases[] = {
		{NAN, NAN, NAN, NAN, 1.02, 1.02},    {NAN, 1.05, NAN, NAN, 1.05, 1.05},
		{1.01, 1.05, NAN, 1.02, 1.01, 1.01}, {1.01, NAN, 1.1, NAN, 1.01, 1.1},
		{NAN, 1.01, NAN, 1.3, 1.01, 1.3},    {1.01, 1.05, 1.2, 1.3, 1.01, 1.2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		bench_init(&rig);
		rig.p.limit[METRIC_CPU] = cases[i].flag;
		rig.p.limit[METRIC_CPU_TOTAL] = cases[i].flag_total;
		rig.b->metric[METRIC_CPU].limit = cases[i].own;
		rig.b->metric[METRIC_CPU_TOTAL].limit = cases[i].own_total;
		bench_plan(&rig);
		judge_plan(rig.b, &rig.p); /* twice is as once */
		assert_true(rig.b->metric[METRIC_CPU].limit == cases[i].cpu);
		assert_true(rig.b->metric[METRIC_CPU_TOTAL].limit == cases[i].total);
		assert_true(rig.b->metric[METRIC_PAGE_FAULTS].limit == .5);
		bench_done(&rig);
	}
}

static void what_is_judged(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	assert_true(rig.b->metric[METRIC_CPU].judged);
	assert_false(rig.b->metric[METRIC_CPU_TOTAL].judged); /* missing */
	assert_false(rig.b->metric[METRIC_INSTRUCTIONS].judged);
	assert_false(rig.b->metric[METRIC_WALL].judged);
	assert_false(rig.b->metric[METRIC_PAGE_FAULTS].judged);
	rig.b->threads = 2;
	rig.b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	rig.b->metric[METRIC_CYCLES].judged = true; /* `judge =` of the benchmark */
	rig.b->metric[METRIC_INVOLUNTARY_SWITCHES].judged = true;
	rig.p.judge[METRIC_PAGE_FAULTS] = true;
	rig.p.judge[METRIC_INSTRUCTIONS] = true;
	rig.p.judge[METRIC_INVOLUNTARY_SWITCHES] = true;
	judge_plan(rig.b, &rig.p);
	assert_true(rig.b->metric[METRIC_CPU_TOTAL].judged);
	assert_true(rig.b->metric[METRIC_WALL].judged);
	assert_true(rig.b->metric[METRIC_CYCLES].judged);
	assert_true(rig.b->metric[METRIC_PAGE_FAULTS].judged);
	assert_false(rig.b->metric[METRIC_INSTRUCTIONS].judged); /* asked for, but missing */
	assert_false(rig.b->metric[METRIC_INVOLUNTARY_SWITCHES].judged);
	bench_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_is_sixty_and_twice_that),
		cmocka_unit_test(plans_are_made_once),
		cmocka_unit_test(a_flag_goes_before_the_cost_of_a_benchmark),
		cmocka_unit_test(min_blocks_raises_the_least_number),
		cmocka_unit_test(a_stored_minimum_is_kept),
		cmocka_unit_test(numbers_outside_their_range_are_refused),
		cmocka_unit_test(limits_are_checked_by_their_kind),
		cmocka_unit_test(limits_go_flag_benchmark_table),
		cmocka_unit_test(what_is_judged),
	};

	return cmocka_run_group_tests_name("judge policy", tests, NULL, NULL);
}
