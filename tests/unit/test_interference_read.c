/* SPDX-License-Identifier: BSD-2-Clause */
/* What is read of a lane, by the engine and by the measured process: a lane that the test writes. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "bpf/interference_read.h"

#define GENERATION 5
#define NOW	   UINT64_C(1000000)
#define UNTOUCHED  77

static struct interference_lane lane;

static struct interference_row *add_row(enum interference_state state, uint64_t since_ns)
{
	struct interference_row *row = &lane.row[lane.threads_cnt++];

	*row = (struct interference_row){
		.generation = lane.generation, .tid = 100, .state = state, .since_ns = since_ns};
	return row;
}

static int set_up(void **state)
{
	(void)state;
	memset(&lane, 0, sizeof(lane));
	lane.version = INTERFERENCE_VERSION;
	lane.generation = GENERATION;
	return 0;
}

static struct interference_reading must_read(void)
{
	struct interference_reading r;

	assert_int_equal(joust_interference_read(&lane, GENERATION, NOW, &r), 0);
	return r;
}

/* Fails so, and leaves what it was given as it was. */
static void assert_fails(uint32_t generation, int err)
{
	struct interference_reading r = {.threads_cnt = UNTOUCHED};

	assert_int_equal(joust_interference_read(&lane, generation, NOW, &r), err);
	assert_int_equal(r.threads_cnt, UNTOUCHED);
}

static void rows_are_summed_and_open_intervals_closed(void **state)
{
	struct interference_row *running = add_row(INTERFERENCE_RUNNING, NOW - 30);
	struct interference_row *blocked = add_row(INTERFERENCE_BLOCKED, NOW - 7);
	struct interference_reading r;

	(void)state;
	running->counts.time_ns[INTERFERENCE_RUNNING] = 100;
	running->counts.migrations_cnt = 2;
	blocked->counts.time_ns[INTERFERENCE_RUNNING] = 11;
	blocked->counts.repaired_cnt = 3;
	lane.unwatched_cnt = 4;
	r = must_read();
	assert_int_equal(r.generation, GENERATION);
	assert_int_equal(r.threads_cnt, 2);
	assert_int_equal(r.running_cnt, 1);
	assert_int_equal(r.unwatched_cnt, 4);
	assert_int_equal(r.sum.time_ns[INTERFERENCE_RUNNING], 100 + 30 + 11);
	assert_int_equal(r.sum.time_ns[INTERFERENCE_BLOCKED], 7);
	assert_int_equal(r.sum.migrations_cnt, 2);
	assert_int_equal(r.sum.repaired_cnt, 3);
}

static void some_intervals_stay_as_they_are(void **state)
{
	struct interference_reading r;

	(void)state;
	(void)add_row(INTERFERENCE_UNSEEN, NOW - 30);
	(void)add_row(INTERFERENCE_ENDED, NOW - 30);
	(void)add_row(INTERFERENCE_RUNNING, NOW + 30); /* another CPU's clock is ahead */
	r = must_read();
	for (int i = 0; i < INTERFERENCE_STATES; i++)
		assert_int_equal(r.sum.time_ns[i], 0);
}

static void a_row_that_is_being_written_is_not_read(void **state)
{
	struct interference_row *row = add_row(INTERFERENCE_RUNNING, NOW), copy;

	(void)state;
	row->seq = 3;
	assert_fails(GENERATION, -EAGAIN);
	assert_int_equal(joust_interference_thread(&lane, 0, 0, NOW, &copy), -EAGAIN);
	row->seq = UINT32_MAX; /* the last before it begins anew */
	assert_fails(GENERATION, -EAGAIN);
	row->seq++;
	assert_int_equal(must_read().running_cnt, 1);
}

static void another_generation_or_version_is_stale(void **state)
{
	struct interference_row *row = add_row(INTERFERENCE_RUNNING, NOW), copy;
	struct interference_reading r;

	(void)state;
	assert_fails(GENERATION - 1, -ESTALE);
	assert_int_equal(joust_interference_read(&lane, 0, NOW, &r), 0); /* whichever */
	assert_int_equal(joust_interference_thread(&lane, GENERATION + 1, 0, NOW, &copy), -ESTALE);
	lane.version = INTERFERENCE_VERSION + 1;
	assert_fails(GENERATION, -ESTALE);
	assert_fails(0, -ESTALE);
	lane.version = INTERFERENCE_VERSION;
	row->generation--; /* left over from the process before */
	row->counts.migrations_cnt = 9;
	assert_int_equal(must_read().sum.migrations_cnt, 0);
	assert_int_equal(must_read().running_cnt, 0);
	assert_int_equal(joust_interference_thread(&lane, GENERATION, 0, NOW, &copy), -ENOENT);
}

/* More threads than rows: an interval is open as minus its start, so that sums wrap. */
static void threads_without_a_row_are_in_the_sum(void **state)
{
	struct interference_reading r;

	(void)state;
	for (int i = 0; i < INTERFERENCE_ROWS; i++)
		(void)add_row(INTERFERENCE_BLOCKED, NOW);
	lane.threads_cnt += 2;
	lane.rest.counts.time_ns[INTERFERENCE_RUNNING] = 500 - (NOW - 20) - (NOW - 1);
	lane.rest.open_cnt[INTERFERENCE_RUNNING] = 2;
	lane.rest.counts.lost_cnt = 1;
	r = must_read();
	assert_int_equal(r.sum.time_ns[INTERFERENCE_RUNNING], 500 + 20 + 1);
	assert_int_equal(r.running_cnt, 2);
	assert_int_equal(r.sum.lost_cnt, 1);
	lane.rest.begin_cnt = 1; /* somebody writes */
	assert_fails(GENERATION, -EAGAIN);
	lane.rest.end_cnt = 1;
	assert_int_equal(must_read().running_cnt, 2);
	lane.threads_cnt = INTERFERENCE_ROWS; /* then the rest is nobody's */
	assert_int_equal(must_read().running_cnt, 0);
}

