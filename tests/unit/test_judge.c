/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_judge_fixture.h"

static const struct rec_metric *cpu(const struct bench_rig *rig)
{
	return &rig->b->metric[METRIC_CPU];
}

static void set_pair(struct rec_block *blk, size_t i, double base, double cand)
{
	blk->pairs[i].half[SIDE_BASELINE].value[METRIC_CPU] = base;
	blk->pairs[i].half[SIDE_CANDIDATE].value[METRIC_CPU] = cand;
}

static void a_block_is_the_median_of_its_pairs(void **state)
{
	struct rec_block blk = {.pairs_cnt = 3};

	(void)state;
	assert_int_equal(rec_block__reserve(&blk, 4), 0);
	blk.pairs_cnt = 3;
	set_pair(&blk, 0, 10, 20);
	set_pair(&blk, 1, 10, 11);
	set_pair(&blk, 2, 10, 5);
	set_pair(&blk, 3, 10, 90);
	assert_true(judge_block_ratio(&blk, METRIC_CPU) == 1.1);
	blk.pairs_cnt = 4; /* even: the last is dropped */
	assert_true(judge_block_ratio(&blk, METRIC_CPU) == 1.1);
	blk.pairs_cnt = 2;
	assert_true(judge_block_ratio(&blk, METRIC_CPU) == 2);
	assert_true(isnan(judge_block_ratio(&blk, METRIC_WALL)));
	free(blk.pairs);
}

/* A cost that one of three windows has is in the sum and not in the median; either way it inverts. */
static void a_total_is_the_ratio_of_the_sums(void **state)
{
	static const double values[3][SIDE_CNT] = {{10, 10}, {10, 13}, {12, 12}};
	struct rec_block blk = {0};

	(void)state;
	assert_int_equal(rec_block__reserve(&blk, 3), 0);
	blk.pairs_cnt = 3;
	for (int swapped = 0; swapped < 2; swapped++) {
		double total, cpu;

		for (size_t i = 0; i < 3; i++)
			for (size_t side = 0; side < SIDE_CNT; side++) {
				double *value = blk.pairs[i].half[side].value;

				value[METRIC_CPU] = value[METRIC_CPU_TOTAL] =
					values[i][swapped ? 1 - side : side];
			}
		total = judge_block_ratio(&blk, METRIC_CPU_TOTAL);
		cpu = judge_block_ratio(&blk, METRIC_CPU);
		assert_true(cpu == 1);
		assert_true(fabs(total - (swapped ? 32 / 35. : 35 / 32.)) < 1e-15);
	}
	free(blk.pairs);
}

static void a_block_without_a_value_has_no_ratio(void **state)
{
	static const double bad[] = {NAN, 0, -1};
	struct rec_block blk = {0};

	(void)state;
	assert_int_equal(rec_block__reserve(&blk, 1), 0);
	assert_true(isnan(judge_block_ratio(&blk, METRIC_CPU)));
	blk.pairs_cnt = 1;
	for (size_t i = 0; i < 3; i++) {
		set_pair(&blk, 0, bad[i], 1);
		assert_true(isnan(judge_block_ratio(&blk, METRIC_CPU)));
		set_pair(&blk, 0, 1, bad[i]);
		assert_true(isnan(judge_block_ratio(&blk, METRIC_CPU)));
	}
	blk.pairs_cnt = 34; /* more than any plan has */
	assert_true(isnan(judge_block_ratio(&blk, METRIC_CPU)));
	free(blk.pairs);
}

static void a_ratio_that_equals_the_limit_is_not_above_it(void **state)
{
	static const struct {
		double ratio;
		enum bench_verdict verdict;
		size_t blocks;
	} cases[] = {
		{1.02, BENCH_UNDECIDED, 60},
		{1.0200000000000002, BENCH_REGRESSED, 12 + 14 + 14},
		{1, BENCH_SAME, 12},
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		for (unsigned stage = 1; stage <= 3; stage++)
			fill_stage(&rig, stage, cases[i].ratio);
		assert_int_equal(rig.b->verdict, cases[i].verdict);
		assert_int_equal(rig.b->blocks_cnt, cases[i].blocks);
		bench_done(&rig);
	}
}

