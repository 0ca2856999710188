/* SPDX-License-Identifier: BSD-2-Clause */
/* What can take a verdict back, and what is only shown: over the simulator. */
#include "test_run_fixture.h"

#define RUNS 40

struct seen {
	size_t regressed, same, undecided, for_reason, unstable;
};

/* RUNS runs of one benchmark; how often cpu was undecided for `why`. limit: 0 for the default. */
static struct seen run_all_at(double limit, const struct sim_bench *sb, enum reason why)
{
	struct seen seen = {0};

	for (uint64_t seed = 0; seed < RUNS; seed++) {
		const struct rec_metric *m;
		struct rig rig;

		rig_init(&rig, seed, sb, 1);
		rig.rec.benches[0].metric[METRIC_CPU_TOTAL].judged = false;
		if (limit > 0)
			rig.opt.policy.limit[METRIC_CPU] = limit;
		rig_run(&rig);
		assert_int_equal(rig.result, 0);
		m = &rig.rec.benches[0].metric[METRIC_CPU];
		seen.regressed += m->verdict == VERDICT_SLOWER;
		seen.same += m->verdict == VERDICT_SAME;
		seen.undecided += m->verdict == VERDICT_UNDECIDED;
		seen.for_reason += m->verdict == VERDICT_UNDECIDED && m->reason == why;
		seen.unstable += m->unstable;
		rig_done(&rig);
	}
	return seen;
}

static struct seen run_all(const struct sim_bench *sb, enum reason why)
{
	return run_all_at(0, sb, why);
}

static void an_order_effect_above_the_limit_is_undecided(void **state)
{
	static const struct sim_bench same = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .01, .second_half = .04};
	static const struct sim_bench worse = {
		.name = "a", .ns = 1000, .ratio = 1.2, .sample_sd = .01, .second_half = .04};

	(void)state;
	assert_int_equal(run_all(&same, REASON_ORDER_EFFECT).for_reason, RUNS);
	assert_int_equal(run_all(&worse, REASON_ORDER_EFFECT).for_reason, RUNS);
}

/* cpu is settled, and time is over while cpu_total, at a limit near 1, goes on. */
static void an_end_for_time_hides_no_doubt(void **state)
{
	static const struct sim_bench warms = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .002, .warming = .05};
	static const struct sim_bench quiet = QUIET("a", 1);

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct rec_bench *b;
		struct rig rig;

		rig_init(&rig, 1, i ? &quiet : &warms, 1);
		rig.rec.benches[0].metric[METRIC_CPU_TOTAL].limit = 1.00001;
		rig.opt.max_time_s = .2; /* a block takes 5 ms on the simulator's clock */
		rig_run(&rig);
		b = &rig.rec.benches[0];
		assert_int_equal(b->metric[METRIC_CPU].stage[0].verdict, STAGE_SAME);
		assert_int_equal(b->metric[METRIC_CPU_TOTAL].reason, REASON_OUT_OF_TIME);
		assert_int_equal(b->verdict, i ? BENCH_SAME : BENCH_UNDECIDED);
		assert_int_equal(b->metric[METRIC_CPU].reason, i ? REASON_NONE : REASON_WARMING);
		assert_true(isfinite(b->metric[METRIC_CPU].order_effect));
		rig_done(&rig);
	}
}

/* The coins keep a smaller one from biasing anything, and a true difference is not taken for one. */
static void a_small_order_effect_and_a_large_difference_stand(void **state)
{
	static const struct sim_bench same = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .01, .second_half = .01};
	static const struct sim_bench worse = {
		.name = "a", .ns = 1000, .ratio = 1.5, .sample_sd = .05, .process_sd = .05};

	(void)state;
	assert_int_equal(run_all(&same, REASON_ORDER_EFFECT).same, RUNS);
	assert_int_equal(run_all(&worse, REASON_ORDER_EFFECT).regressed, RUNS);
}

static void the_order_effect_has_its_size_and_sign(void **state)
{
	static const double effects[] = {.01, -.01, 0};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sim_bench sb = {.name = "a", .ns = 1000, .ratio = 1.5, .sample_sd = .002};
		struct rig rig;

		sb.second_half = effects[i];
		rig_init(&rig, 1, &sb, 1);
		rig_run(&rig);
		assert_true(fabs(rig.rec.benches[0].metric[METRIC_CPU].order_effect -
				 log(1 + effects[i])) < .001);
		rig_done(&rig);
	}
}

static void workers_that_keep_warming_are_undecided(void **state)
{
	static const struct sim_bench warms = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .002, .warming = .05};
	static const struct sim_bench warms_slower = {
		.name = "a", .ns = 1000, .ratio = 4, .sample_sd = .002, .warming = .05};
	static const struct sim_bench hardly = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .001, .warming = .005};

	(void)state;
	assert_int_equal(run_all(&warms, REASON_WARMING).for_reason, RUNS);
	/* a clear trend of less than 1 % is none */
	assert_int_equal(run_all(&hardly, REASON_WARMING).same, RUNS);
	/* nor is one that cannot carry a ratio across the limit */
	assert_int_equal(run_all_at(1.1, &warms, REASON_WARMING).same, RUNS);
	assert_int_equal(run_all_at(1.1, &warms_slower, REASON_WARMING).regressed, RUNS);
}

