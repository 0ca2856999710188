/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user demands beside a verdict, and what a gate may have done to one. Records by hand. */
#include "test_judge_fixture.h"

static const struct rec_metric *cpu(const struct bench_rig *rig)
{
	return &rig->b->metric[METRIC_CPU];
}

/* The i-th of values around `ratio`, half of them `spread` above, half below. */
static double value(double ratio, double spread, unsigned i)
{
	return ratio * exp((i * 7 % 10 < 5 ? -spread : spread) * (1 + i % 3) / 3);
}

static void fill(struct bench_rig *rig, double ratio, double spread)
{
	for (unsigned stage = 1; stage <= 3; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			add_block(rig->b, stage, slot, value(ratio, spread, slot));
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static void same_must_be_shown_when_asked(void **state)
{
	static const struct {
		double margin, ratio, spread;
		enum verdict verdict;
		enum reason reason;
		size_t blocks;
	} cases[] = {
		{NAN, 1, .005, VERDICT_SAME, REASON_NONE, 12},
		{1.02, 1, .005, VERDICT_SAME, REASON_NONE, 60},
		/* not slower by far, but not within 1 % */
		{1.01, .99, .005, VERDICT_UNDECIDED, REASON_NOT_PROVEN, 60},
		{1.003, 1, .03, VERDICT_UNDECIDED, REASON_NOT_PROVEN, 60},
		{1.5, 1.1, .001, VERDICT_SLOWER, REASON_NONE, 40},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		bench_init(&rig);
		rig.p.prove_same = cases[i].margin;
		bench_plan(&rig);
		fill(&rig, cases[i].ratio, cases[i].spread);
		assert_int_equal(cpu(&rig)->verdict, cases[i].verdict);
		assert_int_equal(cpu(&rig)->reason, cases[i].reason);
		assert_int_equal(rig.b->blocks_cnt, cases[i].blocks);
		if (cases[i].verdict == VERDICT_SAME)
			assert_int_equal(cpu(&rig)->equivalence.shown, cases[i].margin > 1);
		bench_done(&rig);
	}
}

static void a_margin_must_be_one(void **state)
{
	static const double bad[] = {1, .5, INFINITY};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct policy p;

		policy__init(&p);
		p.prove_same = bad[i];
		assert_int_equal(policy__prepare(&p), -EINVAL);
	}
}

static void a_stage_goes_on_until_it_is_precise(void **state)
{
	static const struct {
		double precision, ratio;
		enum verdict verdict;
		enum reason reason;
	} cases[] = {
		{NAN, 1, VERDICT_SAME, REASON_NONE},
		{1.0105, 1, VERDICT_SAME, REASON_NONE},
		{1.0105, 1.1, VERDICT_SLOWER, REASON_NONE},
		{1.0105, .9, VERDICT_FASTER, REASON_NONE},
		{1.001, 1, VERDICT_UNDECIDED, REASON_IMPRECISE},
		{1.001, 1.1, VERDICT_UNDECIDED, REASON_IMPRECISE},
	};
	size_t first = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stage_result *s;
		struct bench_rig rig;

		bench_init(&rig);
		rig.b->precision = cases[i].precision;
		bench_plan(&rig);
		fill(&rig, cases[i].ratio, .02);
		s = &cpu(&rig)->stage[cpu(&rig)->stages_cnt - 1];
		assert_int_equal(cpu(&rig)->verdict, cases[i].verdict);
		assert_int_equal(cpu(&rig)->reason, cases[i].reason);
		if (i == 0)
			first = s->blocks;
		else
			assert_true(s->blocks > first);
		if (cases[i].reason == REASON_IMPRECISE)
			assert_int_equal(s->blocks, 60);
		else if (cases[i].precision > 1)
			assert_true(log(s->hi / s->lo) / 2 <= log(cases[i].precision));
		bench_done(&rig);
	}
}

/* A pair of the block that the gate rejected at first. */
static void reject(struct rec_block *blk, enum side side, double ratio)
{
	struct rec_rejected *r;

	assert_int_equal(rec_block__reject(blk, &r), 0);
	r->why = REASON_GATED;
	r->side = side;
	r->attempt = (unsigned)blk->rejected_cnt - 1;
	r->values.half[SIDE_BASELINE].value[METRIC_CPU] = 100;
	r->values.half[SIDE_CANDIDATE].value[METRIC_CPU] = 100 * ratio;
}

/* Kept pairs of one ratio, of which the gate's first attempts had another. */
static void fill_gated(struct bench_rig *rig, double kept, double first)
{
	for (unsigned stage = 1; stage <= 3; stage++)
		for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
			struct rec_block *blk = add_block(rig->b, stage, slot, kept);

			reject(blk, slot % 2, first);
			reject(blk, slot % 2, 9); /* a second attempt is nobody's */
			assert_int_equal(judge_bench(rig->b, &rig->p), 0);
		}
}

static void a_verdict_that_the_gate_made_is_sensitive(void **state)
{
	static const struct {
		double kept, first;
		enum verdict verdict;
		enum reason reason;
	} cases[] = {
		{1.1, 1.1, VERDICT_SLOWER, REASON_NONE},
		{1, 1, VERDICT_SAME, REASON_NONE},
		{1.1, 1, VERDICT_UNDECIDED, REASON_SENSITIVE},
		{1, 1.1, VERDICT_UNDECIDED, REASON_SENSITIVE},
		/* both say that it is not slower */
		{1, .9, VERDICT_SAME, REASON_NONE},
	};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		fill_gated(&rig, cases[i].kept, cases[i].first);
		assert_int_equal(cpu(&rig)->verdict, cases[i].verdict);
		assert_int_equal(cpu(&rig)->reason, cases[i].reason);
		bench_done(&rig);
	}
}