static void every_stage_starts_from_zero(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	assert_int_equal(judge_wants(rig.b), 1);
	fill_stage(&rig, 1, 1.1);
	assert_int_equal(cpu(&rig)->stage[0].verdict, STAGE_SLOWER);
	assert_int_equal(judge_wants(rig.b), 2);
	assert_int_equal(rig.b->verdict, BENCH_OPEN);
	/* what was slow in all of stage 1 is not slow here for that */
	add_block(rig.b, 2, 0, 1.1);
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(cpu(&rig)->stages_cnt, 2);
	assert_int_equal(cpu(&rig)->stage[1].blocks, 1);
	assert_int_equal(cpu(&rig)->stage[1].verdict, STAGE_OPEN);
	assert_int_equal(judge_wants(rig.b), 2);
	for (unsigned slot = 1; judge_wants(rig.b) == 2; slot++) {
		add_block(rig.b, 2, slot, 1);
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	}
	assert_int_equal(cpu(&rig)->verdict, VERDICT_SAME);
	assert_true(cpu(&rig)->not_confirmed);
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	/* shown is the last stage: the first one was selected */
	assert_true(cpu(&rig)->per_iteration[SIDE_CANDIDATE] == 100);
	assert_true(cpu(&rig)->stage[1].median == 1);
	bench_done(&rig);
}

static void lost_and_planning_blocks_do_not_count(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	for (unsigned slot = 0; slot < 11; slot++) {
		if (slot < 3) /* one more would be too many */
			add_block(rig.b, 1, slot, 9)->lost = REASON_SUSPENDED;
		add_block(rig.b, 0, slot, 9);
		add_block(rig.b, 1, slot, 1);
	}
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(rig.b->verdict, BENCH_OPEN);
	assert_int_equal(cpu(&rig)->stage[0].blocks, 11);
	assert_int_equal(cpu(&rig)->stage[0].s, 0);
	add_block(rig.b, 1, 11, 1);
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	bench_done(&rig);
}

/* Judged in slot order, wherever a block stands in the record. */
static void slots_and_not_the_array_have_the_order(void **state)
{
	struct stage_result forward = {0};

	(void)state;
	for (int backward = 0; backward < 2; backward++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		for (unsigned i = 0; i < 40; i++) {
			unsigned slot = backward ? 39 - i : i;

			add_block(rig.b, 1, slot, slot < 9 ? 1.1 : 1 - slot * .001);
		}
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		if (!backward)
			forward = cpu(&rig)->stage[0];
		assert_memory_equal(&cpu(&rig)->stage[0], &forward, sizeof(forward));
		bench_done(&rig);
	}
}

static void judging_again_changes_nothing(void **state)
{
	struct rec_metric first;
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	fill_stage(&rig, 1, 1.1);
	fill_stage(&rig, 2, 1.1);
	fill_stage(&rig, 3, 1.1);
	first = *cpu(&rig);
	assert_int_equal(first.verdict, VERDICT_SLOWER);
	assert_true(fabs(first.detectable - 1.02) < 1e-12); /* no spread */
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_memory_equal(cpu(&rig), &first, sizeof(first));
	bench_done(&rig);
}

/* 60 blocks beside the limit, above it and below in runs of so many. */
static void fill_runs(struct bench_rig *rig, unsigned odd_run, unsigned even_run)
{
	unsigned left = odd_run, run = 1;

	for (unsigned slot = 0; slot < 60; slot++) {
		add_block(rig->b, 1, slot, run % 2 ? 1.03 : 1.01);
		if (--left == 0)
			left = ++run % 2 ? odd_run : even_run;
	}
	assert_int_equal(judge_bench(rig->b, &rig->p), 0);
}

/* One pair a block has no spread within: its neighbours alone can say that a ratio wanders. */
static void blocks_like_their_neighbours_are_unstable(void **state)
{
	static const struct {
		unsigned odd_run, even_run;
		double correlation;
		bool unstable;
	} cases[] = {{1, 1, -1, false}, {2, 3, .2, false}, {3, 3, 1 / 3., true}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		fill_runs(&rig, cases[i].odd_run, cases[i].even_run);
		assert_int_equal(cpu(&rig)->verdict, VERDICT_UNDECIDED);
		assert_true(isnan(cpu(&rig)->spread_ratio));
		assert_true(fabs(cpu(&rig)->serial_correlation - cases[i].correlation) < .04);
		assert_int_equal(cpu(&rig)->unstable, cases[i].unstable);
		bench_done(&rig);
	}
}

