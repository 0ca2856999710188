/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"

static const struct sim_bench pair_of_benches[] = {QUIET("victim", 1), QUIET("bystander", 1)};

static void run_with(struct rig *rig, const struct sim_fault *faults, size_t cnt)
{
	rig_init(rig, 1, pair_of_benches, 2);
	rig->sim.faults = faults;
	rig->sim.faults_cnt = cnt;
	rig_run(rig);
}

static void assert_bystander_is_the_same(const struct rig *rig)
{
	const struct rec_bench *b = &rig->rec.benches[1];

	assert_int_equal(b->verdict, BENCH_SAME);
	assert_int_equal(b->blocks_cnt, 12);
}

static void assert_no_numbers(const struct rec_bench *b)
{
	for (size_t i = 0; i < METRIC_CNT; i++) {
		assert_int_equal(b->metric[i].verdict, VERDICT_NONE);
		assert_int_equal(b->metric[i].stages_cnt, 0);
		assert_true(isnan(b->metric[i].per_iteration[SIDE_BASELINE]));
		assert_true(isnan(b->metric[i].per_iteration[SIDE_CANDIDATE]));
	}
}

static void a_crash_ends_its_benchmark_only(void **state)
{
	static const unsigned moments[] = {0, 2, SIM_AT_BLOCK, SIM_AT_END};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct sim_fault crash = {.bench = "victim",
					  .stage = 1,
					  .slot = 3,
					  .pair = moments[i],
					  .side = SIDE_CANDIDATE,
					  .status = SOURCE_FAILED,
					  .reason = REASON_SIGNAL,
					  .detail = "SIGSEGV"};
		const struct rec_bench *b;
		struct rig rig;

		run_with(&rig, &crash, 1);
		b = &rig.rec.benches[0];
		assert_int_equal(rig.result, 0);
		assert_int_equal(b->verdict, BENCH_ERROR);
		assert_int_equal(b->reason, REASON_SIGNAL);
		assert_int_equal(b->reason_side, SIDE_CANDIDATE);
		assert_string_equal(b->detail, "SIGSEGV");
		assert_int_equal(b->blocks_cnt, 3);
		assert_no_numbers(b);
		assert_bystander_is_the_same(&rig);
		assert_int_equal(rig.rec.status, STATUS_ERROR);
		assert_int_equal(rig.rec.exit, 3);
		assert_int_equal(rig.sim.closes, 2);
		rig_done(&rig);
	}
}

static void a_crash_of_both_sides_blames_both(void **state)
{
	static const struct sim_fault crash = {.bench = "victim",
					       .stage = 1,
					       .slot = 0,
					       .pair = 1,
					       .side = SIDE_CNT,
					       .status = SOURCE_FAILED,
					       .reason = REASON_EXIT_STATUS};
	struct rig rig;

	(void)state;
	run_with(&rig, &crash, 1);
	assert_int_equal(rig.rec.benches[0].reason_side, SIDE_CNT);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 0);
	assert_bystander_is_the_same(&rig);
	rig_done(&rig);
}

static void a_benchmark_that_cannot_be_opened_is_an_error(void **state)
{
	static const struct sim_fault fault = {.bench = "victim",
					       .stage = 0,
					       .attempt = UINT_MAX,
					       .side = SIDE_BASELINE,
					       .status = SOURCE_FAILED,
					       .reason = REASON_START_FAILED};
	struct rig rig;

	(void)state;
	run_with(&rig, &fault, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_ERROR);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 0);
	assert_int_equal(rig.sim.closes, 1);
	assert_bystander_is_the_same(&rig);
	rig_done(&rig);
}

static void all_errors_are_an_error(void **state)
{
	static const struct sim_fault crash = {.stage = UINT_MAX,
					       .slot = UINT_MAX,
					       .attempt = UINT_MAX,
					       .pair = UINT_MAX,
					       .side = SIDE_BASELINE,
					       .status = SOURCE_FAILED,
					       .reason = REASON_TIMEOUT};
	struct rig rig;

	(void)state;
	run_with(&rig, &crash, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_ERROR);
	assert_int_equal(rig.rec.benches[1].verdict, BENCH_ERROR);
	assert_int_equal(rig.rec.status, STATUS_ERROR);
	assert_int_equal(rig.rec.exit, 3);
	rig_done(&rig);
}

