/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"
#include "engine/measure/values.h"

static void values_come_from_the_slices(void **state)
{
	struct rec_half h = {
		.slices = 5, .cpu_ns = {10, 30, 20, 1000, 40}, .wall_ns = {11, 31, 21, 2000, 41}};

	(void)state;
	values_from_slices(&h, 10);
	assert_true(h.value[METRIC_CPU] == 3);
	assert_true(h.value[METRIC_WALL] == 3.1);
	assert_true(h.value[METRIC_CPU_TOTAL] == 22);
	h.slices = 1;
	values_from_slices(&h, 10);
	assert_true(h.value[METRIC_CPU] == 1);
	assert_true(isnan(h.value[METRIC_CPU_TOTAL]));
}

static void a_slice_without_a_value_has_none_to_give(void **state)
{
	struct rec_half h = {.slices = 3, .cpu_ns = {1, NAN, 3}, .wall_ns = {1, 2, 3}};

	(void)state;
	h.value[METRIC_CYCLES] = 7;
	values_from_slices(&h, 1);
	assert_true(isnan(h.value[METRIC_CPU]));
	assert_true(isnan(h.value[METRIC_CPU_TOTAL]));
	assert_true(h.value[METRIC_WALL] == 2);
	assert_true(h.value[METRIC_CYCLES] == 7);
	h.slices = 0;
	values_from_slices(&h, 1);
	assert_true(isnan(h.value[METRIC_WALL]));
}

static const struct sim_bench scripted[] = {
	{.name = "a",
	 .ns = 1000,
	 .ratio = 1.1,
	 .sample_sd = .01,
	 .process_sd = .02,
	 .process_mode = .03,
	 .spike_p = .1,
	 .spike_mean = .1},
	{.name = "b", .ns = 1000, .ratio = 1, .sample_sd = .01},
};

/* One pair through the seam, at any place of the run. */
static struct rec_half half_at(struct simulator *sim, const char *name, unsigned stage,
			       unsigned slot, unsigned attempt, enum side side)
{
	struct source *s = &sim->source;
	struct record rec;
	struct rec_bench *b;
	struct rec_block *blk;
	struct rec_half half;

	record__init(&rec);
	assert_int_equal(record__add_bench(&rec, name, &b), 0);
	assert_int_equal(s->ops->open(s, b), SOURCE_OK);
	assert_int_equal(s->ops->stage(s, b, stage), SOURCE_OK);
	assert_int_equal(record__add_block(b, &blk), 0);
	assert_int_equal(rec_block__reserve(blk, b->m), 0);
	blk->stage = stage;
	blk->slot = slot;
	blk->attempt = attempt;
	assert_int_equal(s->ops->block(s, b, blk), SOURCE_OK);
	assert_int_equal(s->ops->pair(s, b, blk, 1), SOURCE_OK);
	assert_int_equal(s->ops->end(s, b, blk), SOURCE_OK);
	half = blk->pairs[1].half[side];
	s->ops->close(s, b);
	record__done(&rec);
	return half;
}

static bool equal(const struct rec_half *a, const struct rec_half *b)
{
	return memcmp(a->cpu_ns, b->cpu_ns, 5 * sizeof(a->cpu_ns[0])) == 0;
}

static void values_depend_on_their_place_and_not_on_the_calls(void **state)
{
	struct rec_half first, again, other[6];
	struct simulator sim;

	(void)state;
	simulator__init(&sim, 42, scripted, 2);
	first = half_at(&sim, "a", 1, 7, 0, SIDE_CANDIDATE);
	other[0] = half_at(&sim, "b", 1, 7, 0, SIDE_CANDIDATE);
	other[1] = half_at(&sim, "a", 2, 7, 0, SIDE_CANDIDATE);
	other[2] = half_at(&sim, "a", 1, 8, 0, SIDE_CANDIDATE);
	other[3] = half_at(&sim, "a", 1, 7, 1, SIDE_CANDIDATE);
	other[4] = half_at(&sim, "a", 1, 7, 0, SIDE_BASELINE);
	again = half_at(&sim, "a", 1, 7, 0, SIDE_CANDIDATE);
	assert_true(equal(&first, &again));
	simulator__init(&sim, 43, scripted, 2);
	other[5] = half_at(&sim, "a", 1, 7, 0, SIDE_CANDIDATE);
	for (size_t i = 0; i < 6; i++)
		assert_false(equal(&first, &other[i]));
}

/* Moments of the log of one slice over many blocks. */
static void moments(const struct sim_bench *sb, enum side side, double *ret_mean, double *ret_sd)
{
	double sum = 0, squares = 0;
	struct simulator sim;

	simulator__init(&sim, 1, sb, 1);
	for (unsigned slot = 0; slot < 4000; slot++) {
		struct rec_half h = half_at(&sim, sb->name, 1, slot, 0, side);
		double y = log(h.cpu_ns[2] / (1000. * 100));

		sum += y;
		squares += y * y;
	}
	*ret_mean = sum / 4000;
	*ret_sd = sqrt(squares / 4000 - *ret_mean * *ret_mean);
}

static void noise_has_the_size_that_was_asked_for(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "samples", .ns = 1000, .ratio = 1.1, .sample_sd = .02},
		{.name = "processes", .ns = 1000, .ratio = 1.1, .process_sd = .02},
		{.name = "modes", .ns = 1000, .ratio = 1.1, .process_mode = .02},
	};
	double mean, sd;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		moments(&benches[i], SIDE_CANDIDATE, &mean, &sd);
		assert_true(fabs(mean - log(1.1)) < 4 * .02 / sqrt(4000));
		assert_true(fabs(sd / .02 - 1) < .05);
		moments(&benches[i], SIDE_BASELINE, &mean, &sd);
		assert_true(fabs(mean) < 4 * .02 / sqrt(4000));
	}
}

static void an_unknown_benchmark_breaks_the_source(void **state)
{
	struct simulator sim;
	struct record rec;
	struct rec_bench *b;

	(void)state;
	simulator__init(&sim, 1, scripted, 2);
	record__init(&rec);
	assert_int_equal(record__add_bench(&rec, "c", &b), 0);
	assert_int_equal(sim.source.ops->open(&sim.source, b), SOURCE_BROKEN);
	assert_non_null(strstr(sim.source.error, "'c'"));
	record__done(&rec);
}

static void pairs_are_the_callers_choice(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, 1, &scripted[1], 1);
	rig.sim.source.options.pairs = 9;
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].m, 9);
	assert_int_equal(rig.rec.benches[0].blocks[0].pairs_cnt, 9);
	assert_int_equal(rig.sim.pairs, 9 * rig.sim.blocks);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_from_the_slices),
		cmocka_unit_test(a_slice_without_a_value_has_none_to_give),
		cmocka_unit_test(values_depend_on_their_place_and_not_on_the_calls),
		cmocka_unit_test(noise_has_the_size_that_was_asked_for),
		cmocka_unit_test(an_unknown_benchmark_breaks_the_source),
		cmocka_unit_test(pairs_are_the_callers_choice),
	};

	return cmocka_run_group_tests_name("simulator", tests, NULL, NULL);
}
