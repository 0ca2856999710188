/* SPDX-License-Identifier: BSD-2-Clause */
/* Benchmarks with sizes, over the simulator. */
#include "test_run_fixture.h"
#include "engine/measure/schedule.h"

static const struct sim_bench sized = {.name = "sort",
				       .ns = 1000,
				       .ratio = 1,
				       .sample_sd = .005,
				       .sizes_cnt = 4,
				       .sizes = {100, 200, 400, 800},
				       .exponent = {1, 1}};

static void run(struct rig *rig, const struct sim_bench *sb, double limit)
{
	rig_init(rig, 1, sb, 1);
	rig->opt.policy.limit[METRIC_CPU] = limit;
	rig_run(rig);
	assert_int_equal(rig->result, 0);
}

static void equal_growth_is_the_same_after_24_blocks(void **state)
{
	const struct rec_bench *b;
	struct rig rig;
	size_t first = 0;

	(void)state;
	run(&rig, &sized, 1.02);
	b = &rig.rec.benches[0];
	assert_int_equal(b->verdict, BENCH_SAME);
	assert_int_equal(b->blocks_cnt, 24);
	for (size_t i = 0; i < 24; i++) {
		assert_int_equal(b->blocks[i].pairs_cnt, 4 * 3);
		first += b->blocks[i].coins.majority == SIDE_CANDIDATE;
	}
	assert_int_equal(first, 12);
	assert_false(b->metric[METRIC_CPU_TOTAL].judged);
	assert_true(b->metric[METRIC_CPU].stage[0].lo < 1 && b->metric[METRIC_CPU].stage[0].hi > 1);
	/* a size is shown and not gated; the largest, the slope and growths are */
	assert_true(isnan(b->endpoint[0].margin) && isfinite(b->endpoint[3].margin));
	assert_true(fabs(b->endpoint[4].margin - log2(1.02)) < 1e-12);
	for (size_t i = 5; i < 8; i++) {
		assert_true(fabs(b->endpoint[i].estimate - log(2)) < .01);
		assert_true(fabs(b->endpoint[i].margin - log(2.5)) < 1e-12);
	}
	rig_done(&rig);
}

static void what_is_slower_regresses_in_three_stages(void **state)
{
	static const struct {
		double ratio, exponent;
	} cases[] = {{1.1, 1}, {1, 1.1}, {.5, 1.2}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sim_bench sb = sized;
		struct rig rig;

		sb.ratio = cases[i].ratio;
		sb.exponent[SIDE_CANDIDATE] = cases[i].exponent;
		run(&rig, &sb, 1.02);
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
		assert_int_equal(rig.rec.benches[0].blocks_cnt, 3 * 24);
		assert_int_equal(rig.rec.exit, 1);
		rig_done(&rig);
	}
}

/* The candidate of one link layout of four, at the largest size. */
static void speed_up_layout(struct rec_bench *b, unsigned layout, double by)
{
	for (size_t i = 0; i < b->blocks_cnt; i++)
		for (size_t p = 3 * b->m; b->blocks[i].layout == layout && p < 4 * b->m; p++)
			b->blocks[i].pairs[p].half[SIDE_CANDIDATE].value[METRIC_CPU] /= by;
}

static void slower_in_some_layouts_only_is_undecided(void **state)
{
	(void)state;
	for (unsigned layouts = 0; layouts <= 4; layouts += 4) {
		struct sim_bench sb = sized;
		struct rec_bench *b;
		struct rig rig;

		sb.ratio = 1.1;
		sb.layouts = layouts;
		run(&rig, &sb, 1.02);
		b = &rig.rec.benches[0];
		assert_int_equal(b->verdict, BENCH_REGRESSED);
		assert_int_equal(b->metric[METRIC_CPU].layouts, layouts ? 4 : 1);
		speed_up_layout(b, 3, 1.12);
		assert_int_equal(judge_bench(b, &rig.opt.policy), 0);
		assert_int_equal(b->verdict, layouts ? BENCH_UNDECIDED : BENCH_REGRESSED);
		assert_int_equal(b->metric[METRIC_CPU].reason,
				 layouts ? REASON_LAYOUT : REASON_NONE);
		rig_done(&rig);
	}
}

static void what_one_stage_shows_is_not_confirmed(void **state)
{
	struct sim_bench sb = sized;
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	sb.stage_ratio[0] = 1.1;
	run(&rig, &sb, 1.02);
	b = &rig.rec.benches[0];
	assert_int_equal(b->verdict, BENCH_SAME);
	assert_true(b->metric[METRIC_CPU].not_confirmed);
	assert_int_equal(b->blocks_cnt, 2 * 24);
	rig_done(&rig);
}

/* Squares are above 2.5 a doubling on both sides: that is no fault of the candidate. */
static void growth_counts_only_where_the_baseline_has_less(void **state)
{
	struct sim_bench sb = sized;
	struct rig rig;

	(void)state;
	sb.exponent[SIDE_BASELINE] = sb.exponent[SIDE_CANDIDATE] = 2;
	run(&rig, &sb, 1.02);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	assert_true(isnan(rig.rec.benches[0].endpoint[5].margin));
	assert_true(rig.rec.benches[0].endpoint[5].lo > log(2.5));
	rig_done(&rig);
	/* from just below to just above, within a limit that lets the ratio pass */
	sb.exponent[SIDE_BASELINE] = 1.28;
	sb.exponent[SIDE_CANDIDATE] = 1.36;
	run(&rig, &sb, 1.9);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
	assert_true(rig.rec.benches[0].endpoint[3].hi < log(1.9));
	rig_done(&rig);
}

static void a_balanced_coin_has_halves(void **state)
{
	size_t different = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		size_t first = 0;

		for (unsigned slot = 0; slot < 24; slot++) {
			enum side side = schedule_balanced(seed, "a", 1, slot, 24);

			first += side == SIDE_CANDIDATE;
			different += side != schedule_balanced(seed, "a", 2, slot, 24);
		}
		assert_int_equal(first, 12);
	}
	assert_true(different > 400 && different < 800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_growth_is_the_same_after_24_blocks),
		cmocka_unit_test(what_is_slower_regresses_in_three_stages),
		cmocka_unit_test(slower_in_some_layouts_only_is_undecided),
		cmocka_unit_test(what_one_stage_shows_is_not_confirmed),
		cmocka_unit_test(growth_counts_only_where_the_baseline_has_less),
		cmocka_unit_test(a_balanced_coin_has_halves),
	};

	return cmocka_run_group_tests_name("judge sized", tests, NULL, NULL);
}
