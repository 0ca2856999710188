/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"

/* Runs that end before their verdicts: by an interrupt, by their time, before they begin. */

static const struct sim_bench two_benches[] = {QUIET("victim", 1), QUIET("bystander", 1)};

static bool after_calls(void *arg)
{
	size_t *left = arg;

	return *left == 0 || --*left == 0;
}

static void an_interrupt_keeps_what_was_measured(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1), QUIET("b", 1.05),
						   QUIET("c", 1.05)};

	(void)state;
	for (size_t calls = 1; calls < 120; calls += 7) {
		size_t left = calls;
		struct rig rig;

		rig_init(&rig, 1, benches, 3);
		rig.opt.interrupted = after_calls;
		rig.opt.arg = &left;
		rig_run(&rig);
		assert_int_equal(rig.result, -EINTR);
		for (size_t i = 0; i < 3; i++) {
			const struct rec_bench *b = &rig.rec.benches[i];

			for (size_t k = 0; k < b->blocks_cnt; k++)
				assert_int_equal(b->blocks[k].pairs_cnt, b->m);
			if (b->metric[METRIC_CPU].verdict == VERDICT_SAME)
				continue;
			assert_int_equal(b->verdict, BENCH_UNDECIDED);
			assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_UNDECIDED);
			assert_int_equal(b->metric[METRIC_CPU].reason, REASON_INTERRUPTED);
			assert_int_equal(b->metric[METRIC_CPU].stages_cnt, b->blocks_cnt > 0);
		}
		rig_done(&rig);
	}
}

static void an_interrupt_by_the_source_stops_the_run(void **state)
{
	static const struct sim_fault stop = {
		.bench = "victim", .stage = 1, .slot = 2, .pair = 1, .status = SOURCE_INTERRUPTED};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, two_benches, 2);
	rig.sim.faults = &stop;
	rig.sim.faults_cnt = 1;
	rig.rec.status = STATUS_INTERRUPTED;
	rig.rec.exit = 130;
	rig_run(&rig);
	assert_int_equal(rig.result, -EINTR);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 2);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].reason, REASON_INTERRUPTED);
	assert_int_equal(rig.rec.exit, 130);
	assert_int_equal(rig.rec.status, STATUS_INTERRUPTED);
	rig_done(&rig);
}

static void a_plan_that_cannot_be_scheduled_is_refused(void **state)
{
	static const size_t bad[] = {2, 35};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct rig rig;

		rig_init(&rig, 1, two_benches, 2);
		rig.sim.m = bad[i];
		rig_run(&rig);
		assert_int_equal(rig.result, -EIO);
		assert_non_null(rig.rec.message);
		assert_int_equal(rig.sim.blocks, 0);
		rig_done(&rig);
	}
}

static void time_ends_after_a_complete_round(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "a", .ns = 1000, .ratio = 1, .process_sd = .05},
		{.name = "b", .ns = 1000, .ratio = 1, .process_sd = .05},
		{.name = "c", .ns = 1000, .ratio = 1, .process_sd = .05},
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 3);
	rig.opt.max_time_s = .05; /* a block takes 5 ms on the simulator's clock */
	rig_run(&rig);
	assert_int_equal(rig.result, 0);
	for (size_t i = 0; i < 3; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];

		assert_int_equal(b->verdict, BENCH_UNDECIDED);
		assert_int_equal(b->metric[METRIC_CPU].reason, REASON_OUT_OF_TIME);
		assert_int_equal(b->blocks_cnt, 4);
	}
	assert_int_equal(rig.rec.notes_cnt, 1);
	assert_string_equal(
		rig.rec.notes[0],
		"measuring ended after the round in which --max-time 0.05 s was over: 3 "
		"of 3 benchmarks were not settled by then, so undecided");
	rig_done(&rig);
	rig_init(&rig, 1, benches, 3);
	rig.opt.max_time_s = 0; /* one round is taken: there is something to show */
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[2].blocks_cnt, 1);
	rig_done(&rig);
	rig_init(&rig, 1, two_benches, 2);
	rig.opt.max_time_s = 1e6; /* enough: nothing is said */
	rig_run(&rig);
	assert_int_equal(rig.rec.notes_cnt, 0);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_keeps_what_was_measured),
		cmocka_unit_test(an_interrupt_by_the_source_stops_the_run),
		cmocka_unit_test(a_plan_that_cannot_be_scheduled_is_refused),
		cmocka_unit_test(time_ends_after_a_complete_round),
	};

	return cmocka_run_group_tests_name("run stops", tests, NULL, NULL);
}
