/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"

/* Runs by the rule of duel. */

/* Four measurements of ten blocks where nothing is in doubt; each stands on processes of its own. */
static void the_rule_of_duel_measures_four_times(void **state)
{
	static const struct sim_bench benches[] = {QUIET("slow", 1.05), QUIET("equal", 1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 2, benches, 2);
	rig.opt.policy.rule = RULE_DUEL;
	rig_run(&rig);
	assert_int_equal(rig.rec.judging.rule, RULE_DUEL);
	assert_int_equal(rig.rec.status, STATUS_FAILED);
	assert_int_equal(rig.rec.benches[0].duel.result, DUEL_REGRESSED);
	assert_int_equal(rig.rec.benches[0].duel.measurements, 4);
	for (unsigned stage = 1; stage <= 4; stage++)
		assert_int_equal(rig_blocks(&rig.rec.benches[0], stage), 10);
	assert_int_equal(rig.rec.benches[0].blocks_cnt, 40);
	assert_int_equal(rig.rec.benches[1].verdict, BENCH_SAME);
	assert_int_equal(rig.rec.benches[1].duel.result, DUEL_PASS);
	assert_int_equal(rig.rec.benches[1].blocks_cnt, 10);
	rig_done(&rig);
}

/* A measurement that cannot tell is replaced, up to three times: eight stages are the most. */
static void a_replaced_measurement_is_taken_again(void **state)
{
	static const struct sim_bench benches[] = {{.name = "a",
						    .ns = 1000,
						    .ratio = 1.02,
						    .sample_sd = .02,
						    .stage_ratio = {1.2, 0, 1.2, 0, 1.2, 0, 1.2}}};
	const struct rec_bench *b;
	struct rig rig;

	(void)state;
	rig_init(&rig, 4, benches, 1);
	rig.opt.policy.rule = RULE_DUEL;
	rig_run(&rig);
	b = &rig.rec.benches[0];
	assert_int_equal(b->duel.result, DUEL_REGRESSED);
	assert_int_equal(b->duel.measurements, 7);
	assert_int_equal(b->duel.counted, 4);
	assert_int_equal(rig_blocks(b, 2), DUEL_BLOCKS);
	assert_int_equal(rig_blocks(b, 7), 10);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_of_duel_measures_four_times),
		cmocka_unit_test(a_replaced_measurement_is_taken_again),
	};

	return cmocka_run_group_tests_name("run duel", tests, NULL, NULL);
}
