/* SPDX-License-Identifier: BSD-2-Clause */
/* Peak memory, and counts where other metrics go on. Records made by hand. */
#include "test_judge_fixture.h"

static const struct rec_metric *peak(const struct bench_rig *rig)
{
	return &rig->b->metric[METRIC_PEAK_MEMORY];
}

static void peak_init(struct bench_rig *rig)
{
	bench_init(rig);
	rig->b->metric[METRIC_PEAK_MEMORY].judged = true; /* peak = yes */
}

/* Stages of these peaks until all is settled; the first block's are `first` on both sides. */
static void fill_peaks(struct bench_rig *rig, double base, const double *cand, double first)
{
	for (unsigned stage = 1; stage <= 3; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			struct rec_block *blk = add_block(rig->b, stage, slot, 1);

			if (slot)
				set_peaks(blk, base + slot % 3, cand[stage - 1] + slot % 5);
			else
				set_peaks(blk, first, first);
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static void a_peak_is_worse_by_both_limits_in_every_stage(void **state)
{
	static const double MB = 1e6;
	static const struct {
		double base, cand[3];
		enum verdict verdict;
		enum bench_verdict bench;
		size_t stages;
	} cases[] = {
		{20 * MB, {25 * MB, 25 * MB, 25 * MB}, VERDICT_SLOWER, BENCH_REGRESSED, 3},
		/* more than 10 % and less than 1 MB, and the other way round */
		{5 * MB, {5.9 * MB}, VERDICT_SAME, BENCH_SAME, 1},
		{50 * MB, {54 * MB}, VERDICT_SAME, BENCH_SAME, 1},
		{20 * MB, {25 * MB, 25 * MB, 20 * MB}, VERDICT_SAME, BENCH_SAME, 3},
		{20 * MB, {25 * MB, 21 * MB}, VERDICT_SAME, BENCH_SAME, 2},
		{25 * MB, {20 * MB}, VERDICT_FASTER, BENCH_CHANGED, 1},
		/* exactly 10 %: not by more than that */
		{20 * MB, {22 * MB}, VERDICT_SAME, BENCH_SAME, 1},
		/* the work needed nothing on either side, or on one */
		{0, {0}, VERDICT_SAME, BENCH_SAME, 1},
		{0, {2 * MB, 2 * MB, 2 * MB}, VERDICT_SLOWER, BENCH_REGRESSED, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		peak_init(&rig);
		bench_plan(&rig);
		/* the first workers' peak is smaller than any and must not count */
		fill_peaks(&rig, cases[i].base, cases[i].cand, -1);
		assert_int_equal(peak(&rig)->verdict, cases[i].verdict);
		assert_int_equal(peak(&rig)->stages_cnt, cases[i].stages);
		assert_int_equal(rig.b->verdict, cases[i].bench);
		assert_true(peak(&rig)->per_iteration[SIDE_BASELINE] == cases[i].base);
		bench_done(&rig);
	}
}

static void the_limits_of_a_peak_are_the_users(void **state)
{
	static const double cand[3] = {25e6, 25e6, 25e6};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct bench_rig rig;

		peak_init(&rig);
		if (i == 1)
			rig.p.limit[METRIC_PEAK_MEMORY] = 1.3;
		if (i == 2)
			rig.p.peak_least = 6e6;
		bench_plan(&rig);
		fill_peaks(&rig, 20e6, cand, 20e6);
		assert_int_equal(peak(&rig)->verdict, i ? VERDICT_SAME : VERDICT_SLOWER);
		bench_done(&rig);
	}
}

static void a_peak_that_was_not_measured_is_undecided(void **state)
{
	static const double cand[3] = {NAN, NAN, NAN};
	struct bench_rig rig;

	(void)state;
	peak_init(&rig);
	bench_plan(&rig);
	fill_peaks(&rig, 20e6, cand, 20e6);
	assert_int_equal(peak(&rig)->verdict, VERDICT_UNDECIDED);
	assert_int_equal(peak(&rig)->reason, REASON_NOT_MEASURED);
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	bench_done(&rig);
}

/* Where addresses are random, one page fault more or less of the smallest is chance. */
static void a_count_has_moved_where_the_sides_have_none_in_common(void **state)
{
	static const struct {
		double base[2], cand[2]; /* smallest and largest of a side */
		enum bench_verdict verdict;
	} cases[] = {
		{{73, 76}, {74, 76}, BENCH_SAME},    {{73, 76}, {73, 79}, BENCH_SAME},
		{{73, 76}, {72, 78}, BENCH_SAME},    {{73, 76}, {74, 77}, BENCH_SAME},
		{{73, 76}, {70, 75}, BENCH_SAME},    {{73, 73}, {73, 73}, BENCH_SAME},
		{{73, 76}, {76, 80}, BENCH_SAME},    {{73, 76}, {77, 80}, BENCH_CHANGED},
		{{73, 76}, {70, 72}, BENCH_CHANGED}, {{73, 73}, {74, 74}, BENCH_CHANGED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		peak_init(&rig);
		bench_plan(&rig);
		for (unsigned slot = 0; slot < 12; slot++) {
			struct rec_block *blk = add_block(rig.b, 1, slot, 1);

			set_peaks(blk, 20e6, 20e6);
			blk->pairs[0].half[SIDE_BASELINE].value[METRIC_PAGE_FAULTS] =
				cases[i].base[slot % 2];
			blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_PAGE_FAULTS] =
				cases[i].cand[slot % 2];
			assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		}
		assert_int_equal(rig.b->verdict, cases[i].verdict);
		bench_done(&rig);
	}
}

/* What a settled benchmark measures for others' sake is not looked at. */
static void blocks_after_the_end_change_nothing(void **state)
{
	struct rec_metric count, fault;
	struct bench_rig rig;

	(void)state;
	peak_init(&rig);
	rig.p.judge[METRIC_PAGE_FAULTS] = true;
	bench_plan(&rig);
	for (unsigned slot = 0; slot < 12 + 9; slot++) {
		struct rec_block *blk = add_block(rig.b, 1, slot, 1);
		bool late = slot >= 12;

		set_peaks(blk, 20e6, late ? 1e6 : 20e6);
		for (size_t side = 0; side < SIDE_CNT; side++) {
			double *value = blk->pairs[0].half[side].value;

			value[METRIC_PAGE_FAULTS] = value[METRIC_VOLUNTARY_SWITCHES] =
				late && side ? 1 : 5;
		}
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		if (slot == 11) {
			assert_int_equal(rig.b->verdict, BENCH_SAME);
			count = rig.b->metric[METRIC_VOLUNTARY_SWITCHES];
			fault = rig.b->metric[METRIC_PAGE_FAULTS];
		}
	}
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	assert_int_equal(peak(&rig)->verdict, VERDICT_SAME);
	assert_memory_equal(&rig.b->metric[METRIC_VOLUNTARY_SWITCHES], &count, sizeof(count));
	assert_memory_equal(&rig.b->metric[METRIC_PAGE_FAULTS], &fault, sizeof(fault));
	/* in a later stage, in which nothing of it is judged */
	set_peaks(add_block(rig.b, 2, 0, 9), 1, 9e9);
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	assert_memory_equal(&rig.b->metric[METRIC_VOLUNTARY_SWITCHES], &count, sizeof(count));
	bench_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_peak_is_worse_by_both_limits_in_every_stage),
		cmocka_unit_test(the_limits_of_a_peak_are_the_users),
		cmocka_unit_test(a_peak_that_was_not_measured_is_undecided),
		cmocka_unit_test(a_count_has_moved_where_the_sides_have_none_in_common),
		cmocka_unit_test(blocks_after_the_end_change_nothing),
	};

	return cmocka_run_group_tests_name("judge exact", tests, NULL, NULL);
}
