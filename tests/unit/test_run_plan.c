/* SPDX-License-Identifier: BSD-2-Clause */
/* Stage 0 over the simulator: what it plans, and that nobody judges it. */
#include "test_run_fixture.h"
#include "engine/measure/schedule.h"
#include "stats/pairs.h"

#define PLANNING 4

static void run_planned(struct rig *rig, const struct sim_bench *benches, size_t cnt, size_t pairs)
{
	rig_init(rig, 1, benches, cnt);
	rig->opt.plan_blocks = PLANNING;
	rig->sim.source.options.pairs = pairs;
	rig_run(rig);
	assert_int_equal(rig->result, 0);
}

static void assert_planned(const struct rec_bench *b, size_t m, uint64_t n)
{
	const struct rec_planning *p = &b->planning;

	assert_int_equal(rig_blocks(b, 0), PLANNING);
	assert_int_equal(p->blocks, PLANNING);
	assert_int_equal(p->m, 3);
	assert_int_equal(p->n, 100);
	assert_int_equal(b->m, m);
	assert_int_equal(b->n, n);
	assert_true(b->slice_ns == 1000. * (double)n);
	assert_true(fabs(p->wanted - .02 / 3) < 1e-12);
}

/* Blocks of stage 0 come first and have the first plan, all others have the last one. */
static void assert_fixed_before_anything_is_judged(const struct rec_bench *b, uint64_t seed)
{
	unsigned last = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];
		size_t m = blk->stage ? b->m : b->planning.m;
		struct rec_coins coins = schedule_coins(seed, b->name, blk->stage, blk->slot, m);

		assert_true(blk->stage >= last);
		assert_int_equal(blk->pairs_cnt, m);
		assert_memory_equal(&blk->coins, &coins, sizeof(coins));
		last = blk->stage;
	}
}

/* .1 % a slice: three pairs are plenty, and slices may be longer. */
static void a_quiet_host_has_longer_slices(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "quiet", .ns = 1000, .ratio = 1, .sample_sd = .001}};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_planned(&rig, benches, 1, 0);
	b = rig.rec.benches;
	assert_planned(b, 3, 200);
	assert_true(b->planning.disturbed == 0);
	assert_true(b->planning.predicted < b->planning.wanted);
	assert_true(b->planning.within > .0002 && b->planning.within < .002);
	assert_fixed_before_anything_is_judged(b, 1);
	assert_int_equal(b->verdict, BENCH_SAME);
	assert_int_equal(rig_blocks(b, 1), 12);
	assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 12);
	/* twice the iterations take twice the time and are the same an iteration */
	assert_true(fabs(b->metric[METRIC_CPU].per_iteration[SIDE_BASELINE] - 1000) < 5);
	assert_int_equal(rig.sim.stages, 2);
	rig_done(&rig);
}

/* A tenth of the slices is disturbed, a quarter and more: the share is what counts. */
static void disturbed_slices_stay_short(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "tenth",
		 .ns = 1000,
		 .ratio = 1,
		 .sample_sd = .0001,
		 .spike_p = .1,
		 .spike_mean = .3},
		{.name = "third",
		 .ns = 1000,
		 .ratio = 1,
		 .sample_sd = .0001,
		 .spike_p = .35,
		 .spike_mean = .3},
	};
	struct rig rig;

	(void)state;
	run_planned(&rig, benches, 2, 0);
	assert_true(rig.rec.benches[0].planning.disturbed > .02);
	assert_true(rig.rec.benches[0].planning.disturbed < .25);
	assert_int_equal(rig.rec.benches[0].n, 200);
	assert_true(rig.rec.benches[1].planning.disturbed > .25);
	assert_true(rig.rec.benches[1].planning.disturbed < .5);
	assert_int_equal(rig.rec.benches[1].n, 100);
	rig_done(&rig);
}

