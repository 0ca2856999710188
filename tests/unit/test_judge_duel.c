/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule of duel over records made by hand. */
#include "test_judge_fixture.h"

enum says { SLOWER, UNDECIDED, SAME, FASTER };

/* What a timing has in block `slot` so that its measurement says that, at the first look or never. */
static double ratio(enum says what, unsigned slot)
{
	switch (what) {
	case SLOWER:
		return 1.1;
	case FASTER:
		return .9;
	case UNDECIDED:
		return slot % 2 ? 1 : 1.1;
	case SAME:
		break;
	}
	return 1;
}

struct story {
	enum says cpu[STAGES_MAX], wall[STAGES_MAX];
	enum duel_result result;
	size_t measurements, counted;
	enum bench_verdict bench;
	enum verdict verdict; /* of cpu */
	enum reason reason;
	size_t stages;
};

static void rig_start(struct bench_rig *rig, bool wall)
{
	bench_init(rig);
	rig->p.rule = RULE_DUEL;
	rig->p.judge[METRIC_WALL] = wall;
	bench_plan(rig);
}

static void set_wall(struct rec_block *blk, double value)
{
	blk->pairs[0].half[SIDE_BASELINE].value[METRIC_WALL] = 100;
	blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_WALL] = 100 * value;
}