static void a_skip_is_no_error(void **state)
{
	struct sim_fault skip = {.bench = "victim",
				 .stage = 0,
				 .attempt = UINT_MAX,
				 .side = SIDE_CNT,
				 .status = SOURCE_SKIPPED,
				 .reason = REASON_SKIPPED,
				 .detail = "needs a GPU"};

	(void)state;
	for (unsigned stage = 0; stage < 2; stage++) {
		struct rig rig;

		skip.stage = stage; /* at once, or when it is measured */
		skip.slot = 4;
		skip.attempt = UINT_MAX;
		run_with(&rig, &skip, 1);
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_SKIPPED);
		assert_int_equal(rig.rec.benches[0].reason, REASON_SKIPPED);
		assert_string_equal(rig.rec.benches[0].detail, "needs a GPU");
		assert_no_numbers(&rig.rec.benches[0]);
		assert_bystander_is_the_same(&rig);
		assert_int_equal(rig.rec.status, STATUS_PASSED);
		rig_done(&rig);
	}
}

static void only_skips_are_nothing_to_compare(void **state)
{
	static const struct sim_fault skip = {.stage = 0,
					      .attempt = UINT_MAX,
					      .status = SOURCE_SKIPPED,
					      .reason = REASON_SKIPPED};
	struct rig rig;

	(void)state;
	run_with(&rig, &skip, 1);
	assert_int_equal(rig.rec.status, STATUS_NOTHING);
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

static const struct rec_block *find_block(const struct rec_bench *b, unsigned slot,
					  unsigned attempt)
{
	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].slot == slot && b->blocks[i].attempt == attempt)
			return &b->blocks[i];
	return NULL;
}

static void a_lost_block_is_taken_again_with_the_same_coins(void **state)
{
	static const struct sim_fault faults[] = {
		{.bench = "victim",
		 .stage = 1,
		 .slot = 5,
		 .attempt = 0,
		 .pair = 1,
		 .side = SIDE_CNT,
		 .status = SOURCE_LOST,
		 .reason = REASON_SUSPENDED},
		{.bench = "victim",
		 .stage = 1,
		 .slot = 5,
		 .attempt = 1,
		 .pair = SIM_AT_END,
		 .side = SIDE_BASELINE,
		 .status = SOURCE_LOST,
		 .reason = REASON_KILLED_BY_SYSTEM},
	};
	const struct rec_block *blk[3];
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_with(&rig, faults, 2);
	b = &rig.rec.benches[0];
	assert_int_equal(b->verdict, BENCH_SAME);
	assert_int_equal(b->lost_cnt, 2);
	assert_int_equal(b->blocks_cnt, 14);
	assert_int_equal(rig_blocks(b, 1), 12);
	for (unsigned i = 0; i < 3; i++) {
		blk[i] = find_block(b, 5, i);
		assert_non_null(blk[i]);
		assert_memory_equal(&blk[i]->coins, &blk[0]->coins, sizeof(blk[0]->coins));
		for (size_t k = 0; k < b->m; k++)
			assert_int_equal(blk[i]->pairs[k].first, blk[0]->pairs[k].first);
	}
	assert_int_equal(blk[0]->lost, REASON_SUSPENDED);
	assert_int_equal(blk[0]->lost_side, SIDE_CNT);
	assert_int_equal(blk[0]->pairs_cnt, 1);
	assert_int_equal(blk[1]->lost, REASON_KILLED_BY_SYSTEM);
	assert_int_equal(blk[2]->lost, REASON_NONE);
	assert_null(find_block(b, 6, 1));
	assert_bystander_is_the_same(&rig);
	rig_done(&rig);
}

static void one_side_that_always_dies_is_an_error(void **state)
{
	static const struct sim_fault lost = {.bench = "victim",
					      .stage = 1,
					      .slot = 2,
					      .attempt = UINT_MAX,
					      .pair = 0,
					      .side = SIDE_CANDIDATE,
					      .status = SOURCE_LOST,
					      .reason = REASON_KILLED_BY_SYSTEM};
	struct rig rig;

	(void)state;
	run_with(&rig, &lost, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_ERROR);
	assert_int_equal(rig.rec.benches[0].reason, REASON_KILLED_BY_SYSTEM);
	assert_int_equal(rig.rec.benches[0].reason_side, SIDE_CANDIDATE);
	assert_bystander_is_the_same(&rig);
	rig_done(&rig);
}

