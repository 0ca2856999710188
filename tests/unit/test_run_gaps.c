/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_run_fixture.h"

/* How far apart in time the stages of a benchmark lie. */

/* When the blocks of `b` in a stage began: the first and the last of them. */
static void stage_times(const struct rec_bench *b, unsigned stage, double *first, double *last)
{
	*first = *last = NAN;
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		if (b->blocks[i].stage != stage)
			continue;
		*last = b->blocks[i].at_ns;
		if (isnan(*first))
			*first = *last;
	}
}

static bool notes_mention(const struct record *rec, const char *what)
{
	for (size_t i = 0; i < rec->notes_cnt; i++)
		if (strstr(rec->notes[i], what))
			return true;
	return false;
}

/* Between two stages of a benchmark lie blocks of another one, where another one is still open. */
static void confirmations_keep_away_from_each_other(void **state)
{
	static const struct sim_bench benches[] = {QUIET("a", 1.1), QUIET("b", 1.1),
						   QUIET("c", 1.1), QUIET("equal", 1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 15, benches, 4);
	rig_run(&rig);
	for (size_t i = 0; i < 3; i++) {
		const struct rec_bench *b = &rig.rec.benches[i];
		size_t between = 0;
		double from, to, unused;

		assert_int_equal(b->verdict, BENCH_REGRESSED);
		stage_times(b, 2, &unused, &from);
		stage_times(b, 3, &to, &unused);
		for (size_t j = 0; j < 3; j++)
			for (size_t k = 0; k < rig.rec.benches[j].blocks_cnt; k++) {
				double at = rig.rec.benches[j].blocks[k].at_ns;

				between += at > from && at < to;
			}
		assert_true(between >= 12); /* a whole stage */
		assert_true(isnan(b->gap_s[0]));
		/* the block that began at `from` lies before the gap */
		assert_true(b->gap_s[2] > 0 && b->gap_s[2] < (to - from) / 1e9);
		assert_true(b->gap_s[2] > .8 * (to - from) / 1e9);
	}
	assert_true(isnan(rig.rec.benches[3].gap_s[1]));
	assert_true(notes_mention(&rig.rec, "all stages of a regression lie within"));
	rig_done(&rig);
}

/* Blocks of all others that lie between two stages of benchmark i. */
static size_t blocks_between(const struct record *rec, size_t i, unsigned stage)
{
	double from, to, unused;
	size_t between = 0;

	stage_times(&rec->benches[i], stage, &unused, &from);
	stage_times(&rec->benches[i], stage + 1, &to, &unused);
	for (size_t j = 0; j < rec->benches_cnt; j++)
		for (size_t k = 0; k < rec->benches[j].blocks_cnt; k++) {
			double at = rec->benches[j].blocks[k].at_ns;

			between += at > from && at < to;
		}
	return between;
}

/* Of three in stage 2 the first is not confirmed: the other two still lie between each other's stages. */
static void who_ended_last_waits_for_the_others(void **state)
{
	static const struct sim_bench benches[] = {{.name = "once",
						    .ns = 1000,
						    .ratio = 1,
						    .sample_sd = .005,
						    .stage_ratio = {1.1, 1, 1}},
						   QUIET("b", 1.1),
						   QUIET("c", 1.1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 15, benches, 3);
	rig_run(&rig);
	assert_int_equal(rig.rec.benches[0].verdict, BENCH_SAME);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(rig.rec.benches[i].verdict, BENCH_REGRESSED);
		assert_true(blocks_between(&rig.rec, i, 2) >= 12);
	}
	rig_done(&rig);
}

/* The slowest to be settled in stage 1 does not go straight on to stage 2. */
static void a_long_stage_1_is_not_followed_at_once(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "long", .ns = 1000, .ratio = 1.035, .sample_sd = .02}, QUIET("b", 1.1)};
	struct rig rig;

	(void)state;
	rig_init(&rig, 15, benches, 2);
	rig_run(&rig);
	assert_true(rig_blocks(&rig.rec.benches[0], 1) > rig_blocks(&rig.rec.benches[1], 1) + 5);
	assert_true(rig_blocks(&rig.rec.benches[0], 2) > 0);
	assert_true(blocks_between(&rig.rec, 0, 1) >= 12);
	rig_done(&rig);
}

/* Two seconds of each block, so that everything lies far apart. */
static void what_took_longer_than_a_state_of_the_machine_is_not_mentioned(void **state)
{
	static const struct sim_bench benches[] = {
		{.name = "a", .ns = 5e7, .ratio = 1.1, .sample_sd = .001},
		{.name = "b", .ns = 5e7, .ratio = 1.1, .sample_sd = .001}};
	struct rig rig;

	(void)state;
	rig_init(&rig, 16, benches, 2);
	rig_run(&rig);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rig.rec.benches[i].verdict, BENCH_REGRESSED);
		assert_true(rig.rec.benches[i].gap_s[2] > 10);
	}
	assert_false(notes_mention(&rig.rec, "lie within"));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(confirmations_keep_away_from_each_other),
		cmocka_unit_test(who_ended_last_waits_for_the_others),
		cmocka_unit_test(a_long_stage_1_is_not_followed_at_once),
		cmocka_unit_test(what_took_longer_than_a_state_of_the_machine_is_not_mentioned),
	};

	return cmocka_run_group_tests_name("run gaps", tests, NULL, NULL);
}
