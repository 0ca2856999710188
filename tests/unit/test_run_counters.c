/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that fail in one window of one side, in the middle of a run: what they count is then part of
 * no verdict, and time is judged as if nothing had happened.
 */
#include "test_run_fixture.h"
#include "report/disturbance.h"

/* 5 % more instructions in the same time. */
static const struct sim_bench more_instructions[] = {
	{.name = "more", .ns = 1000, .ratio = 1, .sample_sd = .005, .instructions = {3000, 3150}}};

static void run_with(struct rig *rig, const struct sim_bench *bench,
		     const struct sim_counter_fault *fault)
{
	rig_init(rig, 1, bench, 1);
	rig->sim.counter_faults = fault;
	rig->sim.counter_faults_cnt = fault ? 1 : 0;
	rig_run(rig);
	assert_int_equal(rig->result, 0);
}

static void sound_counters_find_what_time_does_not_show(void **state)
{
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_with(&rig, more_instructions, NULL);
	b = rig.rec.benches;
	assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
	assert_int_equal(b->metric[METRIC_INSTRUCTIONS].verdict, VERDICT_SLOWER);
	assert_int_equal(b->metric[METRIC_INSTRUCTIONS].stages_cnt, 3);
	assert_true(b->metric[METRIC_INSTRUCTIONS].per_iteration[SIDE_CANDIDATE] == 3150);
	assert_int_equal(b->verdict, BENCH_REGRESSED);
	rig_done(&rig);
}

/* One window of 72; `why` is what is said of it. */
static const struct {
	enum sim_counter_failure what;
	enum reason why;
} failures[] = {
	{SIM_PMU_VANISHES, REASON_PERF_BUSY},  {SIM_PARTLY_RUNNING, REASON_MULTIPLEXED},
	{SIM_OTHER_CORE, REASON_HYBRID_CORES}, {SIM_NO_FILES, REASON_PERF_FILES},
	{SIM_ZEROS, REASON_COUNTER_MISMATCH},
};
#define FAILURES (sizeof(failures) / sizeof(failures[0]))

static struct sim_counter_fault one_window(enum sim_counter_failure what, enum side side)
{
	return (struct sim_counter_fault){
		.stage = 1, .slot = 7, .pair = 1, .side = side, .what = what, .nth = 1};
}

static const struct rec_half *window_of(const struct rec_bench *b, unsigned slot, size_t pair,
					enum side side)
{
	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].stage == 1 && b->blocks[i].slot == slot)
			return &b->blocks[i].pairs[pair].half[side];
	fail_msg("no block in slot %u", slot);
	return NULL;
}

static void a_counter_that_fails_once_is_in_no_verdict(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * FAILURES; i++) {
		enum side side = i % 2 ? SIDE_CANDIDATE : SIDE_BASELINE;
		struct sim_counter_fault fault = one_window(failures[i / 2].what, side);
		const struct rec_bench *b;
		const struct rec_half *h;
		struct rig rig;

		run_with(&rig, more_instructions, &fault);
		b = rig.rec.benches;
		h = window_of(b, 7, 1, side);
		assert_int_equal(b->metric[METRIC_INSTRUCTIONS].missing, failures[i / 2].why);
		assert_int_equal(b->metric[METRIC_INSTRUCTIONS].verdict, VERDICT_NONE);
		assert_true(isnan(b->metric[METRIC_INSTRUCTIONS].per_iteration[SIDE_BASELINE]));
		assert_true(isnan(h->value[METRIC_INSTRUCTIONS]));
		/* nothing is scaled up, and the windows beside it stay as they were counted */
		assert_true(window_of(b, 7, 0, side)->value[METRIC_INSTRUCTIONS] > 2999);
		assert_true(window_of(b, 6, 1, side)->value[METRIC_INSTRUCTIONS] > 2999);
		assert_true(h->value[METRIC_CPU] > 0);
		assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
		assert_int_equal(b->metric[METRIC_CPU].missing, REASON_NONE);
		assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 12);
		assert_int_equal(b->verdict, BENCH_SAME);
		assert_int_equal(b->lost_cnt, 0);
		assert_int_equal(rig.rec.exit, 0);
		rig_done(&rig);
	}
}

