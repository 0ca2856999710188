/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate: its rules by themselves, and whole runs with it over the simulator. */
#include "test_run_fixture.h"
#include "engine/decide/judge_parts.h"
#include "engine/measure/gate.h"

#define ON(rule) (1u << (rule))

static const gate_rules all_rules = ON(GATE_CANARY) | ON(GATE_WAITING) | ON(GATE_SWITCHES);

/* --- the rules --- */

/* A window of 5 slices of 100 us, 100 iterations each. */
static struct rec_pair quiet_pair(void)
{
	struct rec_pair p = {.first = SIDE_BASELINE};

	rec_pair__forget(&p);
	for (int side = 0; side < SIDE_CNT; side++) {
		struct rec_half *h = &p.half[side];

		h->slices = 5;
		for (size_t i = 0; i < 5; i++)
			h->cpu_ns[i] = h->wall_ns[i] = 1e5;
		h->value[METRIC_WAITING] = 0;
		h->value[METRIC_INVOLUNTARY_SWITCHES] = 0;
	}
	p.canary_ns[0] = p.canary_ns[1] = 45e3;
	return p;
}

static struct rec_bench bench_of_rules(void)
{
	return (struct rec_bench){.n = 100, .k = 5, .m = 3};
}

static enum reason look(struct gate *g, const struct rec_pair *p, enum side *ret)
{
	struct rec_bench b = bench_of_rules();

	*ret = SIDE_CNT;
	return gate_look(g, &b, p, ret);
}

static void names_are_those_of_the_rules(void **state)
{
	char text[GATE_TEXT_MAX];

	(void)state;
	for (enum gate_rule rule = 0; rule < GATE_RULES; rule++)
		assert_int_equal(gate_rule_of(gate_rule_name(rule)), rule);
	assert_int_equal(gate_rule_of("ratio"), GATE_RULES);
	assert_int_equal(gate_rule_of(""), GATE_RULES);
	gate_describe(0, text);
	assert_string_equal(text, "");
	gate_describe(all_rules, text);
	assert_string_equal(text, "canary waiting switches");
}

static void a_quiet_pair_passes_all_rules(void **state)
{
	struct gate g = {.rules = all_rules};
	struct rec_pair p = quiet_pair();
	enum side side;

	(void)state;
	for (int i = 0; i < 300; i++)
		assert_int_equal(look(&g, &p, &side), REASON_NONE);
}

/* 1 % of 500 us are 5 us; a waiting time is one of an iteration of 500. */
static void waiting_is_told_by_its_share_of_the_window(void **state)
{
	static const struct {
		enum side side;
		double us;
		enum reason want;
	} cases[] = {{SIDE_BASELINE, 4.9, REASON_NONE},
		     {SIDE_BASELINE, 5.1, REASON_WAITED},
		     {SIDE_CANDIDATE, 400, REASON_WAITED}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct gate g = {.rules = ON(GATE_WAITING)};
		struct rec_pair p = quiet_pair();
		enum side side;

		p.half[cases[i].side].value[METRIC_WAITING] = cases[i].us * 1e3 / 500;
		assert_int_equal(look(&g, &p, &side), cases[i].want);
		if (cases[i].want != REASON_NONE)
			assert_int_equal(side, cases[i].side);
		g.rules = ON(GATE_SWITCHES) | ON(GATE_CANARY);
		assert_int_equal(look(&g, &p, &side), REASON_NONE);
	}
}

static void any_switch_is_one_too_many(void **state)
{
	struct gate g = {.rules = ON(GATE_SWITCHES)};
	struct rec_pair p = quiet_pair();
	enum side side;

	(void)state;
	p.half[SIDE_CANDIDATE].value[METRIC_INVOLUNTARY_SWITCHES] = 1. / 500;
	assert_int_equal(look(&g, &p, &side), REASON_SWITCHED);
	assert_int_equal(side, SIDE_CANDIDATE);
	p.half[SIDE_BASELINE].value[METRIC_INVOLUNTARY_SWITCHES] = 1. / 500;
	assert_int_equal(look(&g, &p, &side), REASON_SWITCHED);
	assert_int_equal(side, SIDE_CNT);
	g.rules = 0;
	assert_int_equal(look(&g, &p, &side), REASON_NONE);
}

