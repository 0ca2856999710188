/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"
#include <stdio.h>
#include "report/json.h"
#include "engine/measure/schedule.h"

static void equal_code_is_the_same_after_twelve_blocks(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1), QUIET("b", 1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 2);
	rig_run(&rig);
	assert_int_equal(rig.result, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];

		assert_int_equal(b->verdict, BENCH_SAME);
		assert_int_equal(b->blocks_cnt, 12);
		assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
		assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 12);
		assert_true(b->metric[METRIC_CPU].stage[0].lo <= 1);
		assert_true(b->metric[METRIC_CPU].stage[0].hi >= 1);
		assert_true(b->metric[METRIC_CPU].detectable > 1.02);
		assert_true(fabs(b->metric[METRIC_CPU].per_iteration[SIDE_BASELINE] - 1000) < 20);
		assert_false(b->metric[METRIC_WALL].judged);
		assert_true(b->seconds > 0);
	}
	assert_int_equal(rig.rec.status, STATUS_PASSED);
	assert_int_equal(rig.rec.exit, 0);
	assert_int_equal(rig.sim.opens, 2);
	assert_int_equal(rig.sim.closes, 2);
	assert_int_equal(rig.sim.stages, 2);
	rig_done(&rig);
}

/* Each stage stands on blocks of its own, taken from slot 0 with coins of its own. */
static void five_percent_is_regressed_after_three_stages(void **state)
{
	static const struct sim_bench benches[] = {QUIET("slow", 1.05), QUIET("equal", 1)};
	const struct rec_bench *b;
	unsigned next[4] = {0}, last = 0;
	struct rig rig;

	(void)state;
	rig_init(&rig, 2, benches, 2);
	rig_run(&rig);
	b = &rig.rec.benches[0];
	assert_int_equal(b->verdict, BENCH_REGRESSED);
	assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SLOWER);
	assert_int_equal(b->metric[METRIC_CPU].stages_cnt, 3);
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];
		struct rec_coins coins = schedule_coins(2, "slow", blk->stage, blk->slot, b->m);

		assert_true(blk->stage >= last);
		assert_int_equal(blk->slot, next[blk->stage]++);
		assert_memory_equal(&blk->coins, &coins, sizeof(coins));
		last = blk->stage;
	}
	for (unsigned s = 1; s <= 3; s++) {
		assert_true(next[s] > 0);
		assert_int_equal(b->metric[METRIC_CPU].stage[s - 1].s, next[s]);
	}
	assert_int_equal(rig.sim.stages, 1 + 3);
	assert_int_equal(rig_blocks(&rig.rec.benches[1], 2), 0);
	assert_int_equal(rig.rec.status, STATUS_FAILED);
	assert_int_equal(rig.rec.exit, 1);
	rig_done(&rig);
}

static void a_ratio_at_the_limit_is_not_regressed(void **state)
{
	static const struct sim_bench benches[] = {QUIET("edge", 1.02)};

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct rig rig;

		rig_init(&rig, seed, benches, 1);
		rig_run(&rig);
		assert_int_not_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
		rig_done(&rig);
	}
}

static void faster_needs_one_stage(void **state)
{
	static const struct sim_bench benches[] = {QUIET("fast", .95)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 3, benches, 1);
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_FASTER);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].stages_cnt, 1);
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

static void noise_beyond_the_limit_is_undecided(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "noisy", .ns = 50, .ratio = 1.02, .process_sd = .05, .sample_sd = .01},
	};
	const struct rec_metric *m;
	struct rig rig;

	(void)state;
	rig_init(&rig, 4, benches, 1);
	rig.rec.strict = true;
	rig_run(&rig);
	m = &rig.rec.benches[0].metric[METRIC_CPU];
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(m->reason, REASON_NEAR_LIMIT);
	assert_int_equal(m->stage[0].blocks, 60);
	assert_true(m->detectable > 1.03);
	assert_int_equal(rig.rec.status, STATUS_UNDECIDED);
	assert_int_equal(rig.rec.exit, 2);
	rig_done(&rig);
}

static void what_a_confirmation_does_not_find_is_the_same(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "once", .ns = 1000, .ratio = 1, .stage_ratio = {1.05}, .sample_sd = .005},
		{.name = "twice",
		 .ns = 1000,
		 .ratio = 1,
		 .stage_ratio = {1.05, 1.05},
		 .sample_sd = .005},
		{.name = "turned",
		 .ns = 1000,
		 .ratio = .9,
		 .stage_ratio = {1.05},
		 .sample_sd = .005},
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, 5, benches, 3);
	rig_run(&rig);
	for (size_t i = 0; i < 3; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];

		assert_int_equal(b->verdict, BENCH_SAME);
		assert_true(b->metric[METRIC_CPU].not_confirmed);
		assert_int_equal(b->metric[METRIC_CPU].stages_cnt, i == 1 ? 3 : 2);
		assert_true(fabs(b->metric[METRIC_CPU].stage[0].median - 1.05) < .01);
	}
	rig_done(&rig);
}