static void a_missing_value_leaves_a_metric_undecided_at_last(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	for (unsigned slot = 0; slot < 60; slot++)
		add_block(rig.b, 1, slot, NAN);
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(judge_wants(rig.b), 0);
	assert_int_equal(cpu(&rig)->verdict, VERDICT_UNDECIDED);
	assert_int_equal(cpu(&rig)->reason, REASON_NOT_MEASURED);
	bench_done(&rig);
}

static void nothing_judged_is_undecided(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_CPU].missing = REASON_PERF_BUSY;
	bench_plan(&rig);
	assert_int_equal(judge_wants(rig.b), 0);
	assert_int_equal(judge_close(rig.b, &rig.p, REASON_OUT_OF_TIME), 0);
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.b->reason, REASON_NOT_MEASURED);
	bench_done(&rig);
}

static void closing_leaves_what_is_settled(void **state)
{
	struct bench_rig rig;

	(void)state;
	for (int settled = 0; settled < 2; settled++) {
		bench_init(&rig);
		bench_plan(&rig);
		if (settled)
			fill_stage(&rig, 1, 1);
		assert_int_equal(judge_close(rig.b, &rig.p, REASON_OUT_OF_TIME), 0);
		assert_int_equal(rig.b->verdict, settled ? BENCH_SAME : BENCH_UNDECIDED);
		assert_int_equal(cpu(&rig)->reason, settled ? REASON_NONE : REASON_OUT_OF_TIME);
		assert_int_equal(judge_wants(rig.b), 0);
		bench_done(&rig);
	}
}

static void an_error_has_no_numbers(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	bench_plan(&rig);
	fill_stage(&rig, 1, 1.1);
	rec_bench__fail(rig.b, REASON_SIGNAL, SIDE_CANDIDATE, NULL);
	assert_int_equal(judge_wants(rig.b), 0);
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(judge_close(rig.b, &rig.p, REASON_OUT_OF_TIME), 0);
	assert_int_equal(rig.b->verdict, BENCH_ERROR);
	assert_int_equal(rig.b->reason, REASON_SIGNAL);
	assert_int_equal(cpu(&rig)->verdict, VERDICT_NONE);
	assert_int_equal(cpu(&rig)->stages_cnt, 0);
	assert_true(isnan(cpu(&rig)->per_iteration[SIDE_BASELINE]));
	bench_done(&rig);
}

static void set_counts(struct rec_block *blk, double base, double cand)
{
	blk->pairs[0].half[SIDE_BASELINE].value[METRIC_PAGE_FAULTS] = base;
	blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_PAGE_FAULTS] = cand;
}

/* A count is the smallest of all windows; it must be worse in each of three stages. */
static void a_count_is_confirmed_three_times(void **state)
{
	struct bench_rig rig;

	(void)state;
	for (unsigned last = 1; last <= 3; last++) {
		bench_init(&rig);
		rig.p.judge[METRIC_PAGE_FAULTS] = true;
		bench_plan(&rig);
		for (unsigned stage = 1; stage <= 3; stage++)
			for (unsigned slot = 0; judge_wants(rig.b) == stage; slot++) {
				bool worse = stage < last || last == 3;

				set_counts(add_block(rig.b, stage, slot, 1), slot == 5 ? 1 : 9,
					   worse || slot != 7 ? 2 : 1.5);
				assert_int_equal(judge_bench(rig.b, &rig.p), 0);
			}
		assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].stages_cnt, last);
		assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].not_confirmed, last == 2);
		assert_int_equal(rig.b->verdict, last == 3 ? BENCH_REGRESSED : BENCH_SAME);
		assert_int_equal(cpu(&rig)->stages_cnt, 1);
		bench_done(&rig);
	}
}