/* Against the median of the last 200, and not before there are 20. */
static void the_canary_is_compared_with_those_before(void **state)
{
	struct gate g = {.rules = ON(GATE_CANARY)};
	struct rec_pair quiet = quiet_pair(), slow = quiet_pair();
	enum side side;

	(void)state;
	slow.canary_ns[0] = 70e3;
	assert_int_equal(look(&g, &slow, &side), REASON_NONE);
	for (int i = 0; i < 10; i++)
		assert_int_equal(look(&g, &quiet, &side), REASON_NONE);
	assert_int_equal(look(&g, &slow, &side), REASON_SLOW_CANARY);
	assert_int_equal(side, SIDE_CNT);
	slow.canary_ns[0] = 67e3; /* 1.5 times are 67.5 */
	assert_int_equal(look(&g, &slow, &side), REASON_NONE);
	/* a host that stays slow is how the host is */
	slow.canary_ns[0] = slow.canary_ns[1] = 90e3;
	for (int i = 0; i < 150; i++)
		(void)look(&g, &slow, &side);
	assert_int_equal(look(&g, &slow, &side), REASON_NONE);
	assert_int_equal(look(&g, &quiet, &side), REASON_NONE);
}

/* However few pairs a block has, one that hides behind the last of its tries comes out. */
static void a_block_has_so_many_tries(void **state)
{
	(void)state;
	assert_int_equal(gate_tries_max(3), 30);
	assert_int_equal(gate_tries_max(30), 30);
	assert_int_equal(gate_tries_max(31), 31);
}

static void what_is_not_measured_disturbs_nothing(void **state)
{
	struct gate g = {.rules = all_rules};
	struct rec_bench b = bench_of_rules();
	struct rec_pair p = quiet_pair();
	enum side side;

	(void)state;
	for (int i = 0; i < 20; i++)
		(void)look(&g, &p, &side);
	rec_pair__forget(&p);
	assert_int_equal(look(&g, &p, &side), REASON_NONE);
	assert_int_equal(gate_blind_to(all_rules, &b), GATE_RULES);
	b.metric[METRIC_WAITING].missing = REASON_NO_BPF;
	assert_int_equal(gate_blind_to(all_rules, &b), GATE_WAITING);
	assert_int_equal(gate_blind_to(ON(GATE_CANARY), &b), GATE_RULES);
	/* every command is switched away as it ends */
	b.kind = BENCH_COMMAND;
	p = quiet_pair();
	p.half[0].value[METRIC_INVOLUNTARY_SWITCHES] = 1;
	assert_int_equal(gate_look(&g, &b, &p, &side), REASON_NONE);
	assert_int_equal(gate_blind_to(ON(GATE_SWITCHES), &b), GATE_SWITCHES);
	assert_int_equal(gate_blind_to(ON(GATE_WAITING), &b), GATE_WAITING);
	b.metric[METRIC_WAITING].missing = REASON_NONE;
	assert_int_equal(gate_blind_to(ON(GATE_WAITING), &b), GATE_RULES);
}

/* --- whole runs --- */

static void run_gated(struct rig *rig, const struct sim_bench *bench, gate_rules rules)
{
	rig_init(rig, 1, bench, 1);
	rig->opt.gate = rules;
	rig_run(rig);
	assert_int_equal(rig->result, 0);
}

static size_t rejected_in(const struct rec_bench *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		n += b->blocks[i].rejected_cnt;
	return n;
}

static double slowest_kept_ns(const struct rec_bench *b)
{
	double worst = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		for (size_t k = 0; k < b->blocks[i].pairs_cnt; k++)
			for (int side = 0; side < SIDE_CNT; side++)
				worst = fmax(worst,
					     b->blocks[i].pairs[k].half[side].value[METRIC_WALL]);
	return worst;
}

static struct sim_bench disturbed(double p, gate_rules shows)
{
	return (struct sim_bench){.name = "a",
				  .ns = 1000,
				  .ratio = 1,
				  .sample_sd = .001,
				  .disturbed_p = {p, p},
				  .disturbance = .5,
				  .shows = shows};
}

static void without_a_gate_everything_is_kept(void **state)
{
	struct sim_bench bench = disturbed(.2, all_rules);
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_gated(&rig, &bench, 0);
	b = rig.rec.benches;
	assert_int_equal(rejected_in(b), 0);
	assert_null(rig.rec.gate);
	assert_true(slowest_kept_ns(b) > 1400);
	assert_true(isnan(b->blocks[0].pairs[0].canary_ns[0]));
	rig_done(&rig);
}

/* Attempts of a place count from 0, and each is there. */
static void assert_attempts_in_order(const struct rec_block *blk, size_t m)
{
	unsigned next[33] = {0};

	for (size_t i = 0; i < blk->rejected_cnt; i++) {
		const struct rec_rejected *r = &blk->rejected[i];

		assert_true(r->pair < m);
		assert_int_equal(r->attempt, next[r->pair]++);
		assert_int_equal(r->values.first, blk->coins.majority == r->values.first
							  ? blk->coins.majority
							  : !blk->coins.majority);
		assert_true(isfinite(r->values.half[SIDE_BASELINE].value[METRIC_CPU]));
	}
	for (size_t i = 0; i < m; i++)
		assert_true(next[i] <= GATE_RETRIES + 1);
}

