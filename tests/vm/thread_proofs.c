/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads: a row for each that is watched, and the sum of all, also of those that were born and died
 * between two looks. The threads are bare (clone): a C library runs instructions of its own.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "count.h"
#include "loop.h"
#include "tap.h"

#define MILLION 1000000
#define ROWS	4
#define MANY	97
#define STACK	16384
#define CLONE_BARE                                                                                 \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM)

struct row {
	struct perf_group g;
	pid_t tid;
	int pipe[2];
	struct perf_reading from, to;
	uint64_t one; /* what a window with one trip counts */
};

/* The end of a fresh stack. Never given back: a bare thread cannot say when it left it. */
static void *stack_end(void)
{
	char *p = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		tap_die("a stack");
	return p + STACK;
}

static int serve(void *arg)
{
	const struct row *row = arg;
	uint64_t trips;

	while (read(row->pipe[0], &trips, sizeof(trips)) == sizeof(trips))
		loop_spin(trips);
	return 0;
}

static void row_start(struct row *row)
{
	if (pipe(row->pipe))
		tap_die("pipe");
	row->tid = clone(serve, stack_end(), CLONE_BARE, row);
	if (row->tid < 0)
		tap_die("clone");
	count_parked(getpid(), row->tid, row->pipe[1]);
	count_open(&row->g, row->tid);
}

/* Row i of `cnt` runs `each` trips + (i + 1) * `more`; all at once. */
static void rows_window(struct row *rows, size_t cnt, uint64_t each, uint64_t more)
{
	for (size_t i = 0; i < cnt; i++)
		count_read(&rows[i].g, &rows[i].from);
	for (size_t i = 0; i < cnt; i++) {
		uint64_t trips = each + (i + 1) * more;

		if (write(rows[i].pipe[1], &trips, sizeof(trips)) != sizeof(trips))
			tap_die("the pipe of a thread");
	}
	for (size_t i = 0; i < cnt; i++) {
		count_parked(getpid(), rows[i].tid, rows[i].pipe[1]);
		count_read(&rows[i].g, &rows[i].to);
	}
}

static uint64_t row_counted(const struct row *row)
{
	return count_between(&row->from, &row->to).value[COUNT_INSTRUCTIONS];
}

static void each_thread_has_its_row(void)
{
	static struct row rows[ROWS];
	uint64_t sum = 0;

	for (size_t i = 0; i < ROWS; i++)
		row_start(&rows[i]);
	rows_window(rows, ROWS, 1, 0); /* the first time a thread meets its pages */
	rows_window(rows, ROWS, 1, 0);
	for (size_t i = 0; i < ROWS; i++)
		rows[i].one = row_counted(&rows[i]);
	rows_window(rows, ROWS, 1, MILLION / LOOP_INSTRUCTIONS);
	for (size_t i = 0; i < ROWS; i++) {
		uint64_t more = row_counted(&rows[i]) - rows[i].one;

		count_equal(more, (i + 1) * MILLION, "thread %zu: so many million instructions",
			    i + 1);
		sum += more;
	}
	count_equal(sum, 10 * (uint64_t)MILLION, "and 10 million in the sum");
	for (size_t i = 0; i < ROWS; i++) {
		perf_group__close(&rows[i].g);
		close(rows[i].pipe[1]);
	}
}

/* What a worker is told: threads to start, which spin and end. The i-th spins each + (i + 1) * more. */
struct order {
	uint64_t threads, each, more;
};

struct brood {
	void *stack[MANY];
	uint64_t trips[MANY];
};

static int live_and_die(void *arg)
{
	loop_spin(*(uint64_t *)arg);
	return 0;
}

static _Noreturn void obey(int fd, struct brood *b)
{
	struct order o;

	while (read(fd, &o, sizeof(o)) == sizeof(o))
		for (uint64_t i = 0; i < o.threads; i++) {
			b->trips[i] = o.each + (i + 1) * o.more;
			if (clone(live_and_die, b->stack[i], CLONE_BARE, &b->trips[i]) < 0)
				_exit(1);
		}
	_exit(0);
}

static pid_t worker_start(int *ret_fd)
{
	static struct brood brood;
	int fd[2];
	pid_t pid;

	for (size_t i = 0; i < MANY; i++)
		brood.stack[i] = stack_end();
	if (pipe(fd) || (pid = fork()) < 0)
		tap_die("fork");
	if (pid == 0) {
		close(fd[1]);
		obey(fd[0], &brood);
	}
	close(fd[0]);
	*ret_fd = fd[1];
	count_parked(pid, pid, fd[1]);
	return pid;
}

static unsigned tasks_of(pid_t pid)
{
	char path[64];
	AUTO_DIR DIR *dir = NULL;
	unsigned cnt = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		tap_die(path);
	for (struct dirent *e; (e = readdir(dir));)
		cnt += e->d_name[0] != '.';
	return cnt;
}

/* Instructions of the worker and of all threads that it starts in this window. */
static uint64_t brood_window(const struct perf_group *g, pid_t pid, int fd, struct order o)
{
	struct perf_reading from, to;

	count_read(g, &from);
	if (write(fd, &o, sizeof(o)) != sizeof(o))
		tap_die("the pipe of a worker");
	count_parked(pid, pid, fd);
	while (tasks_of(pid) > 1)
		(void)sched_yield();
	count_read(g, &to);
	return count_between(&from, &to).value[COUNT_INSTRUCTIONS];
}

static uint64_t brood_more(const struct perf_group *g, pid_t pid, int fd, uint64_t threads,
			   uint64_t more)
{
	struct order o = {threads, 1, 0};
	uint64_t one;

	(void)brood_window(g, pid, fd, o); /* its pages */
	one = brood_window(g, pid, fd, o);
	o.more = more;
	return brood_window(g, pid, fd, o) - one;
}

static void a_thread_born_and_dead_is_in_the_sum(void)
{
	const uint64_t unit = MILLION / LOOP_INSTRUCTIONS;
	struct perf_target all = {.inherit = true};
	struct perf_group sum, own;
	enum reason why;
	int fd;

	all.tid = worker_start(&fd);
	count_must(perf_group__open_set(&sum, PERF_SET_HW, &all, &why), "an inherited group");
	count_open(&own, all.tid);
	count_equal(brood_more(&sum, all.tid, fd, 1, unit), MILLION,
		    "a thread that was born and died between two looks");
	count_equal(brood_more(&sum, all.tid, fd, ROWS, unit), 10 * (uint64_t)MILLION,
		    "four such threads: 1, 2, 3 and 4 million");
	count_equal(brood_more(&sum, all.tid, fd, MANY, 500),
		    (uint64_t)MANY * (MANY + 1) / 2 * 500 * LOOP_INSTRUCTIONS, "%d such threads",
		    MANY);
	count_equal(brood_more(&own, all.tid, fd, ROWS, unit), 0,
		    "the row of the thread that started them has none of it");
	perf_group__close(&sum);
	perf_group__close(&own);
	close(fd);
	(void)waitpid(all.tid, NULL, 0);
}

int main(int argc, char **argv)
{
	enum reason why = perf_hw_available();

	if (why != REASON_NONE)
		tap_skip_all("instructions are not counted by the hardware here: %s",
			     reason_get(why)->sentence);
	count_init(argc, argv);
	each_thread_has_its_row();
	a_thread_born_and_dead_is_in_the_sum();
	return tap_done();
}
