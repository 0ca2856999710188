/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What BPF costs: loading and attaching, reading a record, and one hop through a pipe between two
 * threads on one CPU (a wake-up and a switch) without the programs, with them, and with both threads
 * watched. The three are run by turns, 101 rounds; minimum against minimum. Needs a quiet machine.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bpf/watch.h"

#define ROUNDS 101
#define HOPS   2000
#define READS  1000000
#define ARMS   3

static const char *const arm_names[ARMS] = {"nothing attached", "attached, not watched", "watched"};
static const uint64_t limit_ns[ARMS] = {0, 90, 160};

struct pipes {
	int there[2], back[2];
};

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t); /* always there */
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "bench_interference: %s\n", what);
	exit(1);
}

static void *echo(void *arg)
{
	struct pipes *p = arg;
	char byte;

	while (read(p->there[0], &byte, 1) == 1 && write(p->back[1], &byte, 1) == 1) {
	}
	return NULL;
}

static double hop_ns(struct pipes *p)
{
	uint64_t from = now_ns();
	char byte = 0;

	for (int i = 0; i < HOPS; i++)
		must(write(p->there[1], &byte, 1) == 1 && read(p->back[0], &byte, 1) == 1, "pipe");
	return (double)(now_ns() - from) / (2.0 * HOPS);
}

static struct watch *attach(void)
{
	enum watch_result why;
	struct watch *w;

	if (!watch__open(&w, &why))
		return w;
	printf("skipped: %s\n", watch_result_str(why));
	exit(77);
}

/* One arm of a round; `ret_open_ms` gets how long attaching took. */
static double measure(int arm, struct pipes *p, double *ret_open_ms)
{
	struct watch *w = NULL;
	uint32_t generation;
	double ns;

	if (arm) {
		uint64_t from = now_ns();

		w = attach();
		*ret_open_ms = (double)(now_ns() - from) / 1e6;
	}
	must(arm < 2 || !watch__enrol(w, 0, getpid(), WATCH_PROCESS, &generation), "enrol");
	(void)hop_ns(p); /* caches and code */
	ns = hop_ns(p);
	watch__close(w);
	return ns;
}

static double read_ns(void)
{
	struct interference_reading r;
	struct watch *w = attach();
	double best = 1e9;
	uint32_t generation;

	must(!watch__enrol(w, 0, getpid(), WATCH_PROCESS, &generation), "enrol");
	(void)usleep(1000);
	for (int batch = 0; batch < 20; batch++) {
		uint64_t from = now_ns();

		for (int i = 0; i < READS / 20; i++)
			must(watch__read(w, 0, &r) == 0, "read");
		from = now_ns() - from;
		if ((double)from / (READS / 20.0) < best)
			best = (double)from / (READS / 20.0);
	}
	watch__close(w);
	return best;
}

static void prepare(struct pipes *p)
{
	struct sched_param first = {.sched_priority = 1};
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	must(!sched_setaffinity(0, sizeof(set), &set), "affinity");
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		puts("without real-time priority: expect noise");
	must(!pipe(p->there) && !pipe(p->back), "pipes");
	must(!pthread_create(&thread, NULL, echo, p), "thread");
}

int main(void)
{
	double best[ARMS] = {1e9, 1e9, 1e9}, open_best = 1e9;
	struct pipes p;

	watch__close(attach());
	printf("a record with one thread and the clock: %.1f ns (fastest of 20 batches; limit "
	       "40)\n",
	       read_ns());
	prepare(&p);
	for (int round = 0; round < ROUNDS; round++)
		for (int arm = 0; arm < ARMS; arm++) {
			double open_ms = 1e9, ns = measure(arm, &p, &open_ms);

			best[arm] = ns < best[arm] ? ns : best[arm];
			open_best = open_ms < open_best ? open_ms : open_best;
		}
	printf("load and attach: %.1f ms (fastest of %d; limit 40)\n", open_best, 2 * ROUNDS);
	printf("a hop, fastest of %d rounds by turns:\n", ROUNDS);
	for (int arm = 0; arm < ARMS; arm++)
		printf("  %-24s %7.0f ns  %+5.0f ns (limit %lu)\n", arm_names[arm], best[arm],
		       best[arm] - best[0], (unsigned long)limit_ns[arm]);
	return 0;
}
