/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What BPF costs: loading and attaching, reading a record, and one hop through a pipe between two
 * threads on one CPU (a wake-up and a switch) without the programs, with them, and with both threads
 * watched. Beside them what no program can be below on this machine: two on the same tracepoints that
 * do nothing, and two that read the clock, as each event of a watched thread must. All are run by
 * turns, 101 rounds; minimum against minimum, and the median of the differences within a round, which
 * a busy machine moves less. Needs a quiet machine.
 */
#include <bpf/bpf.h>
#include <linux/bpf.h>
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

enum arm { NOTHING, FLOOR, CLOCK, UNWATCHED, WATCHED, ARMS };

/* limit_ns: beyond NOTHING; 0: none. Taken where a hop took 1.3 us and a program that does nothing
 * 15 ns; the shares tell how much of a difference is this machine's. */
static const struct {
	const char *name;
	unsigned limit_ns;
} arms[ARMS] = {
	[NOTHING] = {"nothing attached", 0},
	[FLOOR] = {"programs that do nothing", 0},
	[CLOCK] = {"programs that read the clock", 0},
	[UNWATCHED] = {"attached, not watched", 90},
	[WATCHED] = {"watched", 160},
};

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

/* A program of some instructions on a tracepoint; closing the descriptor detaches it. */
static int attach_plain(const struct bpf_insn *insns, size_t cnt, const char *tracepoint)
{
	int prog = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", insns, cnt, NULL);
	int link = prog < 0 ? prog : bpf_raw_tracepoint_open(tracepoint, prog);

	must(link >= 0, "a program of the comparison");
	(void)close(prog); /* the link holds it */
	return link;
}

static void attach_floor(enum arm arm, int link[static 2])
{
	const struct bpf_insn insns[] = {
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	size_t skipped = arm == FLOOR ? 1 : 0, cnt = sizeof(insns) / sizeof(insns[0]) - skipped;

	link[0] = attach_plain(insns + skipped, cnt, "sched_switch");
	link[1] = attach_plain(insns + skipped, cnt, "sched_wakeup");
}

static double measure_floor(enum arm arm, struct pipes *p)
{
	int link[2];
	double ns;

	attach_floor(arm, link);
	(void)hop_ns(p); /* caches and code */
	ns = hop_ns(p);
	(void)close(link[0]);
	(void)close(link[1]);
	return ns;
}

/* One arm of a round; `ret_open_ms` gets how long attaching took. */
static double measure(enum arm arm, struct pipes *p, double *ret_open_ms)
{
	struct watch *w = NULL;
	uint32_t generation;
	double ns;

	if (arm == FLOOR || arm == CLOCK)
		return measure_floor(arm, p);
	if (arm != NOTHING) {
		uint64_t from = now_ns();

		w = attach();
		*ret_open_ms = (double)(now_ns() - from) / 1e6;
	}
	must(arm != WATCHED || !watch__enrol(w, 0, getpid(), WATCH_PROCESS, &generation), "enrol");
	(void)hop_ns(p); /* caches and code */
	ns = hop_ns(p);
	watch__close(w);
	return ns;
}

static double clock_ns(void)
{
	double best = 1e9;

	for (int batch = 0; batch < 20; batch++) {
		uint64_t from = now_ns();

		for (int i = 0; i < READS / 20; i++)
			(void)now_ns();
		from = now_ns() - from;
		if ((double)from / (READS / 20.0) < best)
			best = (double)from / (READS / 20.0);
	}
	return best;
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

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Minimum against minimum; the median of the differences within a round. */
static void print_arm(enum arm arm, double ns[ARMS][ROUNDS])
{
	double best[2] = {1e9, 1e9}, diff[ROUNDS];

	for (int r = 0; r < ROUNDS; r++) {
		best[0] = ns[NOTHING][r] < best[0] ? ns[NOTHING][r] : best[0];
		best[1] = ns[arm][r] < best[1] ? ns[arm][r] : best[1];
		diff[r] = ns[arm][r] - ns[NOTHING][r];
	}
	qsort(diff, ROUNDS, sizeof(*diff), compare);
	printf("  %-30s %7.0f ns  %+5.0f ns  %+5.1f %%  by turns %+5.0f ns", arms[arm].name,
	       best[1], best[1] - best[0], 100 * (best[1] / best[0] - 1), diff[ROUNDS / 2]);
	if (arms[arm].limit_ns)
		printf("  (limit %u)", arms[arm].limit_ns);
	puts("");
}

int main(void)
{
	static double ns[ARMS][ROUNDS];
	double open_best = 1e9;
	struct pipes p;

	watch__close(attach());
	printf("a record with one thread and the clock: %.1f ns (fastest of 20 batches; limit 40), "
	       "of it the clock: %.1f ns\n",
	       read_ns(), clock_ns());
	prepare(&p);
	for (int round = 0; round < ROUNDS; round++)
		for (enum arm arm = 0; arm < ARMS; arm++) {
			double open_ms = 1e9;

			ns[arm][round] = measure(arm, &p, &open_ms);
			open_best = open_ms < open_best ? open_ms : open_best;
		}
	printf("load and attach: %.1f ms (fastest of %d; limit 40)\n", open_best, 2 * ROUNDS);
	printf("a hop, fastest of %d rounds by turns:\n", ROUNDS);
	for (enum arm arm = 0; arm < ARMS; arm++)
		print_arm(arm, ns);
	return 0;
}
