/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated runs, written, read and judged again: the same bytes. */
#include "test_run_fixture.h"
#include "json_text.h"
#include "report/json_read.h"

static void read_back(struct record *rec, const char *text)
{
	char why[256];

	record__init(rec);
	if (json_read(rec, text, strlen(text), why))
		fail_msg("%s", why);
}

static void judged_again(struct record *rec)
{
	struct policy p;

	policy__of_record(&p, rec);
	assert_int_equal(policy__prepare(&p), 0);
	assert_int_equal(judge_again(rec, &p), 0);
	policy__done(&p);
}

/* Both texts differ in one line at most when something is wrong, and are too long to be shown. */
static void assert_same_text(const char *a, const char *b)
{
	size_t i = 0, line = 1;

	for (; a[i] && a[i] == b[i]; i++)
		line += a[i] == '\n';
	if (a[i] != b[i])
		fail_msg("line %zu: \"%.80s\" and \"%.80s\"", line, a + i, b + i);
}

static void check(const struct record *rec)
{
	AUTO_FREE char *before = json_text(rec);
	AUTO_FREE char *after = NULL;
	struct record again;

	read_back(&again, before);
	judged_again(&again);
	after = json_text(&again);
	assert_same_text(before, after);
	record__done(&again);
}

static void run_and_check(struct rig *rig)
{
	rig_run(rig);
	check(&rig->rec);
	rig_done(rig);
}

static const struct sim_bench mixed[] = {
	QUIET("slower", 1.05),
	QUIET("equal", 1),
	QUIET("faster", .9),
	{.name = "noisy", .ns = 1000, .ratio = 1.02, .process_sd = .05},
	{.name = "ordered", .ns = 1000, .ratio = 1, .sample_sd = .005, .second_half = .1},
	{.name = "rare", .ns = 1000, .ratio = 1, .sample_sd = .001, .rare_cost = .5},
	{.name = "links", .ns = 1000, .ratio = 1.02, .layout_sd = .02, .layouts = 4},
	{.name = "wrong", .ns = 1000, .ratio = 1, .digest = {"00aa", "00ab"}},
	QUIET("another", 1),
	QUIET("and another", 1),
	QUIET("one more", 1),
};
#define MIXED_CNT (sizeof(mixed) / sizeof(mixed[0]))

static void every_verdict(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct rig rig;

		rig_init(&rig, seed, mixed, MIXED_CNT);
		rig.sim.k = 5;
		rig.sim.m = 3;
		rig.opt.policy.judge[METRIC_WALL] = true;
		rig_run(&rig);
		assert_true(rig.rec.across.judged);
		assert_int_equal(rig.rec.benches[0].verdict, BENCH_REGRESSED);
		assert_int_equal(rig.rec.benches[7].verdict, BENCH_ERROR);
		check(&rig.rec);
		rig_done(&rig);
	}
}

static void other_options(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, mixed, MIXED_CNT);
	rig.opt.policy.prove_same = 1.01;
	rig.opt.policy.alpha = .02;
	rig.opt.policy.blocks_max = 30;
	rig.opt.policy.limit[METRIC_CPU] = 1 + 1 / 30.0;
	run_and_check(&rig);

	rig_init(&rig, 1, mixed, MIXED_CNT);
	rig.opt.policy.rule = RULE_DUEL;
	rig.opt.policy.judge[METRIC_WALL] = true;
	rig.rec.bisect = true;
	run_and_check(&rig);

	rig_init(&rig, 1, mixed, MIXED_CNT);
	rig.opt.measure_only = true;
	rig.opt.measure_blocks = 7;
	rig.rec.verb = strdup("run");
	run_and_check(&rig);
}

static void runs_that_ended_early(void **state)
{
	static const struct sim_fault lost = {.bench = "noisy",
					      .stage = 1,
					      .slot = 2,
					      .attempt = UINT_MAX,
					      .side = SIDE_CNT,
					      .status = SOURCE_LOST,
					      .reason = REASON_SUSPENDED};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, mixed, MIXED_CNT);
	rig.opt.max_time_s = .2;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].metric[METRIC_CPU].reason, REASON_OUT_OF_TIME);
	check(&rig.rec);
	rig_done(&rig);

	rig_init(&rig, 1, mixed, MIXED_CNT);
	rig.sim.faults = &lost;
	rig.sim.faults_cnt = 1;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[3].metric[METRIC_CPU].reason, REASON_TOO_MANY_LOST);
	check(&rig.rec);
	rig_done(&rig);
}

static void sizes(void **state)
{
	static const struct sim_bench benches[] = {{.name = "grows",
						    .ns = 1000,
						    .ratio = 1,
						    .sample_sd = .005,
						    .sizes_cnt = 4,
						    .sizes = {10, 20, 40, 80},
						    .exponent = {1, 1.2}}};
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, benches, 1);
	run_and_check(&rig);
}

/* The middle stage is gone: what the other two say is no regression. */
static void without_its_second_stage_nothing_is_regressed(void **state)
{
	static const struct sim_bench benches[] = {QUIET("slower", 1.05)};
	AUTO_FREE char *text = NULL;
	struct record again;
	struct rec_bench *b;
	struct rig rig;
	size_t kept = 0;

	(void)state;
	rig_init(&rig, 1, benches, 1);
	rig_run(&rig);
	assert_int_equal(rig.rec.status, STATUS_FAILED);
	text = json_text(&rig.rec);
	rig_done(&rig);
	read_back(&again, text);
	b = &again.benches[0];
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		struct rec_block block = b->blocks[i];

		if (block.stage == 2)
			continue;
		b->blocks[i] = b->blocks[kept];
		b->blocks[kept++] = block;
	}
	while (b->blocks_cnt > kept)
		rec_bench__drop_block(b);
	judged_again(&again);
	assert_int_equal(b->verdict, BENCH_UNDECIDED);
	assert_int_equal(b->metric[METRIC_CPU].reason, REASON_NOT_MEASURED);
	assert_int_equal(again.status, STATUS_UNDECIDED);
	assert_int_equal(again.exit, 0);
	record__done(&again);
}

static void an_end_of_the_run_itself_stays(void **state)
{
	static const struct {
		enum run_status status;
		int exit;
	} ends[] = {{STATUS_INTERRUPTED, 130}, {STATUS_INTERRUPTED, 143}, {STATUS_ERROR, 3}};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		static const struct sim_bench benches[] = {QUIET("equal", 1)};
		struct rig rig;

		rig_init(&rig, 1, benches, 1);
		rig_run(&rig);
		rig.rec.status = ends[i].status;
		rig.rec.exit = ends[i].exit;
		rig.rec.message = strdup("of its own");
		check(&rig.rec);
		rig_done(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verdict),
		cmocka_unit_test(other_options),
		cmocka_unit_test(runs_that_ended_early),
		cmocka_unit_test(sizes),
		cmocka_unit_test(without_its_second_stage_nothing_is_regressed),
		cmocka_unit_test(an_end_of_the_run_itself_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
