/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which windows of the record of interference libjoust believes, beside getrusage. Both are the
 * test's; the source is included because libjoust is no part of the engine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "engine/worker/libjoust/counters.c"
#include "engine/worker/libjoust/peak.c"

static struct joust_sources sources;
static struct joust_counters before, after;

static int set_up(void **state)
{
	static const struct interference_lane lane;

	(void)state;
	joust_sources__init(&sources, false);
	sources.lane = &lane;
	before = (struct joust_counters){.seen_valid = true, .seen.generation = 1};
	after = before;
	return 0;
}

/* Both ends of the next window: a sleep between the windows, `inside` switches in it. */
static void next_window(unsigned slept, unsigned inside)
{
	before = after;
	before.voluntary++;
	before.seen.sum.entries_cnt[INTERFERENCE_BLOCKED] += slept;
	after = before;
	after.involuntary += inside;
	after.seen.sum.entries_cnt[INTERFERENCE_PREEMPTED] += inside;
}

static enum frame_seen_state fill(void)
{
	struct frame_sample s = {.k = 1};

	joust_counters_fill(&sources, &before, &after, &s);
	return s.seen.state;
}

static void a_record_that_agrees_is_believed(void **state)
{
	(void)state;
	assert_int_equal(fill(), SEEN_ALL);
	next_window(1, 0);
	assert_int_equal(fill(), SEEN_ALL);
	next_window(1, 3);
	assert_int_equal(fill(), SEEN_ALL);
}

static void a_switch_that_only_getrusage_has_makes_it_unknown(void **state)
{
	(void)state;
	next_window(1, 2);
	after.involuntary++;
	assert_int_equal(fill(), SEEN_LOST);
}

/* The programs are gone, and the record says for ever that the worker runs. */
static void a_record_that_is_written_no_more_is_unknown(void **state)
{
	(void)state;
	next_window(1, 0);
	assert_int_equal(fill(), SEEN_ALL);
	for (int i = 0; i < 3; i++) {
		next_window(0, 0);
		assert_int_equal(fill(), SEEN_LOST);
	}
	next_window(1, 0); /* they are back: one loss is one window */
	assert_int_equal(fill(), SEEN_ALL);
}

static void another_generation_is_another_record(void **state)
{
	(void)state;
	next_window(1, 0);
	assert_int_equal(fill(), SEEN_ALL);
	next_window(1, 0);
	before.seen.generation = after.seen.generation = 2;
	before.seen.sum.entries_cnt[INTERFERENCE_BLOCKED] = 0;
	after.seen.sum = before.seen.sum;
	assert_int_equal(fill(), SEEN_ALL);
	next_window(1, 0);
	after.seen.generation = 3; /* in the middle of a window */
	assert_int_equal(fill(), SEEN_LOST);
}

static void losses_and_threads_without_a_place_are_unknown(void **state)
{
	(void)state;
	next_window(1, 0);
	after.seen.sum.lost_cnt = 1;
	assert_int_equal(fill(), SEEN_LOST);
	next_window(1, 0); /* that one was before this window */
	assert_int_equal(fill(), SEEN_ALL);
	next_window(1, 0);
	after.seen.unwatched_cnt = 1;
	assert_int_equal(fill(), SEEN_LOST);
	next_window(1, 0);
	after.seen.unwatched_cnt = 0;
	after.seen_valid = false;
	assert_int_equal(fill(), SEEN_LOST);
}

/* Their switches come between the two readings. */
static void sleeps_of_several_threads_are_not_compared(void **state)
{
	(void)state;
	sources.several = true;
	next_window(1, 0);
	assert_int_equal(fill(), SEEN_ALL);
	next_window(0, 0);
	assert_int_equal(fill(), SEEN_ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_record_that_agrees_is_believed, set_up),
		cmocka_unit_test_setup(a_switch_that_only_getrusage_has_makes_it_unknown, set_up),
		cmocka_unit_test_setup(a_record_that_is_written_no_more_is_unknown, set_up),
		cmocka_unit_test_setup(another_generation_is_another_record, set_up),
		cmocka_unit_test_setup(losses_and_threads_without_a_place_are_unknown, set_up),
		cmocka_unit_test_setup(sleeps_of_several_threads_are_not_compared, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