static void a_count_waits_for_the_timed_metrics(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.p.judge[METRIC_PAGE_FAULTS] = true;
	bench_plan(&rig);
	for (unsigned slot = 0; judge_wants(rig.b) == 1; slot++) {
		/* cpu is undecided to the end; the count's smallest comes late */
		set_counts(add_block(rig.b, 1, slot, slot % 2 ? 1.1 : 1), 1, slot == 59 ? 1 : 3);
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		if (slot < 59) /* as long as cpu is open, an interrupt leaves it undecided */
			assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].stage[0].verdict,
					 STAGE_OPEN);
	}
	assert_int_equal(rig.b->blocks_cnt, 60);
	assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].verdict, VERDICT_SAME);
	bench_done(&rig);
}

/* `cpu` at 1.05; the total now above the limit of 1.02 and now below. */
static void a_total_is_followed_until_cpu_goes_on(void **state)
{
	struct bench_rig rig;
	const struct rec_metric *cpu, *total;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	bench_plan(&rig);
	cpu = &rig.b->metric[METRIC_CPU];
	total = &rig.b->metric[METRIC_CPU_TOTAL];
	for (unsigned stage, slot = 0; (stage = judge_wants(rig.b)) != 0; slot++) {
		struct rec_half *half;

		half = add_block(rig.b, stage, slot, 1.05)->pairs[0].half;
		half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 100;
		half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] = slot % 2 ? 104 : 101;
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	}
	assert_int_equal(rig.b->verdict, BENCH_REGRESSED);
	assert_int_equal(rig.b->blocks_cnt,
			 cpu->stage[0].blocks + cpu->stage[1].blocks + cpu->stage[2].blocks);
	assert_int_equal(total->verdict, VERDICT_UNDECIDED);
	assert_int_equal(total->reason, REASON_NOT_FOLLOWED);
	assert_int_equal(total->stages_cnt, 1);
	assert_int_equal(total->stage[0].blocks, cpu->stage[0].blocks);
	/* what others needed more blocks for changes nothing */
	for (unsigned slot = 50; slot < 70; slot++) {
		struct rec_half *half = add_block(rig.b, 1, slot, 1.05)->pairs[0].half;

		half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 100;
		half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] = 110;
	}
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(total->reason, REASON_NOT_FOLLOWED);
	bench_done(&rig);
}

/* What it would have said is not known, and `cpu` alone must not answer for it. */
static void a_total_left_behind_for_nothing_is_undecided(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	bench_plan(&rig);
	for (unsigned stage, slot = 0; (stage = judge_wants(rig.b)) != 0; slot++) {
		struct rec_half *half =
			add_block(rig.b, stage, slot, stage == 1 ? 1.05 : 1)->pairs[0].half;

		half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 100;
		half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] = slot % 2 ? 104 : 101;
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	}
	assert_int_equal(rig.b->metric[METRIC_CPU].verdict, VERDICT_SAME);
	assert_true(rig.b->metric[METRIC_CPU].not_confirmed);
	assert_int_equal(rig.b->metric[METRIC_CPU_TOTAL].reason, REASON_NOT_FOLLOWED);
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	bench_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_is_the_median_of_its_pairs),
		cmocka_unit_test(a_total_is_the_ratio_of_the_sums),
		cmocka_unit_test(a_block_without_a_value_has_no_ratio),
		cmocka_unit_test(a_ratio_that_equals_the_limit_is_not_above_it),
		cmocka_unit_test(every_stage_starts_from_zero),
		cmocka_unit_test(lost_and_planning_blocks_do_not_count),
		cmocka_unit_test(slots_and_not_the_array_have_the_order),
		cmocka_unit_test(judging_again_changes_nothing),
		cmocka_unit_test(blocks_like_their_neighbours_are_unstable),
		cmocka_unit_test(a_missing_value_leaves_a_metric_undecided_at_last),
		cmocka_unit_test(nothing_judged_is_undecided),
		cmocka_unit_test(closing_leaves_what_is_settled),
		cmocka_unit_test(an_error_has_no_numbers),
		cmocka_unit_test(a_count_is_confirmed_three_times),
		cmocka_unit_test(a_count_waits_for_the_timed_metrics),
		cmocka_unit_test(a_total_is_followed_until_cpu_goes_on),
		cmocka_unit_test(a_total_left_behind_for_nothing_is_undecided),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