static void what_a_confirmation_cannot_tell_is_suspected(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "maybe",
		 .ns = 1000,
		 .ratio = 1.02,
		 .stage_ratio = {1.3},
		 .process_sd = .03},
	};
	const struct rec_metric *m;
	struct rig rig;

	(void)state;
	rig_init(&rig, 6, benches, 1);
	rig_run(&rig);
	m = &rig.rec.benches[0].metric[METRIC_CPU];
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(m->reason, REASON_SUSPECTED);
	assert_int_equal(m->stage[1].blocks, 120);
	rig_done(&rig);
}

/*
 * The median of the slices is blind to one of ten; the sum over a block is not, although one window
 * in two of five slices has none: +3 % in truth above 1.005 and +5 % above 1.02.
 */
static void a_rare_cost_regresses_by_the_total(void **state)
{
	static const struct {
		double cost, limit;
	} cases[] = {{.3, 1.005}, {.5, 1.02}};

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct sim_bench bench = {.name = "rare", .ns = 1000, .ratio = 1};
		const struct rec_bench *b;
		struct rig rig;

		bench.sample_sd = seed % 2 ? .01 : .001;
		bench.rare_cost = cases[seed / 10].cost;
		rig_init(&rig, seed, &bench, 1);
		rig.opt.policy.limit[METRIC_CPU] = cases[seed / 10].limit;
		rig_run(&rig);
		b = &rig.rec.benches[0];
		assert_int_equal(b->metric[METRIC_CPU].verdict, VERDICT_SAME);
		assert_int_equal(b->metric[METRIC_CPU].stages_cnt, 1);
		assert_int_equal(b->metric[METRIC_CPU_TOTAL].verdict, VERDICT_SLOWER);
		assert_int_equal(b->metric[METRIC_CPU_TOTAL].stages_cnt, 3);
		assert_int_equal(b->verdict, BENCH_REGRESSED);
		rig_done(&rig);
	}
}

static void an_undecided_total_leaves_a_settled_benchmark_settled(void **state)
{
	static const struct sim_bench benches[] = {
		/* one costly slice in half of the blocks, two in the other half: +1.3 and +2.7 % */
		{.name = "edge", .ns = 1000, .ratio = 1, .sample_sd = .001, .rare_cost = .2},
	};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 8, benches, 1);
	rig_run(&rig);
	b = &rig.rec.benches[0];
	assert_int_equal(b->metric[METRIC_CPU_TOTAL].verdict, VERDICT_UNDECIDED);
	assert_int_equal(b->metric[METRIC_CPU].stage[0].blocks, 12);
	assert_int_equal(b->blocks_cnt, 60);
	assert_int_equal(b->verdict, BENCH_SAME);
	rig_done(&rig);
}

/* Noise of the total that `cpu` is blind to must not hold up what `cpu` sees. */
static void a_total_that_lags_behind_is_not_followed(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "slow", .ns = 1000, .ratio = 1.05, .sample_sd = .001},
		/* the same, but for a total whose ratio is near the limit */
		{.name = "lags", .ns = 1000, .ratio = 1.05, .sample_sd = .001, .rare_cost = -.3},
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, 8, benches, 2);
	rig_run(&rig);
	for (size_t i = 0; i < 2; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];
		const struct rec_metric *cpu = &b->metric[METRIC_CPU];

		assert_int_equal(b->verdict, BENCH_REGRESSED);
		assert_int_equal(cpu->stages_cnt, 3);
		assert_int_equal(b->blocks_cnt, cpu->stage[0].blocks + cpu->stage[1].blocks +
							cpu->stage[2].blocks);
	}
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU_TOTAL].verdict, VERDICT_SLOWER);
	assert_int_equal(rig.rec.benches[1].metric[METRIC_CPU_TOTAL].verdict, VERDICT_UNDECIDED);
	rig_done(&rig);
}

static void counts_are_judged_when_asked(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "more", .ns = 1000, .ratio = 1, .sample_sd = .005, .page_faults = {1, 2}},
		{.name = "fewer", .ns = 1000, .ratio = 1, .sample_sd = .005, .page_faults = {2, 1}},
		{.name = "equal",
		 .ns = 1000,
		 .ratio = 1,
		 .sample_sd = .005,
		 .page_faults = {2, 2.5}},
	};
	struct rig rig;

	(void)state;
	for (int asked = 0; asked < 2; asked++) {
		const struct rec_bench *b;

		rig_init(&rig, 9, benches, 3);
		rig.opt.policy.judge[METRIC_PAGE_FAULTS] = asked;
		rig_run(&rig);
		b = rig.rec.benches;
		assert_int_equal(b[0].verdict, asked ? BENCH_REGRESSED : BENCH_CHANGED);
		assert_int_equal(rig_blocks(&b[0], 3), asked ? 14 : 0);
		assert_int_equal(b[1].verdict, BENCH_CHANGED);
		assert_int_equal(b[1].blocks_cnt, 12);
		assert_int_equal(b[2].verdict, BENCH_SAME); /* not by more than the limit */
		rig_done(&rig);
	}
}