/* The median of 5 slices of 5 % has 2.7 %, a pair 3.8 %: too much for any m. */
static void noise_of_the_samples_is_met_with_pairs(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "much", .ns = 1000, .ratio = 1, .sample_sd = .05},
		{.name = "some", .ns = 1000, .ratio = 1, .sample_sd = .035},
	};
	struct rig rig;

	(void)state;
	run_planned(&rig, benches, 2, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];
		const struct rec_planning *p = &b->planning;
		const struct pairs_spread s = {p->within, p->between};

		assert_true(b->m > 3);
		assert_planned(b, pairs_choose(&s, 3, p->wanted), 100);
		assert_true(p->predicted == pairs_predict(&s, b->m));
		assert_true(p->within > .3 * benches[i].sample_sd);
		assert_true(p->within < 1.2 * benches[i].sample_sd);
		assert_fixed_before_anything_is_judged(b, 1);
	}
	assert_true(rig.rec.benches[0].planning.predicted > rig.rec.benches[0].planning.wanted);
	rig_done(&rig);
}

/* What lies between processes no number of pairs takes away. */
static void noise_of_the_processes_is_not(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "modes", .ns = 1000, .ratio = 1, .process_sd = .05, .sample_sd = .001}};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_planned(&rig, benches, 1, 0);
	b = rig.rec.benches;
	assert_planned(b, 3, 200);
	assert_true(b->planning.between > .01);
	assert_true(b->planning.predicted > b->planning.wanted);
	rig_done(&rig);
}

static void a_stricter_limit_takes_more_pairs(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 1);
	rig.opt.plan_blocks = PLANNING;
	rig.opt.policy.limit[METRIC_CPU] = 1.002;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].m, 9);
	assert_true(fabs(rig.rec.benches[0].planning.wanted - .002 / 3) < 1e-12);
	rig_done(&rig);
}

static void pairs_that_were_asked_for_stay(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "much", .ns = 1000, .ratio = 1, .sample_sd = .05}};
	struct rig rig;

	(void)state;
	run_planned(&rig, benches, 1, 3);
	assert_planned(rig.rec.benches, 3, 100);
	assert_true(rig.rec.benches[0].planning.predicted > rig.rec.benches[0].planning.wanted);
	rig_done(&rig);
}

static void where_nothing_can_change_nothing_is_measured(void **state)
{
	static const struct sim_bench benches[] = {
		QUIET("a", 1),
		{.name = "sizes", .ns = 1000, .ratio = 1, .sizes_cnt = 2, .sizes = {1, 2}},
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 2);
	rig.opt.plan_blocks = PLANNING;
	rig.sim.k = rig.sim.m = 1; /* as of what takes seconds */
	rig_run(&rig);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rig_blocks(&rig.rec.benches[i], 0), 0);
		assert_int_equal(rig.rec.benches[i].planning.blocks, 0);
		assert_int_equal(rig.rec.benches[i].n, 100);
	}
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	assert_int_equal(rig.sim.stages, 2);
	rig_done(&rig);
}

/* What the judge must never see: the blocks of stage 0 a hundred times slower. */
static void spoil_planning(void *arg, const struct run_progress *p)
{
	struct rec_bench *b = ((struct rig *)arg)->rec.benches;

	if (p->stage != 1 || p->round != 0)
		return;
	assert_int_equal(rig_blocks(b, 0), PLANNING);
	for (size_t i = 0; i < b->blocks_cnt; i++)
		for (size_t k = 0; b->blocks[i].stage == 0 && k < b->blocks[i].pairs_cnt; k++)
			for (enum metric_id id = 0; id < METRIC_CNT; id++)
				b->blocks[i].pairs[k].half[SIDE_CANDIDATE].value[id] *= 100;
}

static void what_was_planned_by_is_never_judged(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1)};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 3, benches, 1);
	rig.opt.plan_blocks = PLANNING;
	rig.opt.progress = spoil_planning;
	rig.opt.arg = &rig;
	rig_run(&rig);
	b = rig.rec.benches;
	assert_int_equal(b->verdict, BENCH_SAME);
	assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 12);
	assert_true(b->metric[METRIC_CPU].per_iteration[SIDE_CANDIDATE] < 1100);
	assert_true(fabs(b->metric[METRIC_CPU].order_effect) < .1);
	rig_done(&rig);
}

