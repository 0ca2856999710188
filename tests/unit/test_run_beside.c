/* SPDX-License-Identifier: BSD-2-Clause */
/* What a report says beside a verdict, over whole runs: of equal code next to never. */
#include "test_run_fixture.h"
#include "report/terminal_parts.h"

#define RUNS 400

/* Spikes in a few slices, which only the sum of a window sees: they leave cpu_total open. */
static const struct sim_bench equal[] = {{.name = "equal",
					  .ns = 1000,
					  .ratio = 1,
					  .sample_sd = .01,
					  .process_sd = .005,
					  .spike_p = .1,
					  .spike_mean = .8}};
static const struct sim_bench rare[] = {{.name = "rare",
					 .ns = 1000,
					 .ratio = 1,
					 .sample_sd = .01,
					 .process_sd = .005,
					 .spike_p = .05,
					 .spike_mean = .5,
					 .rare_cost = .5}};

struct seen {
	size_t open, doubted, moved;
};

static struct seen see(const struct sim_bench *bench)
{
	struct policy p;
	struct seen seen = {0};

	policy__init(&p);
	assert_int_equal(policy__prepare(&p), 0);
	for (uint64_t seed = 0; seed < RUNS; seed++) {
		struct stage_result wall;
		struct rig rig;

		rig_init(&rig, seed, bench, 1);
		rig_borrow(&rig, &p);
		rig_run(&rig);
		seen.open += terminal_total_open(rig.rec.benches);
		seen.doubted += terminal_total_doubted(rig.rec.benches);
		seen.moved += terminal_wall_moved(rig.rec.benches, &wall);
		rig_done(&rig);
	}
	policy__done(&p);
	return seen;
}

/* Below 1 % of benchmarks, of those even where cpu_total was open in most. */
static void equal_code_is_not_doubted(void **state)
{
	struct seen seen = see(equal);

	(void)state;
	assert_true(seen.open > RUNS / 2);
	assert_true(seen.doubted < RUNS / 100);
}

/* Elapsed time may wander by several times its limit, whatever the CPU time does. */
static void elapsed_time_of_equal_code_did_not_move(void **state)
{
	static const struct sim_bench restless = {.name = "restless",
						  .ns = 1000,
						  .ratio = 1,
						  .sample_sd = .2,
						  .process_sd = .2,
						  .spike_p = .1,
						  .spike_mean = 1};

	(void)state;
	assert_true(see(&restless).moved < RUNS / 100);
}

/* 5 % more in the mean, in one slice of ten: most runs find it slower, and the others hint at it. */
static void a_rare_cost_is_doubted(void **state)
{
	struct seen seen = see(rare);

	(void)state;
	assert_true(seen.open > RUNS / 20);
	assert_true(seen.doubted > seen.open * 9 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_code_is_not_doubted),
		cmocka_unit_test(elapsed_time_of_equal_code_did_not_move),
		cmocka_unit_test(a_rare_cost_is_doubted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
