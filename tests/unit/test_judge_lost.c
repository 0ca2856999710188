/* SPDX-License-Identifier: BSD-2-Clause */
/* Too many lost blocks, told from the record alone. */
#include "test_judge_fixture.h"

static void lose(struct bench_rig *rig, unsigned stage, unsigned slot, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		struct rec_block *blk = add_block(rig->b, stage, slot, 1);

		blk->attempt = i;
		blk->lost = REASON_SUSPENDED;
	}
}

/* `before` blocks of a ratio, `lost` lost ones, then as many more as anybody could want. */
static void judge_stage_with(struct bench_rig *rig, unsigned stage, double ratio, unsigned before,
			     unsigned lost)
{
	unsigned n = (unsigned)rig->b->blocks_max[stage - 1];

	for (unsigned slot = 0; slot < n; slot++) {
		if (slot == before)
			lose(rig, stage, slot, lost);
		add_block(rig->b, stage, slot, ratio);
	}
	assert_int_equal(judge_bench(rig->b, &rig->p), 0);
}

static void start(struct bench_rig *rig)
{
	bench_init(rig);
	bench_plan(rig);
}

static void three_are_forgiven_and_the_fourth_is_not(void **state)
{
	struct bench_rig rig;

	(void)state;
	start(&rig);
	judge_stage_with(&rig, 1, 1, 2, 3);
	assert_false(judge_too_many_lost(rig.b));
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	bench_done(&rig);

	start(&rig);
	judge_stage_with(&rig, 1, 1, 2, 4);
	assert_true(judge_too_many_lost(rig.b));
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.b->metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
	/* what was taken afterwards, as no run does, is not looked at */
	assert_int_equal(rig.b->metric[METRIC_CPU].stage[0].blocks, 2);
	assert_int_equal(judge_wants(rig.b), 0);
	bench_done(&rig);
}

static void a_tenth_is_forgiven(void **state)
{
	struct bench_rig rig;

	(void)state;
	/* 4 of 40, and 4 of 39 */
	start(&rig);
	judge_stage_with(&rig, 1, 1.0199, 36, 4);
	assert_false(judge_too_many_lost(rig.b));
	bench_done(&rig);
	start(&rig);
	judge_stage_with(&rig, 1, 1.0199, 35, 4);
	assert_true(judge_too_many_lost(rig.b));
	bench_done(&rig);
}

static void what_was_settled_stays(void **state)
{
	struct bench_rig rig;

	(void)state;
	start(&rig);
	judge_stage_with(&rig, 1, 1, 12, 4);
	assert_true(judge_too_many_lost(rig.b));
	assert_int_equal(rig.b->verdict, BENCH_SAME);
	bench_done(&rig);

	start(&rig);
	judge_stage_with(&rig, 1, 1, 11, 4);
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	bench_done(&rig);
}

static void a_confirmation_may_lose_too_many(void **state)
{
	struct bench_rig rig;

	(void)state;
	start(&rig);
	judge_stage_with(&rig, 1, 1.5, 60, 0);
	judge_stage_with(&rig, 2, 1.5, 3, 4);
	judge_stage_with(&rig, 3, 1.5, 120, 0);
	assert_int_equal(rig.b->verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.b->metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
	assert_int_equal(rig.b->metric[METRIC_CPU].stages_cnt, 2);
	bench_done(&rig);
}

static void every_open_metric_is_undecided(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_PAGE_FAULTS].judged = true;
	bench_plan(&rig);
	judge_stage_with(&rig, 1, 1, 2, 4);
	assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].reason, REASON_TOO_MANY_LOST);
	assert_int_equal(rig.b->metric[METRIC_PAGE_FAULTS].verdict, VERDICT_UNDECIDED);
	assert_int_equal(rig.b->metric[METRIC_WALL].verdict, VERDICT_NONE);
	bench_done(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_are_forgiven_and_the_fourth_is_not),
		cmocka_unit_test(a_tenth_is_forgiven),
		cmocka_unit_test(what_was_settled_stays),
		cmocka_unit_test(a_confirmation_may_lose_too_many),
		cmocka_unit_test(every_open_metric_is_undecided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
