/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one reading of the counters costs, by the code that a worker runs. Each kind is measured in
 * 20 batches of 2000 readings, the kinds in turn within a batch, so that what the machine does meets
 * all of them; the fastest batch counts. To be run on a quiet machine.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bpf/watch.h"
#include "engine/host/perf_probe.h"
#include "engine/util/clock.h"
#include "engine/worker/libjoust/counters.h"
#include "engine/worker/libjoust/threads.h"

#define BATCHES	 20
#define READINGS 2000

struct kind {
	const char *name;
	double most_ns; /* what we promise; NaN: nothing */
	struct joust_sources sources;
	void (*read)(const struct kind *k);
	const char *missing; /* why it is not measured */
	double least_ns;
};

static void read_all(const struct kind *k)
{
	struct joust_counters c;

	joust_counters_before(&k->sources, &c);
	__asm__ volatile("" : : "r"(&c) : "memory");
}

static void read_clocks(const struct kind *k)
{
	uint64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);

	(void)k;
	__asm__ volatile("" : : "r"(cpu), "r"(wall));
}

/* As a worker reads at an end of a window without BPF: clocks, getrusage, schedstat. */
static void read_software(const struct kind *k)
{
	read_clocks(k);
	read_all(k);
}

static void read_lane(const struct kind *k)
{
	struct interference_reading r;

	IGNORE_ERROR(joust_interference_read(k->sources.lane, 0, clock_ns(CLOCK_MONOTONIC), &r));
	__asm__ volatile("" : : "r"(&r) : "memory");
}

static void batch(struct kind *k)
{
	uint64_t from = clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < READINGS; i++)
		k->read(k);
	k->least_ns = fmin(k->least_ns, (double)(clock_ns(CLOCK_MONOTONIC) - from) / READINGS);
}

static void take(struct kind *k, const struct frame_open *o, const int *fds, size_t cnt)
{
	if (joust_sources__take(&k->sources, o, fds, cnt) < 0)
		k->missing = "the sources were refused";
}

static void with_schedstat(struct kind *k)
{
	take(k, &(struct frame_open){.schedstat = 1}, NULL, 0);
	if (k->sources.schedstat_fd < 0)
		k->missing = "no /proc/thread-self/schedstat";
}

/* The group stays open until the end of the program. */
static void with_hardware(struct kind *k, bool user_read)
{
	static struct perf_group groups[2];
	struct perf_group *g = &groups[user_read];
	struct frame_open o = {.group = {{.user_read = user_read}}};
	struct perf_tiers tiers;
	enum reason why;

	perf_tiers_probe("", NULL, &tiers);
	if (tiers.hw != REASON_NONE) {
		k->missing = reason_get(tiers.hw)->sentence;
		return;
	}
	if (user_read && !tiers.user_read) {
		k->missing = "counters cannot be read in user space here";
		return;
	}
	if (perf_group__open_set(g, PERF_SET_HW, &(struct perf_target){.user_read = user_read},
				 &why)) {
		k->missing = reason_get(why)->sentence;
		return;
	}
	o.group[0].values = g->cnt;
	take(k, &o, g->fd, user_read ? g->cnt : 1);
}

static void with_lane(struct kind *k)
{
	static struct watch *watch;
	enum watch_result why;
	uint32_t generation;

	if (watch__open(&watch, &why)) {
		k->missing = watch_result_str(why);
		return;
	}
	if (watch__enrol(watch, 0, getpid(), WATCH_PROCESS, &generation)) {
		k->missing = "this process cannot be watched";
		return;
	}
	take(k, &(struct frame_open){.lane = 1}, (int[]){dup(watch__lane_fd(watch, 0))}, 1);
}

static int print(const struct kind *k)
{
	if (k->missing) {
		printf("%-46s  not measured: %s\n", k->name, k->missing);
		return 0;
	}
	printf("%-46s  %8.1f ns", k->name, k->least_ns);
	if (isnan(k->most_ns)) {
		putchar('\n');
		return 0;
	}
	printf("  at most %.0f ns%s\n", k->most_ns, k->least_ns > k->most_ns ? ": OVER" : "");
	return k->least_ns > k->most_ns;
}

int main(void)
{
	static struct kind kinds[] = {
		{.name = "both clocks", .most_ns = NAN, .read = read_clocks},
		{.name = "sw tier: clocks, getrusage, schedstat",
		 .most_ns = 800,
		 .read = read_software},
		{.name = "getrusage alone (with BPF)", .most_ns = NAN, .read = read_all},
		{.name = "getrusage and hardware group, by read()",
		 .most_ns = NAN,
		 .read = read_all},
		{.name = "getrusage and hardware group, in user space",
		 .most_ns = NAN,
		 .read = read_all},
		{.name = "record of interference, with a clock", .most_ns = NAN, .read = read_lane},
	};
	const size_t cnt = sizeof(kinds) / sizeof(kinds[0]);
	double hw_ns, user_ns;
	int over = 0;

	for (size_t i = 0; i < cnt; i++) {
		kinds[i].least_ns = INFINITY;
		joust_sources__init(&kinds[i].sources, false);
	}
	with_schedstat(&kinds[1]);
	with_hardware(&kinds[3], false);
	with_hardware(&kinds[4], true);
	with_lane(&kinds[5]);
	for (int i = 0; i < BATCHES; i++)
		for (size_t j = 0; j < cnt; j++)
			if (!kinds[j].missing)
				batch(&kinds[j]);
	printf("fastest of %d batches of %d readings, the kinds in turn\n", BATCHES, READINGS);
	for (size_t i = 0; i < cnt; i++)
		over += print(&kinds[i]);
	hw_ns = kinds[3].least_ns - kinds[2].least_ns;
	user_ns = kinds[4].least_ns - kinds[2].least_ns;
	if (!kinds[3].missing)
		printf("hw by read(): %.1f ns, at most 450 ns\n", hw_ns);
	if (!kinds[4].missing)
		printf("hw in user space: %.1f ns, at most 150 ns\n", user_ns);
	return over ? 1 : 0;
}
