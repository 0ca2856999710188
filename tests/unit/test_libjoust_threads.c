/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which rows of the record of interference libjoust believes. The record is the test's; the only
 * thread is this one. The source is included because libjoust is no part of the engine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "engine/worker/libjoust/threads.c"

#define BLOCKED_NS 1234

static struct interference_lane lane;
static struct joust_threads threads;
static struct joust_sources sources;

/* A window at whose ends the record says these states; what is reported of this thread. */
static struct frame_thread window(enum interference_state before, enum interference_state after,
				  enum frame_seen_state seen)
{
	struct frame_sample sample = {.k = 1, .seen.state = seen};
	struct interference_row *row = &lane.row[0];
	struct joust_threads_look end;

	lane = (struct interference_lane){
		.version = INTERFERENCE_VERSION, .generation = 1, .threads_cnt = 1};
	*row = (struct interference_row){
		.generation = 1, .tid = 7, .state = before, .since_ns = UINT64_MAX};
	sources.lane = &lane;
	joust_threads__init(&threads, true);
	joust_threads__open(&threads);
	joust_threads__begin(&threads, &sources);
	joust_threads__look(&threads, &end);
	row->state = after;
	row->counts.time_ns[INTERFERENCE_BLOCKED] += BLOCKED_NS;
	joust_threads__end(&threads, &sources, &end, &sample);
	(void)close(threads.dir_fd);
	assert_int_equal(sample.threads_cnt, 1);
	return sample.thread[0];
}

static void assert_unknown(struct frame_thread t)
{
	assert_true(t.running_ns == UINT64_MAX);
	assert_true(t.waiting_ns == UINT64_MAX);
	assert_true(t.blocked_ns == UINT64_MAX);
	assert_true(t.cpu_ns < UINT64_MAX); /* its own clock knows */
}

static void a_row_is_the_difference_over_the_window(void **state)
{
	struct frame_thread t = window(INTERFERENCE_RUNNING, INTERFERENCE_RUNNING, SEEN_ALL);

	(void)state;
	assert_int_equal(t.blocked_ns, BLOCKED_NS);
	assert_int_equal(t.running_ns, 0);
}

static void a_row_that_does_not_know_its_thread_runs_is_unknown(void **state)
{
	(void)state;
	assert_unknown(window(INTERFERENCE_BLOCKED, INTERFERENCE_RUNNING, SEEN_ALL));
	assert_unknown(window(INTERFERENCE_RUNNING, INTERFERENCE_BLOCKED, SEEN_ALL));
	assert_unknown(window(INTERFERENCE_RUNNING, INTERFERENCE_UNSEEN, SEEN_ALL));
}

static void rows_of_a_record_that_lost_events_are_unknown(void **state)
{
	(void)state;
	assert_unknown(window(INTERFERENCE_RUNNING, INTERFERENCE_RUNNING, SEEN_LOST));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_the_difference_over_the_window),
		cmocka_unit_test(a_row_that_does_not_know_its_thread_runs_is_unknown),
		cmocka_unit_test(rows_of_a_record_that_lost_events_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