static void long_benchmarks_have_twenty_blocks(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "long", .ns = 2e9, .ratio = 1.02, .process_sd = .05, .blocks_max = 20},
		QUIET("short", 1.05),
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, 10, benches, 2);
	rig.sim.k = 1;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 20);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_UNDECIDED);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU_TOTAL].missing, REASON_ONE_SLICE);
	assert_false(rig.rec.benches[0].metric[METRIC_CPU_TOTAL].judged);
	assert_int_equal(rig.rec.benches[1].verdict, BENCH_REGRESSED);
	rig_done(&rig);
}

static void exhausting_takes_every_block(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1), QUIET("b", 1.05)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 11, benches, 2);
	rig.opt.exhaust = true;
	rig_run(&rig);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rig_blocks(&rig.rec.benches[i], 1), 60);
		assert_int_equal(rig_blocks(&rig.rec.benches[i], 2), 120);
		assert_int_equal(rig_blocks(&rig.rec.benches[i], 3), 120);
	}
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	assert_int_equal(rig.rec.benches[1].verdict, BENCH_REGRESSED);
	rig_done(&rig);
}

static void measuring_decides_nothing(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1.5)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 12, benches, 1);
	rig.rec.verb = strdup("run");
	rig.opt.measure_only = true;
	rig.opt.measure_blocks = 7;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 7);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_OPEN);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].verdict, VERDICT_NONE);
	assert_true(rig.rec.benches[0].metric[METRIC_CPU].per_iteration[SIDE_CANDIDATE] > 1400);
	assert_int_equal(rig.rec.status, STATUS_PASSED);
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

static void write_record(uint64_t seed, char **ret, size_t *ret_len)
{
	static const struct sim_bench benches[] = {QUIET("a", 1),
						   QUIET("b", 1.05),
						   {.name = "c",
						    .ns = 12345,
						    .ratio = 1.01,
						    .process_mode = .03,
						    .spike_p = .2,
						    .spike_mean = .1,
						    .drift = .1,
						    .sample_sd = .01}};
	FILE *out = open_memstream(ret, ret_len);
	struct rig rig;

	assert_non_null(out);
	rig_init(&rig, seed, benches, 3);
	rig_run(&rig);
	assert_int_equal(json_write(out, &rig.rec), 0);
	assert_int_equal(fclose(out), 0);
	rig_done(&rig);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
	AUTO_FREE char *first = NULL, *again = NULL, *other = NULL;
	size_t first_len, again_len, other_len;

	(void)state;
	write_record(7421, &first, &first_len);
	write_record(7421, &again, &again_len);
	write_record(7422, &other, &other_len);
	assert_int_equal(first_len, again_len);
	assert_memory_equal(first, again, first_len);
	assert_true(other_len != first_len || memcmp(first, other, first_len) != 0);
}

struct shown {
	size_t calls;
	unsigned stage;
	bool ordered;
};

static void see(void *arg, const struct run_progress *p)
{
	struct shown *s = arg;

	s->calls++;
	s->ordered = s->ordered && p->stage >= s->stage && p->open >= 1 && p->total == 2 &&
		     p->block < p->blocks_max;
	s->stage = p->stage;
}

static void progress_is_told_before_every_block(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1), QUIET("b", 1.05)};
	struct shown shown = {.ordered = true};
	struct rig rig;

	(void)state;
	rig_init(&rig, 13, benches, 2);
	rig.opt.progress = see;
	rig.opt.arg = &shown;
	rig_run(&rig);
	assert_int_equal(shown.calls, rig.sim.blocks);
	assert_int_equal(shown.stage, 3);
	assert_true(shown.ordered);
	rig_done(&rig);
}

static void nothing_to_measure_is_no_error(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, 14, NULL, 0);
	rig_run(&rig);
	assert_int_equal(rig.result, 0);
	assert_int_equal(rig.rec.status, STATUS_NOTHING);
	assert_int_equal(rig.rec.exit, 0);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_code_is_the_same_after_twelve_blocks),
		cmocka_unit_test(five_percent_is_regressed_after_three_stages),
		cmocka_unit_test(a_ratio_at_the_limit_is_not_regressed),
		cmocka_unit_test(faster_needs_one_stage),
		cmocka_unit_test(noise_beyond_the_limit_is_undecided),
		cmocka_unit_test(what_a_confirmation_does_not_find_is_the_same),
		cmocka_unit_test(what_a_confirmation_cannot_tell_is_suspected),
		cmocka_unit_test(a_rare_cost_regresses_by_the_total),
		cmocka_unit_test(an_undecided_total_leaves_a_settled_benchmark_settled),
		cmocka_unit_test(a_total_that_lags_behind_is_not_followed),
		cmocka_unit_test(counts_are_judged_when_asked),
		cmocka_unit_test(long_benchmarks_have_twenty_blocks),
		cmocka_unit_test(exhausting_takes_every_block),
		cmocka_unit_test(measuring_decides_nothing),
		cmocka_unit_test(the_same_seed_gives_the_same_bytes),
		cmocka_unit_test(progress_is_told_before_every_block),
		cmocka_unit_test(nothing_to_measure_is_no_error),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
