/* SPDX-License-Identifier: BSD-2-Clause */
/* A worker program with one benchmark for everything that the protocol can meet. */
#include "joust.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned bodies;

static uint64_t thread_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts) < 0)
		abort();
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void spin_ns(uint64_t ns)
{
	uint64_t end = thread_ns() + ns;

	while (thread_ns() < end)
		continue;
}

JOUST_BENCH(plain, "plain")
{
	uint32_t x = 1;

	bodies++;
	JOUST_LOOP(b) {
		x = x * 1664525u + 1013904223u;
		joust_keep(x);
	}
	joust_digest(b, &bodies, sizeof(bodies)); /* 1, or the body did not run once */
}

JOUST_BENCH(digest, "digest: of abc")
{
	joust_digest(b, "a", 1);
	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
	joust_digest(b, "bc", 2);
}

JOUST_BENCH(untimed, "untimed: 20 ms")
{
	JOUST_LOOP_INDEX(b, i) {
		JOUST_UNTIMED(b)
			spin_ns(20000000);
		joust_keep(i);
	}
}

JOUST_BENCH(timed, "timed: 20 ms")
{
	JOUST_LOOP(b)
		spin_ns(20000000);
}

JOUST_BENCH(skips, "skips")
{
	joust_skip(b, "not on this machine");
}

JOUST_BENCH(fails, "fails")
{
	joust_fail(b, "no file %s", "large.json");
}

JOUST_BENCH(fails_late, "fails: after the loop")
{
	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
	joust_fail(b, "the result is wrong");
}

JOUST_BENCH(no_loop, "no loop")
{
}

JOUST_BENCH(breaks, "breaks")
{
	JOUST_LOOP_INDEX(b, i) {
		joust_keep(i);
		break;
	}
}

JOUST_BENCH(returns, "returns")
{
	JOUST_LOOP_INDEX(b, i) {
		joust_keep(i);
		return;
	}
}

JOUST_BENCH(two_loops, "two loops")
{
	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
}

JOUST_BENCH(continues, "continues")
{
	uint64_t odd = 0, total = 0;

	JOUST_LOOP_INDEX(b, i) {
		total++;
		if (i % 2 == 0)
			continue;
		odd++;
	}
	joust_digest(b, &total, sizeof(total));
	joust_digest(b, &odd, sizeof(odd));
}

JOUST_BENCH(crashes, "crashes")
{
	JOUST_LOOP(b)
		abort();
}

JOUST_BENCH_PARAMS(params, "params", JOUST_PARAM("doc", "small", "large"),
		   JOUST_PARAM("indent", "0", "2"))
{
	const char *doc = joust_param(b, "doc");
	long indent = joust_param_long(b, "indent");

	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
	joust_digest(b, doc, strlen(doc));
	joust_digest(b, &indent, sizeof(indent));
}

JOUST_BENCH_PARAMS(no_number, "no number", JOUST_PARAM("indent", "2x"))
{
	long indent = joust_param_long(b, "indent");

	JOUST_LOOP(b)
		joust_keep(indent);
}

JOUST_BENCH(environment, "environment")
{
	if (getenv("JOUST_WORKER_FD"))
		joust_fail(b, "JOUST_WORKER_FD is still set");
	JOUST_LOOP_INDEX(b, i)
		joust_keep(i);
}

struct helper {
	pthread_barrier_t start, stop;
	bool over;
};

static void *help(void *arg)
{
	struct helper *h = arg;

	for (;;) {
		(void)pthread_barrier_wait(&h->start);
		if (h->over)
			return NULL;
		spin_ns(5000000);
		(void)pthread_barrier_wait(&h->stop);
	}
}

JOUST_BENCH_THREADS(threads, "threads: 2", 2)
{
	struct helper h = {.over = false};
	pthread_t thread;

	if (pthread_barrier_init(&h.start, NULL, 2) || pthread_barrier_init(&h.stop, NULL, 2) ||
	    pthread_create(&thread, NULL, help, &h)) {
		joust_fail(b, "no thread");
		return;
	}
	JOUST_LOOP(b) {
		(void)pthread_barrier_wait(&h.start);
		(void)pthread_barrier_wait(&h.stop);
	}
	h.over = true;
	(void)pthread_barrier_wait(&h.start);
	(void)pthread_join(thread, NULL);
}

static void *burn(void *arg)
{
	(void)arg;
	spin_ns(5000000);
	return NULL;
}

static void burn_in_a_thread(struct joust *b)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, burn, NULL) || pthread_join(thread, NULL))
		joust_fail(b, "no thread");
}

JOUST_BENCH_THREADS(mortal, "threads: born and dead", 2)
{
	JOUST_LOOP(b)
		burn_in_a_thread(b);
}

JOUST_BENCH(undeclared, "threads: undeclared")
{
	JOUST_LOOP(b)
		burn_in_a_thread(b);
}

JOUST_BENCH(children, "children: waited for")
{
	JOUST_LOOP(b) {
		pid_t pid = fork();

		if (pid == 0) {
			spin_ns(5000000);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			abort();
	}
}

/* A prime number of faults in each iteration: fresh pages, never huge ones. */
JOUST_BENCH(faults, "faults: 997")
{
	const size_t pages = 997, page = (size_t)sysconf(_SC_PAGESIZE);

	JOUST_LOOP(b) {
		volatile char *p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			abort();
		(void)madvise((void *)p, pages * page, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < pages; i++)
			p[i * page] = 1;
		(void)munmap((void *)p, pages * page);
	}
}

/* Waits 13 times for something that lasts 100 us: voluntary switches, and nearly no CPU time. */
JOUST_BENCH(sleeps, "sleeps: 13")
{
	const struct timespec pause = {.tv_nsec = 100000};

	JOUST_LOOP(b)
		for (int i = 0; i < 13; i++)
			(void)nanosleep(&pause, NULL);
}