/* A drift of the machine, in two blocks in a row: no property of the program. */
static void a_drift_of_two_blocks_is_no_warm_up(void **state)
{
	static const struct sim_bench quiet = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .002};
	struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, &quiet, 1);
	rig.rec.benches[0].metric[METRIC_CPU_TOTAL].judged = false;
	rig_run(&rig);
	b = &rig.rec.benches[0];
	assert_true(b->blocks_cnt >= 12);
	for (size_t i = 2; i < 4; i++)
		for (size_t p = 0; p < b->blocks[i].pairs_cnt; p++)
			for (int side = 0; side < SIDE_CNT; side++)
				for (size_t k = 0; k < b->k; k++)
					b->blocks[i].pairs[p].half[side].cpu_ns[k] *=
						1 + .005 * (double)(p * b->k + k);
	b->verdict = BENCH_OPEN;
	assert_int_equal(judge_bench(b, &rig.opt.policy), 0);
	assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
	rig_done(&rig);
}

/* +-lam of each link: identical code whose links differ, and a slowdown that all links have. */
static void slower_in_some_layouts_only_is_undecided(void **state)
{
	static const struct sim_bench placed = {.name = "a",
						.ns = 1000,
						.ratio = 1.03,
						.sample_sd = .002,
						.layouts = 4,
						.layout_sd = .02};
	static const struct sim_bench worse = {.name = "a",
					       .ns = 1000,
					       .ratio = 1.2,
					       .sample_sd = .002,
					       .layouts = 4,
					       .layout_sd = .02};
	struct seen seen = run_all(&placed, REASON_LAYOUT);

	(void)state;
	assert_true(seen.for_reason > RUNS / 10);
	seen = run_all(&worse, REASON_LAYOUT);
	assert_int_equal(seen.for_reason, 0);
	assert_int_equal(seen.regressed, RUNS);
}

static void layouts_are_counted(void **state)
{
	static const struct sim_bench sb = {
		.name = "a", .ns = 1000, .ratio = 1.1, .sample_sd = .002, .layouts = 4};

	(void)state;
	for (unsigned layouts = 0; layouts <= 4; layouts += 4) {
		struct sim_bench bench = sb;
		struct rig rig;

		bench.layouts = layouts;
		rig_init(&rig, 1, &bench, 1);
		rig_run(&rig);
		assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].layouts,
				 layouts ? layouts : 1);
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
		rig_done(&rig);
	}
}

static void a_ratio_that_wanders_is_unstable(void **state)
{
	static const struct sim_bench wanders = {
		.name = "a", .ns = 1000, .ratio = 1.02, .sample_sd = .002, .wander_sd = .1};
	static const struct sim_bench steady = {
		.name = "a", .ns = 1000, .ratio = 1.02, .sample_sd = .01};

	(void)state;
	/* all but those that are settled before there are 20 blocks */
	assert_true(run_all(&wanders, REASON_NONE).unstable >= RUNS * 9 / 10);
	/* chance flags about 1 in 100 */
	assert_true(run_all(&steady, REASON_NONE).unstable <= 4);
}

static void too_few_blocks_say_nothing_of_stability(void **state)
{
	static const struct sim_bench sb = {.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .002};
	const struct rec_metric *m;
	struct rig rig;

	(void)state;
	for (size_t least = 19; least <= 20; least++) {
		rig_init(&rig, 1, &sb, 1);
		rig.opt.policy.blocks_min = least;
		rig_run(&rig);
		m = &rig.rec.benches[0].metric[METRIC_CPU];
		assert_int_equal(m->stage[0].blocks, least);
		assert_true(isnan(m->spread_ratio) == (least == 19));
		assert_true(isnan(m->serial_correlation) == (least == 19));
		assert_true(least == 19 || (m->decile_lo < 1 && m->decile_hi > 1));
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_order_effect_above_the_limit_is_undecided),
		cmocka_unit_test(an_end_for_time_hides_no_doubt),
		cmocka_unit_test(a_small_order_effect_and_a_large_difference_stand),
		cmocka_unit_test(the_order_effect_has_its_size_and_sign),
		cmocka_unit_test(workers_that_keep_warming_are_undecided),
		cmocka_unit_test(a_drift_of_two_blocks_is_no_warm_up),
		cmocka_unit_test(slower_in_some_layouts_only_is_undecided),
		cmocka_unit_test(layouts_are_counted),
		cmocka_unit_test(a_ratio_that_wanders_is_unstable),
		cmocka_unit_test(too_few_blocks_say_nothing_of_stability),
	};

	return cmocka_run_group_tests_name("judge inspect", tests, NULL, NULL);
}