static void too_many_lost_blocks_are_undecided(void **state)
{
	static const struct sim_fault lost = {.bench = "victim",
					      .stage = 1,
					      .slot = 2,
					      .attempt = UINT_MAX,
					      .pair = 0,
					      .side = SIDE_CNT,
					      .status = SOURCE_LOST,
					      .reason = REASON_SUSPENDED};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	for (int exhaust = 0; exhaust < 2; exhaust++) {
		rig_init(&rig, 1, pair_of_benches, 2);
		rig.sim.faults = &lost;
		rig.sim.faults_cnt = 1;
		rig.opt.exhaust = exhaust;
		rig_run(&rig);
		b = &rig.rec.benches[0];
		assert_int_equal(b->verdict, BENCH_UNDECIDED);
		assert_int_equal(b->metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
		assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 2);
		assert_int_equal(b->lost_cnt, 4);
		assert_int_equal(b->blocks_cnt, 6);
		assert_int_equal(rig.rec.benches[1].verdict, BENCH_SAME);
		rig_done(&rig);
	}
}

/* Ten of a hundred are forgiven, though not the eleventh of 109. */
static void a_tenth_may_be_lost(void **state)
{
	struct sim_fault faults[11];
	struct rig rig;

	(void)state;
	for (unsigned i = 0; i < 11; i++)
		faults[i] = (struct sim_fault){.bench = "victim",
					       .stage = 1,
					       .slot = 9 * (i + 1),
					       .pair = 0,
					       .status = SOURCE_LOST,
					       .reason = REASON_CPU_GONE};
	faults[10].slot = 98;
	for (unsigned extra = 0; extra < 2; extra++) {
		rig_init(&rig, 1, pair_of_benches, 2);
		rig.opt.exhaust = true;
		rig.opt.policy.blocks_max = 100;
		rig.sim.faults = faults;
		rig.sim.faults_cnt = 10 + extra;
		rig_run(&rig);
		assert_int_equal(rig.rec.benches[0].lost_cnt, 10 + extra);
		assert_int_equal(rig_blocks(&rig.rec.benches[0], 1), extra ? 98 : 100);
		/* stage 1 was settled long before; what is lost later unsettles nothing */
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
		rig_done(&rig);
	}
}

static void an_open_that_is_lost_again_and_again_is_undecided(void **state)
{
	static const struct sim_fault lost = {.bench = "victim",
					      .stage = 0,
					      .attempt = UINT_MAX,
					      .status = SOURCE_LOST,
					      .reason = REASON_KILLED_BY_SYSTEM};
	struct sim_fault once = lost;
	struct rig rig;

	(void)state;
	run_with(&rig, &lost, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
	assert_int_equal(rig.sim.closes, 1);
	rig_done(&rig);
	once.attempt = 0;
	run_with(&rig, &once, 1);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	rig_done(&rig);
}

static void a_broken_engine_says_why(void **state)
{
	static const struct sim_fault broken = {.stage = 1,
						.slot = 1,
						.pair = 0,
						.status = SOURCE_BROKEN,
						.detail = "out of descriptors"};
	struct rig rig;

	(void)state;
	run_with(&rig, &broken, 1);
	assert_int_equal(rig.result, -EIO);
	assert_string_equal(rig.rec.message, "out of descriptors");
	assert_int_equal(rig.sim.closes, 2);
	rig_done(&rig);
}

static void assert_different_results(const struct rec_bench *b)
{
	assert_int_equal(b->verdict, BENCH_ERROR);
	assert_int_equal(b->reason, REASON_DIGEST_DIFFERS);
	assert_int_equal(b->reason_side, SIDE_CNT);
	assert_non_null(strstr(b->detail, "00aa"));
	assert_non_null(strstr(b->detail, "00ab"));
	assert_no_numbers(b);
}

/* `early`: before anything is timed; `late`: what the blocks compute, from the first one on. */
static void different_results_have_no_timing(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "early",
		 .ns = 1000,
		 .ratio = .5,
		 .sample_sd = .01,
		 .digest = {"00aa", "00ab"}},
		{.name = "late",
		 .ns = 1000,
		 .ratio = .5,
		 .sample_sd = .01,
		 .digest = {"00aa", "00aa"},
		 .late_digest = {NULL, "00ab"}},
		{.name = "right",
		 .ns = 1000,
		 .ratio = 1,
		 .sample_sd = .01,
		 .digest = {"00aa", "00aa"},
		 .late_digest = {"00ab", "00ab"}},
		{.name = "half", .ns = 1000, .ratio = 1, .sample_sd = .01, .digest = {"00aa"}},
	};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 4);
	rig_run(&rig);
	b = rig.rec.benches;
	assert_different_results(&b[0]);
	assert_int_equal(b[0].blocks_cnt, 0);
	assert_different_results(&b[1]);
	assert_int_equal(b[1].blocks_cnt, 1);
	assert_int_equal(b[2].verdict, BENCH_SAME);
	assert_int_equal(b[3].verdict, BENCH_SAME);
	assert_non_null(strstr(rig.rec.notes[rig.rec.notes_cnt - 1],
			       "\"half\": the baseline gives a digest of its output"));
	assert_int_equal(rig.rec.exit, 3);
	assert_int_equal(rig.sim.closes, 4);
	rig_done(&rig);
}

