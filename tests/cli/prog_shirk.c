/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker whose clock does not see its work. how.txt has "orphan": a child does it that nobody waits
 * for (SIGCHLD is ignored), so that it is in no clock of this process; or "clock": every clock of CPU
 * time advances by a 32nd of the truth. work.txt says how much there is to do. Beside it an honest one,
 * whose iterations start threads that end at once.
 */
#include "joust.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool slow_clock;

/* Instead of libc's, for libjoust as well. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	long ret = syscall(SYS_clock_gettime, id, ts);

	if (!ret && slow_clock && id != CLOCK_MONOTONIC) {
		long long ns = (ts->tv_sec * 1000000000LL + ts->tv_nsec) / 32;

		ts->tv_sec = ns / 1000000000;
		ts->tv_nsec = ns % 1000000000;
	}
	return (int)ret;
}

static void burn(long steps)
{
	for (volatile long i = 0; i < steps; i++)
		;
}

static long read_steps(void)
{
	FILE *f = fopen("work.txt", "re");
	long steps = 0;

	if (f && fscanf(f, "%ld", &steps) != 1)
		steps = 0;
	if (f)
		(void)fclose(f);
	return steps;
}

static bool is_clock(void)
{
	char how[16] = "";
	FILE *f = fopen("how.txt", "re");

	if (f && !fgets(how, sizeof(how), f))
		how[0] = '\0';
	if (f)
		(void)fclose(f);
	return !strncmp(how, "clock", 5);
}

/* Its end closes the pipe, which is all that is waited for. */
static void in_a_child(long steps)
{
	int fds[2];
	char byte;

	if (pipe(fds))
		return;
	if (!fork()) {
		burn(steps);
		_exit(0);
	}
	(void)close(fds[1]);
	(void)!read(fds[0], &byte, 1);
	(void)close(fds[0]);
}

JOUST_BENCH(bench_shirk, "shirk")
{
	long steps = read_steps();
	bool clock = is_clock();

	(void)signal(SIGCHLD, SIG_IGN);
	slow_clock = clock;
	JOUST_LOOP(b) {
		if (clock)
			burn(steps);
		else
			in_a_child(steps);
	}
}

#define OTHERS 3

static void *end_soon(void *arg)
{
	burn(1000);
	return arg;
}

static bool start_others(pthread_t *ret)
{
	for (int i = 0; i < OTHERS; i++) {
		if (pthread_create(&ret[i], NULL, end_soon, NULL))
			return false;
	}
	return true;
}

JOUST_BENCH_THREADS(bench_short, "short", OTHERS + 1)
{
	JOUST_LOOP(b) {
		pthread_t others[OTHERS];

		if (!start_others(others)) {
			joust_fail(b, "cannot start a thread");
			return;
		}
		for (int i = 0; i < OTHERS; i++)
			(void)pthread_join(others[i], NULL);
	}
}