static void run_faulty(struct rig *rig, const struct sim_fault *fault)
{
	static const struct sim_bench benches[] = {QUIET("a", 1)};

	rig_init(rig, 4, benches, 1);
	rig->opt.plan_blocks = PLANNING;
	rig->sim.faults = fault;
	rig->sim.faults_cnt = 1;
	rig_run(rig);
}

static void a_lost_block_of_planning_is_taken_again(void **state)
{
	static const struct sim_fault once = {.stage = SIM_PLANNING,
					      .slot = 1,
					      .pair = 2,
					      .status = SOURCE_LOST,
					      .reason = REASON_SUSPENDED,
					      .side = SIDE_CNT};
	struct rig rig;

	(void)state;
	run_faulty(&rig, &once);
	assert_int_equal(rig_blocks(rig.rec.benches, 0), PLANNING);
	assert_int_equal(rig.rec.benches[0].lost_cnt, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	rig_done(&rig);
}

/* Nobody judges them: what follows may still do. */
static void planning_that_is_always_lost_is_done_without(void **state)
{
	static const struct sim_fault always = {.stage = SIM_PLANNING,
						.slot = UINT_MAX,
						.attempt = UINT_MAX,
						.status = SOURCE_LOST,
						.reason = REASON_SUSPENDED,
						.side = SIDE_CNT};
	struct rig rig;

	(void)state;
	run_faulty(&rig, &always);
	assert_int_equal(rig_blocks(rig.rec.benches, 0), 0);
	assert_int_equal(rig.rec.benches[0].planning.blocks, 0);
	assert_int_equal(rig.rec.benches[0].m, 3);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	rig_done(&rig);
}

static void a_crash_in_planning_is_an_error(void **state)
{
	static const struct sim_fault crash = {.stage = SIM_PLANNING,
					       .slot = 2,
					       .status = SOURCE_FAILED,
					       .reason = REASON_SIGNAL,
					       .side = SIDE_CANDIDATE};
	struct rig rig;

	(void)state;
	run_faulty(&rig, &crash);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_ERROR);
	assert_int_equal(rig.rec.benches[0].planning.blocks, 0);
	assert_int_equal(rig_blocks(rig.rec.benches, 1), 0);
	assert_int_equal(rig.rec.exit, 3);
	rig_done(&rig);
}

static void an_interrupt_of_planning_leaves_nothing_judged(void **state)
{
	static const struct sim_fault interrupt = {
		.stage = SIM_PLANNING, .slot = 3, .pair = 1, .status = SOURCE_INTERRUPTED};
	struct rig rig;

	(void)state;
	run_faulty(&rig, &interrupt);
	assert_int_equal(rig.result, -EINTR);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 3);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.sim.closes, 1);
	rig_done(&rig);
}

/* Time that is over before anything is judged is no time for planning. */
static void no_time_is_no_time_to_plan(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 5, benches, 1);
	rig.opt.plan_blocks = PLANNING;
	rig.opt.max_time_s = 1e-3;
	rig_run(&rig);
	assert_int_equal(rig_blocks(rig.rec.benches, 0), 1); /* it takes longer than that */
	assert_int_equal(rig_blocks(rig.rec.benches, 1), 1);
	assert_int_equal(rig.rec.benches[0].m, 3);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_host_has_longer_slices),
		cmocka_unit_test(disturbed_slices_stay_short),
		cmocka_unit_test(noise_of_the_samples_is_met_with_pairs),
		cmocka_unit_test(noise_of_the_processes_is_not),
		cmocka_unit_test(a_stricter_limit_takes_more_pairs),
		cmocka_unit_test(pairs_that_were_asked_for_stay),
		cmocka_unit_test(where_nothing_can_change_nothing_is_measured),
		cmocka_unit_test(what_was_planned_by_is_never_judged),
		cmocka_unit_test(a_lost_block_of_planning_is_taken_again),
		cmocka_unit_test(planning_that_is_always_lost_is_done_without),
		cmocka_unit_test(a_crash_in_planning_is_an_error),
		cmocka_unit_test(an_interrupt_of_planning_leaves_nothing_judged),
		cmocka_unit_test(no_time_is_no_time_to_plan),
	};

	return cmocka_run_group_tests_name("run plan", tests, NULL, NULL);
}