/* What the next layer up would do wrong: a metric that no rule of the judge knows is to be judged. */
static void judge_the_unjudgeable(void *arg, const struct run_progress *p)
{
	struct rig *rig = arg;

	(void)p;
	rig->rec.benches[0].metric[METRIC_INVOLUNTARY_SWITCHES].judged = true;
}

/* Ends the run that the test is there to forbid. */
static bool took_far_too_many(void *arg)
{
	const struct rig *rig = arg;
	const struct rec_bench *b = &rig->rec.benches[0];

	return b->blocks_cnt > b->blocks_max[0] + 10;
}

static void a_metric_without_a_judge_does_not_run_forever(void **state)
{
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, pair_of_benches, 2);
	rig.opt.progress = judge_the_unjudgeable;
	rig.opt.interrupted = took_far_too_many;
	rig.opt.arg = &rig;
	rig_run(&rig);
	b = &rig.rec.benches[0];
	assert_int_equal(rig.result, 0);
	assert_int_equal(rig_blocks(b, 1), b->blocks_max[0]);
	assert_int_equal(rig_blocks(b, 2), 0);
	assert_int_equal(b->verdict, BENCH_UNDECIDED);
	assert_int_equal(b->metric[METRIC_INVOLUNTARY_SWITCHES].reason, REASON_NOT_MEASURED);
	assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
	assert_bystander_is_the_same(&rig);
	rig_done(&rig);
}

/* Sanitizers and valgrind see what it would leave behind. */
static void a_block_taken_back_leaves_nothing(void **state)
{
	struct rec_rejected *rejected;
	struct rec_bench b = {0};
	struct rec_block *blk;

	(void)state;
	assert_int_equal(record__add_block(&b, &blk), 0);
	assert_int_equal(rec_block__reserve(blk, 1), 0);
	assert_int_equal(rec_half__reserve_threads(&blk->pairs[0].half[SIDE_BASELINE], 2), 0);
	assert_int_equal(rec_block__add_preemptor(blk, 7, "hog", 100, 1), 0);
	assert_int_equal(rec_block__reject(blk, &rejected), 0);
	assert_int_equal(rec_half__reserve_threads(&rejected->values.half[SIDE_CANDIDATE], 2), 0);
	rec_bench__drop_block(&b);
	assert_int_equal(b.blocks_cnt, 0);
	free(b.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_ends_its_benchmark_only),
		cmocka_unit_test(a_crash_of_both_sides_blames_both),
		cmocka_unit_test(a_benchmark_that_cannot_be_opened_is_an_error),
		cmocka_unit_test(all_errors_are_an_error),
		cmocka_unit_test(a_skip_is_no_error),
		cmocka_unit_test(only_skips_are_nothing_to_compare),
		cmocka_unit_test(a_lost_block_is_taken_again_with_the_same_coins),
		cmocka_unit_test(one_side_that_always_dies_is_an_error),
		cmocka_unit_test(too_many_lost_blocks_are_undecided),
		cmocka_unit_test(a_tenth_may_be_lost),
		cmocka_unit_test(an_open_that_is_lost_again_and_again_is_undecided),
		cmocka_unit_test(a_broken_engine_says_why),
		cmocka_unit_test(different_results_have_no_timing),
		cmocka_unit_test(a_metric_without_a_judge_does_not_run_forever),
		cmocka_unit_test(a_block_taken_back_leaves_nothing),
	};

	return cmocka_run_group_tests_name("run faults", tests, NULL, NULL);
}