/* A block of which the gate kept nothing is taken again; without a gate it would have counted. */
static void a_block_that_the_gate_took_is_the_other_judges(void **state)
{
	(void)state;
	for (int gated = 0; gated < 2; gated++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		for (unsigned slot = 0; slot < 12; slot++) {
			struct rec_block *blk = add_block(rig.b, 1, slot, 1);

			reject(blk, slot % 2, 1.1);
			if (slot >= 3) /* more lost blocks would be too many */
				continue;
			blk->lost = gated ? REASON_GATED : REASON_SUSPENDED;
			blk->pairs_cnt = 0;
			add_block(rig.b, 1, slot, 1);
		}
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		assert_int_equal(cpu(&rig)->verdict, gated ? VERDICT_UNDECIDED : VERDICT_SAME);
		assert_int_equal(cpu(&rig)->reason, gated ? REASON_SENSITIVE : REASON_NONE);
		bench_done(&rig);
	}
}

/* Exact binomial: of 10, two are p = .109, one .021, none .002. */
static void one_side_rejected_more_often_is_undecided(void **state)
{
	static const struct {
		unsigned base, cand, both;
		bool uneven;
	} cases[] = {{0, 10, 0, true}, {10, 0, 0, true}, {1, 9, 0, false}, {5, 5, 0, false},
		     {0, 7, 0, false}, {0, 8, 0, true},	 {0, 0, 12, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		for (unsigned slot = 0; slot < 12; slot++) {
			struct rec_block *blk = add_block(rig.b, 1, slot, 1);

			if (slot < cases[i].base)
				reject(blk, SIDE_BASELINE, 1);
			if (slot < cases[i].cand)
				reject(blk, SIDE_CANDIDATE, 1);
			if (slot < cases[i].both)
				reject(blk, SIDE_CNT, 1);
		}
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		assert_int_equal(rig.b->rejected[SIDE_BASELINE], cases[i].base);
		assert_int_equal(rig.b->rejected[SIDE_CANDIDATE], cases[i].cand);
		assert_int_equal(cpu(&rig)->reason,
				 cases[i].uneven ? REASON_REJECTED_UNEVENLY : REASON_NONE);
		bench_done(&rig);
	}
}

/* Blocks that all benchmarks together asked for come after a verdict, and leave it alone. */
static void what_comes_after_a_verdict_raises_no_doubt(void **state)
{
	static const double firsts[] = {
		1, 1.1}; /* only uneven; and what the other judge calls slower */

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench_rig rig;

		bench_init(&rig);
		bench_plan(&rig);
		for (unsigned slot = 0; slot < 60; slot++) {
			struct rec_block *blk = add_block(rig.b, 1, slot, 1);

			if (slot >= 12)
				reject(blk, i ? slot % 2 : SIDE_CANDIDATE, firsts[i]);
		}
		assert_int_equal(judge_bench(rig.b, &rig.p), 0);
		assert_int_equal(cpu(&rig)->stage[0].blocks, 12);
		assert_int_equal(cpu(&rig)->verdict, VERDICT_SAME);
		bench_done(&rig);
	}
}

/* cpu_total is left where cpu shows slower, counted in blocks: one of them has no value of cpu. */
static void values_that_are_missing_shift_nothing(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	bench_plan(&rig);
	for (unsigned slot = 0; slot < 13; slot++) {
		struct rec_block *blk = add_block(rig.b, 1, slot, slot == 4 ? NAN : 1.1);

		blk->pairs[0].half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 100;
		blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] =
			slot == 4 ? NAN : 100 + (double)(slot % 2) * 10;
	}
	rig.b->blocks[4].pairs[0].half[SIDE_BASELINE].value[METRIC_CPU] = NAN;
	/* the medians of the report are those of the interval's blocks: the last one weighs */
	rig.b->blocks[12].pairs[0].half[SIDE_BASELINE].value[METRIC_CPU] = 1e6;
	rig.b->blocks[12].pairs[0].half[SIDE_CANDIDATE].value[METRIC_CPU] = 1.1e6;
	for (unsigned slot = 0; slot < 6; slot++) {
		rig.b->blocks[slot].pairs[0].half[SIDE_BASELINE].value[METRIC_CPU] *= 10;
		rig.b->blocks[slot].pairs[0].half[SIDE_CANDIDATE].value[METRIC_CPU] *= 10;
	}
	assert_int_equal(judge_bench(rig.b, &rig.p), 0);
	assert_int_equal(cpu(&rig)->stage[0].verdict, STAGE_SLOWER);
	assert_int_equal(cpu(&rig)->stage[0].blocks, 12);
	/* 12 values: five of 1000, six of 100 and the last of a million; without it 100 */
	assert_true(cpu(&rig)->per_iteration[SIDE_BASELINE] == 550);
	assert_int_equal(rig.b->metric[METRIC_CPU_TOTAL].stage[0].blocks, 12);
	bench_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_must_be_shown_when_asked),
		cmocka_unit_test(a_margin_must_be_one),
		cmocka_unit_test(a_stage_goes_on_until_it_is_precise),
		cmocka_unit_test(a_verdict_that_the_gate_made_is_sensitive),
		cmocka_unit_test(a_block_that_the_gate_took_is_the_other_judges),
		cmocka_unit_test(one_side_rejected_more_often_is_undecided),
		cmocka_unit_test(what_comes_after_a_verdict_raises_no_doubt),
		cmocka_unit_test(values_that_are_missing_shift_nothing),
	};

	return cmocka_run_group_tests_name("judge demands", tests, NULL, NULL);
}