/* A regression in time is found with any of them. */
static void failing_counters_hide_no_time(void **state)
{
	static const struct sim_bench slow[] = {{.name = "slow",
						 .ns = 1000,
						 .ratio = 1.05,
						 .sample_sd = .005,
						 .instructions = {3000, 3000}}};

	(void)state;
	for (size_t i = 0; i < FAILURES; i++) {
		struct sim_counter_fault always = one_window(failures[i].what, SIDE_CNT);
		struct rig rig;

		always.stage = always.slot = always.pair = UINT_MAX;
		run_with(&rig, slow, &always);
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
		assert_int_equal(rig.rec.benches[0].metric[METRIC_INSTRUCTIONS].missing,
				 failures[i].why);
		rig_done(&rig);
	}
}

/*
 * A block opens 8 files, 4 a side: two counters of the hardware, two of misses. From the nth on there
 * are no more, whose groups are then closed as a whole.
 */
static void files_run_out_at_any_of_them(void **state)
{
	(void)state;
	for (unsigned nth = 1; nth <= 9; nth++) {
		struct sim_counter_fault fault = one_window(SIM_NO_FILES, SIDE_CNT);
		const struct rec_bench *b;
		unsigned groups[2] = {0};
		struct rig rig;

		fault.nth = nth;
		run_with(&rig, more_instructions, &fault);
		b = rig.rec.benches;
		for (int side = 0; side < SIDE_CNT; side++) {
			const struct rec_half *h = window_of(b, 7, 1, (enum side)side);

			groups[0] += isfinite(h->value[METRIC_INSTRUCTIONS]);
			groups[1] += isfinite(h->value[METRIC_CACHE_MISSES]);
		}
		assert_int_equal(groups[0], nth <= 2 ? 0 : nth <= 6 ? 1 : 2);
		assert_int_equal(groups[1], nth <= 4 ? 0 : nth <= 8 ? 1 : 2);
		assert_int_equal(b->metric[METRIC_INSTRUCTIONS].missing,
				 nth <= 6 ? REASON_PERF_FILES : REASON_NONE);
		assert_int_equal(b->verdict, nth <= 6 ? BENCH_SAME : BENCH_REGRESSED);
		rig_done(&rig);
	}
}

/* Unknown, not none: no number stands for what nobody saw. */
static void lost_events_make_interference_unknown(void **state)
{
	struct sim_counter_fault fault = one_window(SIM_EVENTS_LOST, SIDE_BASELINE);
	const struct rec_bench *b;
	const struct rec_half *h;
	struct disturbance d;
	struct rig rig;

	(void)state;
	run_with(&rig, more_instructions, &fault);
	b = rig.rec.benches;
	h = window_of(b, 7, 1, SIDE_BASELINE);
	assert_true(isnan(h->value[METRIC_WAITING]) && isnan(h->value[METRIC_INTERRUPTS]));
	assert_int_equal(h->missing[METRIC_WAITING], REASON_EVENTS_LOST);
	assert_true(window_of(b, 7, 1, SIDE_CANDIDATE)->value[METRIC_WAITING] == 0);
	disturbance_of(&rig.rec, &d);
	assert_int_equal(d.unknown, 1);
	/* and nothing else has to do with it */
	assert_int_equal(b->metric[METRIC_INSTRUCTIONS].verdict, VERDICT_SLOWER);
	assert_int_equal(b->verdict, BENCH_REGRESSED);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_counters_find_what_time_does_not_show),
		cmocka_unit_test(a_counter_that_fails_once_is_in_no_verdict),
		cmocka_unit_test(failing_counters_hide_no_time),
		cmocka_unit_test(files_run_out_at_any_of_them),
		cmocka_unit_test(lost_events_make_interference_unknown),
	};

	return cmocka_run_group_tests_name("run counters", tests, NULL, NULL);
}