static void tell(struct bench_rig *rig, const struct story *s)
{
	for (unsigned stage = 1; stage <= STAGES_MAX; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			set_wall(add_block(rig->b, stage, slot, ratio(s->cpu[stage - 1], slot)),
				 ratio(s->wall[stage - 1], slot));
			assert_true(slot < DUEL_BLOCKS);
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static const struct rec_metric *cpu(const struct bench_rig *rig)
{
	return &rig->b->metric[METRIC_CPU];
}

static void check(const struct story *s, bool wall)
{
	struct bench_rig rig;

	rig_start(&rig, wall);
	tell(&rig, s);
	assert_int_equal(rig.b->duel.result, s->result);
	assert_int_equal(rig.b->duel.measurements, s->measurements);
	assert_int_equal(rig.b->duel.counted, s->counted);
	assert_int_equal(rig.b->verdict, s->bench);
	assert_int_equal(cpu(&rig)->verdict, s->verdict);
	assert_int_equal(cpu(&rig)->reason, s->reason);
	assert_int_equal(cpu(&rig)->stages_cnt, s->stages);
	assert_int_equal(cpu(&rig)->not_confirmed, s->verdict == VERDICT_SAME && s->stages > 1);
	bench_done(&rig);
}

static void a_chain_of_measurements(void **state)
{
	static const struct story stories[] = {
		{{SAME}, {0}, DUEL_PASS, 1, 1, BENCH_SAME, VERDICT_SAME, REASON_NONE, 1},
		{{FASTER}, {0}, DUEL_PASS, 1, 1, BENCH_FASTER, VERDICT_FASTER, REASON_NONE, 1},
		{{UNDECIDED},
		 {0},
		 DUEL_PASS,
		 1,
		 1,
		 BENCH_UNDECIDED,
		 VERDICT_UNDECIDED,
		 REASON_NEAR_LIMIT,
		 1},
		{{SLOWER, SLOWER, SLOWER, SLOWER},
		 {0},
		 DUEL_REGRESSED,
		 4,
		 4,
		 BENCH_REGRESSED,
		 VERDICT_SLOWER,
		 REASON_NONE,
		 4},
		{{SLOWER, SLOWER, SLOWER, SAME},
		 {0},
		 DUEL_CLEARED,
		 4,
		 4,
		 BENCH_SAME,
		 VERDICT_SAME,
		 REASON_NONE,
		 4},
		{{SLOWER, FASTER},
		 {0},
		 DUEL_CLEARED,
		 2,
		 2,
		 BENCH_SAME,
		 VERDICT_SAME,
		 REASON_NONE,
		 2},
		/* a confirmation that cannot tell is measured once more */
		{{SLOWER, UNDECIDED, SLOWER, UNDECIDED, SLOWER, UNDECIDED, SLOWER},
		 {0},
		 DUEL_REGRESSED,
		 7,
		 4,
		 BENCH_REGRESSED,
		 VERDICT_SLOWER,
		 REASON_NONE,
		 7},
		{{SLOWER, UNDECIDED, UNDECIDED, UNDECIDED, UNDECIDED},
		 {0},
		 DUEL_UNDECIDED,
		 5,
		 1,
		 BENCH_UNDECIDED,
		 VERDICT_UNDECIDED,
		 REASON_SUSPECTED,
		 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
		check(&stories[i], false);
}

static void two_timings(void **state)
{
	static const struct story stories[] = {
		{{SLOWER, UNDECIDED, SLOWER, UNDECIDED, SLOWER},
		 {UNDECIDED, SLOWER, UNDECIDED, SLOWER, UNDECIDED},
		 DUEL_REGRESSED_ANY,
		 5,
		 5,
		 BENCH_REGRESSED,
		 VERDICT_UNDECIDED,
		 REASON_SUSPECTED,
		 2},
		/* the second of them alone */
		{{SAME, UNDECIDED, SAME, SAME},
		 {SLOWER, SLOWER, SLOWER, SLOWER},
		 DUEL_REGRESSED,
		 4,
		 4,
		 BENCH_REGRESSED,
		 VERDICT_SAME,
		 REASON_NONE,
		 1},
		/* one of them clears it, the other stays what it was */
		{{SLOWER, SAME},
		 {SAME, SAME},
		 DUEL_CLEARED,
		 2,
		 2,
		 BENCH_SAME,
		 VERDICT_SAME,
		 REASON_NONE,
		 2},
		{{SLOWER, UNDECIDED, SLOWER},
		 {UNDECIDED, SLOWER, SAME},
		 DUEL_CLEARED,
		 3,
		 3,
		 BENCH_UNDECIDED,
		 VERDICT_UNDECIDED,
		 REASON_SUSPECTED,
		 2},
		/* replaced is only what no timing could tell */
		{{SLOWER, UNDECIDED, UNDECIDED},
		 {SAME, UNDECIDED, SAME},
		 DUEL_CLEARED,
		 3,
		 2,
		 BENCH_UNDECIDED,
		 VERDICT_UNDECIDED,
		 REASON_SUSPECTED,
		 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
		check(&stories[i], true);
}

/* What is ours neither replaces nor clears a measurement of theirs. */
static void the_total_has_a_chain_of_its_own(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	rig.p.rule = RULE_DUEL;
	bench_plan(&rig);
	for (unsigned stage = 1; stage <= 4; stage++)
		for (unsigned slot = 0; judge_wants(rig.b) == stage; slot++) {
			struct rec_block *blk = add_block(rig.b, stage, slot, ratio(SAME, slot));

			blk->pairs[0].half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 100;
			blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] = 110;
			assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		}
	assert_int_equal(rig.b->duel.result, DUEL_PASS);
	assert_int_equal(rig.b->duel.measurements, 1);
	assert_int_equal(cpu(&rig)->verdict, VERDICT_SAME);
	assert_int_equal(rig.b->metric[METRIC_CPU_TOTAL].verdict, VERDICT_SLOWER);
	assert_int_equal(rig.b->metric[METRIC_CPU_TOTAL].stages_cnt, 4);
	assert_int_equal(rig.b->verdict, BENCH_REGRESSED);
	bench_done(&rig);
}

static void looked_at_after_tens(void **state)
{
	struct bench_rig rig;

	(void)state;
	rig_start(&rig, false);
	/* with one of eleven above the limit a look in between would have called it same */
	for (unsigned slot = 0; judge_wants(rig.b) == 1; slot++) {
		add_block(rig.b, 1, slot, slot == 5 ? 1.1 : 1);
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		assert_int_equal(cpu(&rig)->verdict, slot < 19 ? VERDICT_NONE : VERDICT_SAME);
	}
	assert_int_equal(cpu(&rig)->stage[0].blocks, 20);
	assert_int_equal(cpu(&rig)->stage[0].s, 1);
	assert_int_equal(cpu(&rig)->stage[0].f, 19);
	/* no spread: what would have been seen is anything above the limit */
	assert_true(cpu(&rig)->detectable == 1.02);
	bench_done(&rig);
}

static void all_measurements_are_as_long(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.p.rule = RULE_DUEL;
	for (size_t i = 0; i < STAGES_MAX; i++)
		rig.b->blocks_max[i] = 20; /* a source's wish for a slow benchmark */
	rig.b->precision = 1.001;
	bench_plan(&rig);
	for (size_t i = 0; i < STAGES_MAX; i++)
		assert_int_equal(rig.b->blocks_max[i], DUEL_BLOCKS);
	assert_true(isnan(rig.b->precision));
	bench_done(&rig);
	bench_init(&rig);
	bench_plan(&rig);
	assert_int_equal(rig.b->blocks_max[ANY_STAGES - 1], 120);
	assert_int_equal(rig.b->blocks_max[ANY_STAGES], 0);
	bench_done(&rig);
}

/* An order effect that takes back the verdict of our own rule is shown, and takes back none of this. */
static void a_verdict_is_not_taken_back(void **state)
{
	(void)state;
	for (int rule = 0; rule < RULE_CNT; rule++) {
		struct bench_rig rig;

		bench_init(&rig);
		rig.p.rule = (enum judge_rule)rule;
		bench_plan(&rig);
		for (unsigned stage = 1; stage <= 4; stage++)
			for (unsigned slot = 0; judge_wants(rig.b) == stage; slot++) {
				struct rec_block *blk =
					add_block(rig.b, stage, slot, slot % 2 ? 1.3 : 1.1);

				/* the second half takes 8 % more */
				blk->pairs[0].first = slot % 2 ? SIDE_BASELINE : SIDE_CANDIDATE;
				assert_int_equal(judge_bench(rig.b, &rig.p), 0);
			}
		assert_true(cpu(&rig)->order_effect > .08);
		assert_int_equal(rig.b->verdict,
				 rule == RULE_DUEL ? BENCH_REGRESSED : BENCH_UNDECIDED);
		bench_done(&rig);
	}
}

static void values_that_are_missing_do_not_come(void **state)
{
	struct bench_rig rig;

	(void)state;
	rig_start(&rig, false);
	for (unsigned slot = 0; judge_wants(rig.b) == 1; slot++) {
		struct rec_block *blk = add_block(rig.b, 1, slot, 1);

		assert_true(slot < DUEL_BLOCKS);
		if (slot % 10)
			blk->pairs[0].half[SIDE_BASELINE].value[METRIC_CPU] = NAN;
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	}
	assert_int_equal(cpu(&rig)->verdict, VERDICT_UNDECIDED);
	assert_int_equal(cpu(&rig)->reason, REASON_NOT_MEASURED);
	bench_done(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_measurements),
		cmocka_unit_test(two_timings),
		cmocka_unit_test(the_total_has_a_chain_of_its_own),
		cmocka_unit_test(looked_at_after_tens),
		cmocka_unit_test(all_measurements_are_as_long),
		cmocka_unit_test(a_verdict_is_not_taken_back),
		cmocka_unit_test(values_that_are_missing_do_not_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