static void each_rule_keeps_what_it_sees_out(void **state)
{
	static const enum reason whys[] = {REASON_SLOW_CANARY, REASON_WAITED, REASON_SWITCHED};

	(void)state;
	for (enum gate_rule rule = 0; rule < GATE_RULES; rule++) {
		struct sim_bench bench = disturbed(.15, ON(rule));
		const struct rec_bench *b;
		size_t kept = 0;
		struct rig rig;

		rig_init(&rig, 1, &bench, 1);
		rig.opt.gate = ON(rule);
		rig.opt.plan_blocks = 4; /* the canaries before the first judged block */
		rig_run(&rig);
		b = rig.rec.benches;
		assert_true(rejected_in(b) > 5);
		assert_string_equal(rig.rec.gate, gate_rule_name(rule));
		for (size_t i = 0; i < b->blocks_cnt; i++) {
			const struct rec_block *blk = &b->blocks[i];

			assert_attempts_in_order(blk, b->m);
			assert_true(blk->stage > 0 || blk->rejected_cnt == 0);
			for (size_t k = 0; k < blk->rejected_cnt; k++)
				assert_int_equal(blk->rejected[k].why, whys[rule]);
			for (size_t k = 0; blk->stage > 0 && k < blk->pairs_cnt; k++) {
				kept++;
				assert_true(k == 0 ||
					    blk->pairs[k].place > blk->pairs[k - 1].place);
				for (int side = 0; side < SIDE_CNT; side++)
					assert_true(blk->pairs[k].half[side].value[METRIC_WALL] <
						    1100);
			}
		}
		assert_true(kept > 30);
		assert_int_equal(b->verdict, BENCH_SAME);
		assert_int_equal(rig.rec.notes_cnt, 0);
		rig_done(&rig);
	}
}

/* Nothing is kept: four tries of each pair, then the block is lost, then too many are. */
static void a_host_that_is_never_quiet_is_told(void **state)
{
	struct sim_bench bench = disturbed(1, ON(GATE_SWITCHES));
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	run_gated(&rig, &bench, ON(GATE_SWITCHES));
	b = rig.rec.benches;
	assert_int_equal(b->lost_cnt, 4);
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		assert_int_equal(b->blocks[i].lost, REASON_GATED);
		assert_int_equal(b->blocks[i].rejected_cnt, 3 * (1 + GATE_RETRIES));
		assert_int_equal(b->blocks[i].pairs_cnt, 0);
		assert_attempts_in_order(&b->blocks[i], b->m);
	}
	assert_int_equal(b->verdict, BENCH_UNDECIDED);
	assert_int_equal(b->metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
	rig_done(&rig);
}

/* 30 tries of 9 pairs, and every pair has one. */
static void tries_of_a_block_are_counted(void **state)
{
	struct sim_bench bench = disturbed(1, ON(GATE_SWITCHES));
	const struct rec_block *blk;
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, &bench, 1);
	rig.opt.gate = ON(GATE_SWITCHES);
	rig.sim.source.options.pairs = 9;
	rig_run(&rig);
	blk = &rig.rec.benches[0].blocks[0];
	assert_int_equal(blk->rejected_cnt, GATE_BLOCK_TRIES);
	assert_int_equal(blk->rejected[GATE_BLOCK_TRIES - 1].pair, 8);
	rig_done(&rig);
	rig_init(&rig, 1, &bench, 1);
	rig.opt.gate = ON(GATE_SWITCHES);
	rig.sim.source.options.pairs = 33;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].blocks[0].rejected_cnt, 33);
	rig_done(&rig);
}

/* Some pairs are given up and the others make the block, an odd number of them. */
static void a_block_of_fewer_pairs_counts(void **state)
{
	struct sim_bench bench = disturbed(.5, ON(GATE_SWITCHES));
	const struct rec_bench *b;
	size_t fewer = 0;
	struct rig rig;

	(void)state;
	run_gated(&rig, &bench, ON(GATE_SWITCHES));
	b = rig.rec.benches;
	for (size_t i = 0; i < b->blocks_cnt; i++)
		fewer += b->blocks[i].lost == REASON_NONE && b->blocks[i].pairs_cnt < b->m;
	assert_true(fewer > 3);
	assert_true(b->metric[METRIC_CPU].stage[0].blocks >= 12);
	assert_true(fabs(b->metric[METRIC_CPU].stage[0].median - 1) < .002);
	assert_int_not_equal(b->verdict, BENCH_REGRESSED);
	rig_done(&rig);
}