static void a_thread_that_reads_must_be_known_to_run(void **state)
{
	struct interference_row *row = add_row(INTERFERENCE_BLOCKED, NOW);
	struct interference_reading r = {.threads_cnt = UNTOUCHED};

	(void)state;
	assert_int_equal(joust_interference_read_own(&lane, GENERATION, NOW, &r), -ENODATA);
	assert_int_equal(r.threads_cnt, UNTOUCHED);
	row->state = INTERFERENCE_RUNNING;
	assert_int_equal(joust_interference_read_own(&lane, GENERATION, NOW, &r), 0);
	assert_int_equal(r.running_cnt, 1);
}

static void one_thread_is_found_by_its_row(void **state)
{
	struct interference_row row;

	(void)state;
	(void)add_row(INTERFERENCE_RUNNING, NOW - 30);
	assert_int_equal(joust_interference_thread(&lane, GENERATION, 0, NOW, &row), 0);
	assert_int_equal(row.counts.time_ns[INTERFERENCE_RUNNING], 30);
	assert_int_equal(row.since_ns, NOW);
	assert_int_equal(joust_interference_thread(&lane, GENERATION, 1, NOW, &row), -ENOENT);
	lane.threads_cnt = UINT32_MAX;
	assert_int_equal(joust_interference_thread(&lane, GENERATION, INTERFERENCE_ROWS, NOW, &row),
			 -ENOENT);
}

static void differences_wrap(void **state)
{
	struct interference_counts from = {.migrations_cnt = UINT64_MAX, .lost_cnt = 1};
	struct interference_counts to = {.migrations_cnt = 1, .lost_cnt = 4}, d;

	(void)state;
	joust_interference_diff(&d, &from, &to);
	assert_int_equal(d.migrations_cnt, 2);
	assert_int_equal(d.lost_cnt, 3);
	assert_int_equal(d.frequency_cnt, 0);
}

static void waiting_is_split_by_whose_fault_it_is(void **state)
{
	const struct interference_counts c = {
		.time_ns = {[INTERFERENCE_PREEMPTED] = 10, [INTERFERENCE_WOKEN] = 5},
		.wake_idle_ns = 2,
	};

	(void)state;
	assert_int_equal(joust_interference_waiting_ns(&c), 15);
	assert_int_equal(joust_interference_disturbed_ns(&c), 13);
}

static void a_record_is_believed_beside_getrusage(void **state)
{
	struct interference_counts c = {
		.entries_cnt = {[INTERFERENCE_PREEMPTED] = 3, [INTERFERENCE_BLOCKED] = 4}};

	(void)state;
	assert_true(joust_interference_agrees(&c, 4, 3));
	assert_true(joust_interference_agrees(&c, 3, 4)); /* either kind, on kernels of some age */
	assert_false(joust_interference_agrees(&c, 4, 4));
	assert_false(joust_interference_agrees(&c, 4, 2));
	c.repaired_cnt = 1;
	assert_true(joust_interference_agrees(&c, 4, 3));
	c.lost_cnt = 1;
	assert_false(joust_interference_agrees(&c, 4, 3));
}

/* A writer on another CPU, and one number in every word: whatever is read is of one writing. */
#define WRITINGS 300000

static void *write_row(void *arg)
{
	struct interference_row *row = arg;

	for (uint64_t n = 1; n <= WRITINGS; n++) {
		volatile uint64_t *word = row->counts.time_ns;

		__atomic_fetch_add(&row->seq, 1, __ATOMIC_SEQ_CST);
		for (int i = 0; i < INTERFERENCE_STATES; i++)
			word[i] = n;
		*(volatile uint64_t *)&row->counts.repaired_cnt = n;
		__atomic_fetch_add(&row->seq, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void what_is_read_beside_a_writer_is_whole(void **state)
{
	struct interference_row *row = add_row(INTERFERENCE_UNSEEN, 0);
	struct interference_reading r = {.sum.repaired_cnt = 0};
	pthread_t writer;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_row, row), 0);
	while (r.sum.repaired_cnt < WRITINGS) {
		if (joust_interference_read(&lane, GENERATION, NOW, &r))
			continue; /* the writer lost its CPU in the middle */
		for (int i = 0; i < INTERFERENCE_STATES; i++)
			assert_int_equal(r.sum.time_ns[i], r.sum.repaired_cnt);
	}
	assert_int_equal(pthread_join(writer, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rows_are_summed_and_open_intervals_closed, set_up),
		cmocka_unit_test_setup(some_intervals_stay_as_they_are, set_up),
		cmocka_unit_test_setup(a_row_that_is_being_written_is_not_read, set_up),
		cmocka_unit_test_setup(another_generation_or_version_is_stale, set_up),
		cmocka_unit_test_setup(threads_without_a_row_are_in_the_sum, set_up),
		cmocka_unit_test_setup(a_thread_that_reads_must_be_known_to_run, set_up),
		cmocka_unit_test_setup(one_thread_is_found_by_its_row, set_up),
		cmocka_unit_test(differences_wrap),
		cmocka_unit_test(waiting_is_split_by_whose_fault_it_is),
		cmocka_unit_test(a_record_is_believed_beside_getrusage),
		cmocka_unit_test_setup(what_is_read_beside_a_writer_is_whole, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
