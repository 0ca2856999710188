/* SPDX-License-Identifier: BSD-2-Clause */
/* A change that another timing shows in each stage. Records made by hand. */
#include "test_judge_fixture.h"

enum says { SLOWER, UNDECIDED, SAME };

/* What a timing has in block `slot` so that its stage says that. */
static double ratio(enum says what, unsigned slot)
{
	if (what == SLOWER)
		return 1.1;
	return what == SAME || slot % 2 ? 1 : 1.1;
}

struct story {
	enum metric_id other; /* beside cpu */
	enum says cpu[STAGES_MAX], second[STAGES_MAX];
	enum bench_verdict verdict;
	bool slower;
	size_t stages;
};

static void set_value(struct rec_block *blk, enum metric_id id, double value)
{
	blk->pairs[0].half[SIDE_BASELINE].value[id] = 100;
	blk->pairs[0].half[SIDE_CANDIDATE].value[id] = 100 * value;
}

static void tell(struct bench_rig *rig, const struct story *s)
{
	for (unsigned stage = 1; stage <= STAGES_MAX; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			struct rec_block *blk =
				add_block(rig->b, stage, slot, ratio(s->cpu[stage - 1], slot));

			set_value(blk, s->other, ratio(s->second[stage - 1], slot));
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static void two_timings_init(struct bench_rig *rig, enum metric_id other)
{
	bench_init(rig);
	rig->b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	rig->b->metric[METRIC_CPU_TOTAL].judged = false;
	if (other != METRIC_CPU_TOTAL)
		rig->b->metric[METRIC_CPU_TOTAL].missing = REASON_ONE_SLICE;
	rig->p.judge[other] = true;
	bench_plan(rig);
}

static void some_timing_in_each_of_four_stages(void **state)
{
	static const struct story stories[] = {
		/* each by itself would be suspected */
		{METRIC_WALL,
		 {SLOWER, UNDECIDED, SLOWER, UNDECIDED},
		 {UNDECIDED, SLOWER, UNDECIDED, SLOWER},
		 BENCH_REGRESSED,
		 true,
		 4},
		{METRIC_WALL,
		 {SLOWER, UNDECIDED, SLOWER, UNDECIDED},
		 {UNDECIDED, SLOWER, UNDECIDED, UNDECIDED},
		 BENCH_UNDECIDED,
		 false,
		 4},
		/* not slower by one ends it */
		{METRIC_WALL,
		 {SLOWER, UNDECIDED, SLOWER, SLOWER},
		 {UNDECIDED, SLOWER, SAME, SLOWER},
		 BENCH_UNDECIDED,
		 false,
		 3},
		/* one that says so by itself needs no help */
		{METRIC_WALL,
		 {SLOWER, SLOWER, SLOWER, UNDECIDED},
		 {UNDECIDED, UNDECIDED, UNDECIDED, UNDECIDED},
		 BENCH_REGRESSED,
		 false,
		 3},
		/* cpu_total takes no part */
		{METRIC_CPU_TOTAL,
		 {SLOWER, UNDECIDED, SLOWER, UNDECIDED},
		 {UNDECIDED, SLOWER, UNDECIDED, SLOWER},
		 BENCH_UNDECIDED,
		 false,
		 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		unsigned last = 0;
		struct bench_rig rig;

		two_timings_init(&rig, stories[i].other);
		tell(&rig, &stories[i]);
		for (size_t k = 0; k < rig.b->blocks_cnt; k++)
			if (rig.b->blocks[k].stage > last)
				last = rig.b->blocks[k].stage;
		assert_int_equal(rig.b->verdict, stories[i].verdict);
		assert_int_equal(rig.b->any_timing.slower, stories[i].slower);
		assert_int_equal(last, stories[i].stages);
		assert_int_equal(rig.b->any_timing.timings,
				 stories[i].other == METRIC_CPU_TOTAL ? 1 : 2);
		bench_done(&rig);
	}
}

/* Slower by cpu is enough for a stage: wall is not measured to its end for that. */
static void a_stage_ends_with_the_first_that_is_slower(void **state)
{
	static const struct story s = {.other = METRIC_WALL,
				       .cpu = {SLOWER, UNDECIDED, UNDECIDED, UNDECIDED},
				       .second = {UNDECIDED, SLOWER, SLOWER, SLOWER}};
	size_t blocks[STAGES_MAX] = {0};
	struct bench_rig rig;

	(void)state;
	two_timings_init(&rig, METRIC_WALL);
	tell(&rig, &s);
	for (size_t k = 0; k < rig.b->blocks_cnt; k++)
		blocks[rig.b->blocks[k].stage - 1]++;
	assert_true(rig.b->any_timing.slower);
	assert_int_equal(blocks[0], 60);  /* wall asks for itself */
	assert_int_equal(blocks[1], 120); /* so does cpu, which was suspected */
	assert_int_equal(blocks[2], 14);
	assert_int_equal(blocks[3], 14);
	bench_done(&rig);
}

/* Four timings: each is judged at a quarter of alpha, here where it first can be slower. */
static void many_timings_share_alpha(void **state)
{
	static const enum metric_id more[] = {METRIC_WALL, METRIC_INSTRUCTIONS, METRIC_CYCLES};
	const struct stage_plan *plan;

	(void)state;
	for (size_t cnt = 2; cnt <= 3; cnt++) {
		struct bench_rig rig;
		size_t first;

		bench_init(&rig);
		rig.b->metric[METRIC_INSTRUCTIONS].missing = REASON_NONE;
		if (cnt < 3)
			rig.b->metric[METRIC_CYCLES].missing = REASON_NO_PMU;
		for (size_t i = 0; i < cnt; i++)
			rig.p.judge[more[i]] = true;
		bench_plan(&rig);
		assert_int_equal(policy_plan_at(&rig.p, 60, .01 / (cnt == 3 ? 4 : 1), &plan), 0);
		first = plan->n_min;
		assert_true(cnt == 3 ? first > 12 : first == 12);
		for (unsigned slot = 0; slot < first; slot++) {
			struct rec_block *blk = add_block(rig.b, 1, slot, 1.1);

			for (size_t i = 0; i < cnt; i++)
				set_value(blk, more[i], ratio(UNDECIDED, slot));
			assert_int_equal(judge_bench(rig.b, &rig.p), 0);
			assert_int_equal(rig.b->any_timing.timings, cnt + 1);
			assert_int_equal(rig.b->any_timing.stage[0],
					 slot == first - 1 ? STAGE_SLOWER : STAGE_OPEN);
		}
		bench_done(&rig);
	}
}

/* Pairs that the candidate ended are slower than those that it began, in both timings. */
static void add_ordered(struct bench_rig *rig, unsigned stage, unsigned slot)
{
	double value = slot % 2 ? 1.5 : 1.15;
	struct rec_block *blk = add_block(rig->b, stage, slot, value);

	blk->pairs[0].first = slot % 2 ? SIDE_BASELINE : SIDE_CANDIDATE;
	set_value(blk, METRIC_WALL, value);
}

static void a_verdict_taken_back_does_not_return_by_any(void **state)
{
	struct bench_rig rig;

	(void)state;
	two_timings_init(&rig, METRIC_WALL);
	for (unsigned stage = 1; stage <= STAGES_MAX; stage++)
		for (unsigned slot = 0; judge_wants(rig.b) == stage; slot++) {
			assert_true(stage <= 3);
			add_ordered(&rig, stage, slot);
			assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		}
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.b->metric[METRIC_CPU].reason, REASON_ORDER_EFFECT);
	assert_int_equal(rig.b->metric[METRIC_WALL].reason, REASON_ORDER_EFFECT);
	assert_false(rig.b->any_timing.slower);
	bench_done(&rig);
}

/* By cpu in stages 1 and 3, by wall in 2 and 4, each with a value that `quiet` has of one layout. */
static void tell_with_layouts(struct bench_rig *rig, bool quiet)
{
	for (unsigned stage = 1; stage <= STAGES_MAX; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			double shows = quiet && slot % 4 == 3 ? 1 : 1.1;
			double hides = ratio(UNDECIDED, slot);
			struct rec_block *blk =
				add_block(rig->b, stage, slot, stage % 2 ? shows : hides);

			blk->layout = slot % 4;
			set_value(blk, METRIC_WALL, stage % 2 ? hides : shows);
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static void any_timing_shows_in_every_layout(void **state)
{
	(void)state;
	for (int quiet = 0; quiet < 2; quiet++) {
		struct bench_rig rig;

		two_timings_init(&rig, METRIC_WALL);
		tell_with_layouts(&rig, quiet);
		assert_int_equal(rig.b->any_timing.stages_cnt, 4);
		assert_int_equal(rig.b->any_timing.slower, !quiet);
		assert_int_equal(rig.b->verdict, quiet ? BENCH_UNDECIDED : BENCH_REGRESSED);
		if (quiet)
			assert_int_equal(rig.b->metric[METRIC_CPU].reason, REASON_LAYOUT);
		bench_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_timing_in_each_of_four_stages),
		cmocka_unit_test(a_stage_ends_with_the_first_that_is_slower),
		cmocka_unit_test(many_timings_share_alpha),
		cmocka_unit_test(a_verdict_taken_back_does_not_return_by_any),
		cmocka_unit_test(any_timing_shows_in_every_layout),
	};

	return cmocka_run_group_tests_name("judge any", tests, NULL, NULL);
}
