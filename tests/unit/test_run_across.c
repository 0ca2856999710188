/* SPDX-License-Identifier: BSD-2-Clause */
/* All benchmarks together, over the simulator. */
#include "test_run_fixture.h"

#define CNT 10

static const char *const names[CNT] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

/* `cnt` benchmarks of .5 % a slice, the first `moved` of which have the ratio. */
static void benches_init(struct sim_bench *benches, size_t cnt, size_t moved, double ratio)
{
	memset(benches, 0, cnt * sizeof(*benches));
	for (size_t i = 0; i < cnt; i++)
		benches[i] = (struct sim_bench){.name = names[i],
						.ns = 1000,
						.ratio = i < moved ? ratio : 1,
						.sample_sd = .005};
}

static void assert_all(const struct record *rec, enum bench_verdict v)
{
	for (size_t i = 0; i < rec->benches_cnt; i++)
		assert_int_equal(rec->benches[i].verdict, v);
}

static void equal_code_costs_nothing_more(void **state)
{
	struct sim_bench benches[CNT];
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, 0, 1);
	for (size_t cnt = 7; cnt <= CNT; cnt++) {
		rig_init(&rig, 1, benches, cnt);
		rig_run(&rig);
		assert_int_equal(rig.rec.across.benches, cnt);
		assert_int_equal(rig.rec.across.judged, cnt >= 8);
		assert_int_equal(rig.rec.across.verdict, cnt >= 8 ? VERDICT_SAME : VERDICT_NONE);
		assert_all(&rig.rec, BENCH_SAME);
		for (size_t i = 0; i < cnt; i++)
			assert_int_equal(rig.rec.benches[i].blocks_cnt, 12);
		assert_int_equal(rig.rec.status, STATUS_PASSED);
		rig_done(&rig);
	}
}

/* Half of the limit of each, and twice the limit of all. */
static void a_shift_of_all_that_none_shows_is_a_failure(void **state)
{
	struct sim_bench benches[CNT];
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, CNT, 1.01);
	rig_init(&rig, 2, benches, CNT);
	rig_run(&rig);
	assert_all(&rig.rec, BENCH_SAME);
	assert_int_equal(rig.rec.across.verdict, VERDICT_SLOWER);
	assert_int_equal(rig.rec.across.stages_cnt, 3);
	assert_true(fabs(rig.rec.across.limit - 1.005) < 1e-12);
	for (size_t i = 0; i < CNT; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];

		assert_int_equal(b->metric[METRIC_CPU].stages_cnt, 1);
		for (unsigned stage = 1; stage <= 3; stage++)
			assert_true(rig_blocks(b, stage) >= 12);
	}
	assert_int_equal(rig.rec.status, STATUS_FAILED);
	assert_int_equal(rig.rec.exit, 1);
	rig_done(&rig);
}

static void some_are_not_all(void **state)
{
	struct sim_bench benches[CNT];
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, 4, 1.012);
	rig_init(&rig, 3, benches, CNT);
	rig_run(&rig);
	assert_int_equal(rig.rec.across.verdict, VERDICT_SAME);
	rig_done(&rig);
	benches_init(benches, CNT, CNT, .99);
	rig_init(&rig, 3, benches, CNT);
	rig_run(&rig);
	assert_int_equal(rig.rec.across.verdict, VERDICT_FASTER);
	assert_int_equal(rig.rec.across.stages_cnt, 1);
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

/* The rounds say slower, but three of ten are far from it: the interval over them does not. */
static void the_benchmarks_must_agree(void **state)
{
	struct sim_bench benches[CNT];
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, 7, 1.01);
	rig_init(&rig, 4, benches, CNT);
	rig_run(&rig);
	assert_int_equal(rig.rec.across.stages_cnt, 1);
	assert_true(rig.rec.across.stage[0].lo > rig.rec.across.limit);
	assert_int_equal(rig.rec.across.verdict, VERDICT_UNDECIDED);
	assert_int_equal(rig.rec.across.reason, REASON_NEAR_LIMIT);
	assert_int_equal(rig_blocks(&rig.rec.benches[0], 1), 60); /* it might have come to agree */
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