/*
 * What both sides suffer from hides nothing: where the judge of first attempts needs more blocks than the
 * gate's, the stage takes them.
 */
static void a_slowdown_is_found_through_the_gate(void **state)
{
	size_t found = 0, longer = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct sim_bench bench = disturbed(.1, ON(GATE_SWITCHES));
		const struct rec_metric *m;
		struct rig rig;

		bench.ratio = 1.05;
		bench.disturbance = .1;
		rig_init(&rig, seed, &bench, 1);
		rig.opt.gate = ON(GATE_SWITCHES);
		rig_run(&rig);
		m = &rig.rec.benches[0].metric[METRIC_CPU];
		found += m->verdict == VERDICT_SLOWER;
		for (size_t i = 0, taken = 0; i < rig.rec.benches[0].blocks_cnt; i++) {
			taken += rig.rec.benches[0].blocks[i].stage == 1;
			longer += taken == m->stage[0].blocks + 1;
		}
		rig_done(&rig);
	}
	assert_true(found >= 9);
	assert_true(longer > 0);
}

/* A gate that sees one side only must not decide. */
static void one_side_that_is_rejected_is_no_verdict(void **state)
{
	struct sim_bench bench = disturbed(0, ON(GATE_SWITCHES));
	struct rig rig;

	(void)state;
	bench.disturbed_p[SIDE_CANDIDATE] = .3;
	run_gated(&rig, &bench, ON(GATE_SWITCHES));
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].reason, REASON_REJECTED_UNEVENLY);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.rec.benches[0].rejected[SIDE_BASELINE], 0);
	assert_true(rig.rec.benches[0].rejected[SIDE_CANDIDATE] > 5);
	rig_done(&rig);
}

static void set_ratio(struct rec_pair *p, double ratio)
{
	p->half[SIDE_BASELINE].value[METRIC_WALL] = 100;
	p->half[SIDE_CANDIDATE].value[METRIC_WALL] = 100 * ratio;
}

/* The judge that knows no gate finds each pair in its place, also behind one that was given up. */
static void first_tries_are_found_by_their_place(void **state)
{
	struct rec_bench b = {0};
	struct rec_rejected *r;
	struct rec_block *blk;

	(void)state;
	assert_int_equal(record__add_block(&b, &blk), 0);
	assert_int_equal(rec_block__reserve(blk, 3), 0);
	assert_int_equal(rec_block__reject(blk, &r), 0);
	set_ratio(&r->values, 1.5);
	set_ratio(&blk->pairs[0], 1.2);
	blk->pairs[0].place = 1;
	set_ratio(&blk->pairs[1], 1.9);
	blk->pairs[1].place = 2;
	blk->pairs_cnt = 2;
	assert_true(fabs(first_attempts_ratio(blk, METRIC_WALL, 3) - 1.5) < 1e-12);
	assert_true(fabs(judge_block_ratio(blk, METRIC_WALL) - 1.2) < 1e-12);
	rec_bench__drop_block(&b);
	free(b.blocks);
}

static void a_rule_without_eyes_is_told(void **state)
{
	struct sim_bench bench = disturbed(.1, ON(GATE_SWITCHES));
	struct rig rig;

	(void)state;
	run_gated(&rig, &bench, ON(GATE_WAITING));
	assert_int_equal(rejected_in(rig.rec.benches), 0);
	assert_int_equal(rig.rec.notes_cnt, 1);
	assert_non_null(strstr(rig.rec.notes[0], "\"waiting\""));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_rules),
		cmocka_unit_test(a_quiet_pair_passes_all_rules),
		cmocka_unit_test(waiting_is_told_by_its_share_of_the_window),
		cmocka_unit_test(any_switch_is_one_too_many),
		cmocka_unit_test(the_canary_is_compared_with_those_before),
		cmocka_unit_test(a_block_has_so_many_tries),
		cmocka_unit_test(what_is_not_measured_disturbs_nothing),
		cmocka_unit_test(without_a_gate_everything_is_kept),
		cmocka_unit_test(each_rule_keeps_what_it_sees_out),
		cmocka_unit_test(a_host_that_is_never_quiet_is_told),
		cmocka_unit_test(tries_of_a_block_are_counted),
		cmocka_unit_test(a_block_of_fewer_pairs_counts),
		cmocka_unit_test(a_slowdown_is_found_through_the_gate),
		cmocka_unit_test(one_side_that_is_rejected_is_no_verdict),
		cmocka_unit_test(first_tries_are_found_by_their_place),
		cmocka_unit_test(a_rule_without_eyes_is_told),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
