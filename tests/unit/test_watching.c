/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "engine/measure/watching.h"

/* What the record says of BPF that cannot be had. */

static enum watch_result result;
static int error;

int __wrap_watch__open(struct watch **ret, enum watch_result *ret_why);

int __wrap_watch__open(struct watch **ret, enum watch_result *ret_why)
{
	(void)ret;
	*ret_why = result;
	return error;
}

static void the_error_reaches_the_record(void **state)
{
	static const struct {
		enum watch_result result;
		int error;
		bool told; /* the sentence says as much as the number */
	} cases[] = {
		{WATCH_NO_CAPABILITY, -EPERM, true}, {WATCH_NO_BTF, -ENOENT, true},
		{WATCH_NO_MEMORY, -ENOMEM, true},    {WATCH_REJECTED, -E2BIG, false},
		{WATCH_FAILED, -EMFILE, false},	     {WATCH_FAILED, -EBUSY, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct watching w;
		struct record rec;
		const char *said;

		record__init(&rec);
		result = cases[i].result;
		error = cases[i].error;
		watching__open(&w, &rec);
		assert_null(w.watch);
		assert_int_equal(rec.host.interference, INTERFERENCE_GETRUSAGE);
		said = rec.host.interference_missing;
		assert_non_null(strstr(said, watch_result_str(result)));
		assert_true(!strstr(said, strerror(-error)) == cases[i].told);
		assert_int_equal(rec.notes_cnt, 1);
		assert_non_null(strstr(rec.notes[0], said));
		watching__close(&w);
		record__done(&rec);
	}
}

/* ---- commands: what a kernel that is played says of one, before its exec and after its end */

static struct {
	int enrol_err, read_err;
	unsigned moves; /* readings of which each finds another switch */
	struct interference_reading start, end;
	struct rusage usage;
	struct watch_preemptor preemptor[2];
	size_t preemptors_cnt;
	uint64_t lost, skipped; /* events, so far and during the command */
} kernel;

int __wrap_watch__enrol(struct watch *w, unsigned lane, pid_t pid, enum watch_scope scope,
			uint32_t *ret_generation);
int __wrap_watch__read(const struct watch *w, unsigned lane, struct interference_reading *ret);
int __wrap_watch__read_at(const struct watch *w, unsigned lane, uint64_t at_ns,
			  struct interference_reading *ret);
int __wrap_watch__take_preemptors(struct watch *w, unsigned lane, struct watch_preemptor *ret,
				  size_t max, size_t *ret_cnt, uint64_t *ret_unknown_ns);
uint64_t __wrap_watch__lost(const struct watch *w);
int __wrap_getrusage(int who, struct rusage *ret);

int __wrap_watch__enrol(struct watch *w, unsigned lane, pid_t pid, enum watch_scope scope,
			uint32_t *ret_generation)
{
	(void)w, (void)lane, (void)pid;
	assert_int_equal(scope, WATCH_TREE);
	*ret_generation = kernel.start.generation;
	return kernel.enrol_err;
}

int __wrap_watch__read(const struct watch *w, unsigned lane, struct interference_reading *ret)
{
	(void)w, (void)lane;
	if (kernel.moves) {
		kernel.moves--;
		kernel.start.sum.entries_cnt[INTERFERENCE_PREEMPTED]++;
	}
	*ret = kernel.start;
	return kernel.read_err;
}

int __wrap_watch__read_at(const struct watch *w, unsigned lane, uint64_t at_ns,
			  struct interference_reading *ret)
{
	(void)w, (void)lane;
	assert_int_equal(at_ns, 77);
	*ret = kernel.end;
	return kernel.read_err;
}

int __wrap_watch__take_preemptors(struct watch *w, unsigned lane, struct watch_preemptor *ret,
				  size_t max, size_t *ret_cnt, uint64_t *ret_unknown_ns)
{
	(void)w, (void)lane, (void)ret_unknown_ns;
	assert_true(max >= kernel.preemptors_cnt);
	memcpy(ret, kernel.preemptor, sizeof(kernel.preemptor));
	*ret_cnt = kernel.preemptors_cnt;
	return 0;
}

uint64_t __wrap_watch__lost(const struct watch *w)
{
	(void)w;
	return kernel.lost;
}

int __wrap_getrusage(int who, struct rusage *ret)
{
	(void)who;
	*ret = (struct rusage){.ru_nvcsw = 40, .ru_nivcsw = 2};
	return 0;
}

/*
 * It waited 10 before its exec, which was the engine's doing, and 1000 after it: 300 of these while
 * others of its own ran. It was switched away 5 times, once more at its end.
 */
static int set_up(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	kernel.start = (struct interference_reading){.generation = 9, .running_cnt = 1};
	kernel.start.sum.time_ns[INTERFERENCE_WOKEN] = 10;
	kernel.end = (struct interference_reading){.generation = 9, .threads_cnt = 2};
	kernel.end.sum.time_ns[INTERFERENCE_WOKEN] = 10;
	kernel.end.sum.time_ns[INTERFERENCE_PREEMPTED] = 1000;
	kernel.end.sum.time_ns[INTERFERENCE_BLOCKED] = 50;
	kernel.end.sum.entries_cnt[INTERFERENCE_BLOCKED] = 3;
	kernel.end.sum.entries_cnt[INTERFERENCE_PREEMPTED] = 2;
	kernel.end.sum.entries_cnt[INTERFERENCE_ENDED] = 1;
	kernel.end.sum.late_cnt = 1;
	kernel.usage = (struct rusage){.ru_nvcsw = 44, .ru_nivcsw = 4};
	kernel.preemptor[0] = (struct watch_preemptor){.pid = WATCH_OWN_PID, .time_ns = 300};
	kernel.preemptor[1] = (struct watch_preemptor){
		.pid = (uint32_t)getpid() + 1, .cnt = 2, .time_ns = 700, .comm = "hog"};
	kernel.preemptors_cnt = 2;
	return 0;
}

/* Its threads and processes that were seen to end. */
static uint64_t run_command(struct rec_block *blk, struct frame_seen *ret)
{
	uint64_t ended_cnt;
	struct watching w = {.watch = (struct watch *)&kernel};
	const struct child_witness *witness = watching__command(&w, SIDE_CANDIDATE);

	assert_non_null(witness);
	witness->parked(witness->arg, 4711);
	if (!kernel.enrol_err)
		witness->leaves(witness->arg);
	kernel.lost += kernel.skipped;
	assert_int_equal(watching__command_end(&w, &kernel.usage, 77, blk, ret, &ended_cnt), 0);
	w.watch = NULL;
	watching__close(&w);
	return ended_cnt;
}

static enum frame_seen_state seen_state(void)
{
	struct rec_block blk = {0};
	struct frame_seen seen;

	run_command(&blk, &seen);
	free(blk.preemptors);
	return seen.state;
}

static void a_command_waits_for_others_only(void **state)
{
	struct rec_block blk = {0};
	struct frame_seen seen;

	(void)state;
	assert_int_equal(run_command(&blk, &seen), 1);
	assert_int_equal(seen.state, SEEN_ALL);
	assert_int_equal(seen.waiting_ns, 700);
	assert_int_equal(seen.blocked_ns, 50);
	assert_int_equal(seen.voluntary, 3);
	assert_int_equal(seen.involuntary, 2);
	assert_int_equal(blk.preemptors_cnt, 1);
	assert_string_equal(blk.preemptors[0].comm, "hog");
	free(blk.preemptors);
	/* the engine had its CPU for longer than before the exec: to take what it wrote */
	kernel.preemptor[1].pid = (uint32_t)getpid();
	kernel.preemptor[1].time_ns = 10 + 200;
	blk = (struct rec_block){0};
	run_command(&blk, &seen);
	assert_int_equal(seen.waiting_ns, 500);
	assert_int_equal(blk.preemptors_cnt, 0);
}

static void getrusage_may_not_have_more(void **state)
{
	(void)state;
	kernel.usage.ru_nivcsw = 4; /* 5 and the one at its end */
	assert_int_equal(seen_state(), SEEN_ALL);
	kernel.usage.ru_nivcsw = 5;
	assert_int_equal(seen_state(), SEEN_LOST);
	kernel.usage.ru_nivcsw = 0; /* processes that nobody waited for */
	assert_int_equal(seen_state(), SEEN_ALL);
}

static void break_enrolment(void)
{
	kernel.enrol_err = -ENOSPC;
}

static void break_generation(void)
{
	kernel.end.generation++;
}

static void break_thread(void)
{
	kernel.end.unwatched_cnt = 1;
}

static void break_count(void)
{
	kernel.end.sum.lost_cnt = 1;
}

static void break_end(void)
{
	kernel.end.sum.entries_cnt[INTERFERENCE_ENDED] = 0;
}

static void break_leaving(void)
{
	kernel.end.running_cnt = 1;
}

static void break_start(void)
{
	kernel.start.running_cnt = 0;
}

static void break_reading(void)
{
	kernel.read_err = -EAGAIN;
}

static void break_programs(void)
{
	kernel.skipped = 1;
}

static void what_is_not_whole_is_lost(void **state)
{
	void (*const break_it[])(void) = {
		break_enrolment, break_generation, break_thread,  break_count,	  break_end,
		break_leaving,	 break_start,	   break_reading, break_programs,
	};

	for (size_t i = 0; i < sizeof(break_it) / sizeof(break_it[0]); i++) {
		assert_int_equal(set_up(state), 0);
		assert_int_equal(seen_state(), SEEN_ALL);
		break_it[i]();
		assert_int_equal(seen_state(), SEEN_LOST);
	}
}

/* A switch between its two readings of the record: they are made again, not for ever. */
static void what_it_has_behind_it_belongs_together(void **state)
{
	(void)state;
	kernel.moves = 4;
	kernel.end.sum.entries_cnt[INTERFERENCE_PREEMPTED] += 4;
	assert_int_equal(seen_state(), SEEN_ALL);
	kernel.moves = 1000;
	assert_int_equal(seen_state(), SEEN_LOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_error_reaches_the_record),
		cmocka_unit_test_setup(a_command_waits_for_others_only, set_up),
		cmocka_unit_test_setup(getrusage_may_not_have_more, set_up),
		cmocka_unit_test_setup(what_is_not_whole_is_lost, set_up),
		cmocka_unit_test_setup(what_it_has_behind_it_belongs_together, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