static void a_shift_of_the_machine_is_none_of_the_code(void **state)
{
	struct sim_bench benches[CNT];
	size_t slower = 0;

	(void)state;
	benches_init(benches, CNT, 0, 1);
	for (uint64_t seed = 0; seed < 30; seed++) {
		struct rig rig;

		rig_init(&rig, seed, benches, CNT);
		rig.sim.shift_sd = .04;
		rig_run(&rig);
		slower += rig.rec.across.stage[0].verdict == STAGE_SLOWER;
		assert_int_not_equal(rig.rec.across.verdict, VERDICT_SLOWER);
		rig_done(&rig);
	}
	assert_true(slower <= 3);
}

static void judging_again_changes_nothing(void **state)
{
	struct sim_bench benches[CNT];
	struct rec_across first;
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, CNT, 1.01);
	rig_init(&rig, 2, benches, CNT);
	rig_run(&rig);
	first = rig.rec.across;
	assert_int_equal(judge_across(&rig.rec, &rig.opt.policy), 0);
	assert_memory_equal(&rig.rec.across, &first, sizeof(first));
	assert_int_equal(judge_across_wants(&rig.rec), 0);
	/* without its second stage it is no failure */
	for (size_t i = 0; i < CNT; i++)
		for (size_t k = 0; k < rig.rec.benches[i].blocks_cnt; k++)
			if (rig.rec.benches[i].blocks[k].stage == 2)
				rig.rec.benches[i].blocks[k].lost = REASON_SUSPENDED;
	assert_int_equal(judge_across(&rig.rec, &rig.opt.policy), 0);
	assert_int_equal(rig.rec.across.verdict, VERDICT_NONE);
	assert_int_equal(judge_across_wants(&rig.rec), 2);
	judge_across_close(&rig.rec, REASON_OUT_OF_TIME);
	assert_int_equal(rig.rec.across.verdict, VERDICT_UNDECIDED);
	assert_int_equal(rig.rec.across.reason, REASON_OUT_OF_TIME);
	judge_run(&rig.rec);
	assert_int_equal(rig.rec.status, STATUS_PASSED);
	rig_done(&rig);
}

/* One that breaks off is left out, one whose block is lost stays in the round. */
static void faults_leave_the_others_together(void **state)
{
	static const struct sim_fault faults[] = {
		{.bench = "a",
		 .stage = 1,
		 .slot = 5,
		 .side = SIDE_CANDIDATE,
		 .status = SOURCE_FAILED,
		 .reason = REASON_SIGNAL},
		{.bench = "b",
		 .stage = 1,
		 .slot = 3,
		 .status = SOURCE_LOST,
		 .reason = REASON_CPU_GONE},
	};
	struct sim_bench benches[CNT];
	struct rig rig;

	(void)state;
	benches_init(benches, CNT, CNT, 1.01);
	rig_init(&rig, 5, benches, CNT);
	rig.sim.faults = faults;
	rig.sim.faults_cnt = 2;
	rig_run(&rig);
	assert_int_equal(rig.rec.across.benches, CNT - 1);
	assert_int_equal(rig.rec.across.verdict, VERDICT_SLOWER);
	assert_int_equal(rig.rec.benches[1].lost_cnt, 1);
	assert_int_equal(rig.rec.benches[1].blocks[4].slot, 3);
	assert_int_equal(rig.rec.benches[1].blocks[4].round, 4);
	assert_int_equal(rig.rec.exit, 3);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_code_costs_nothing_more),
		cmocka_unit_test(a_shift_of_all_that_none_shows_is_a_failure),
		cmocka_unit_test(some_are_not_all),
		cmocka_unit_test(the_benchmarks_must_agree),
		cmocka_unit_test(a_shift_of_the_machine_is_none_of_the_code),
		cmocka_unit_test(judging_again_changes_nothing),
		cmocka_unit_test(faults_leave_the_others_together),
	};

	return cmocka_run_group_tests_name("run across", tests, NULL, NULL);
}
