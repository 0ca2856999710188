/* SPDX-License-Identifier: BSD-2-Clause */
#include "emptywindow.h"
#include <math.h>
#include <time.h>
#include "../util/clock.h"

#define TRIES 64

struct readings {
	uint64_t cpu_ns, wall_ns;
};

static struct readings read_clocks(void)
{
	struct readings r;

	r.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	r.wall_ns = clock_ns(CLOCK_MONOTONIC);
	return r;
}

static void try_clocks(struct empty_window *least)
{
	struct readings from = read_clocks(), to = read_clocks();

	least->cpu_ns = fmin(least->cpu_ns, (double)(to.cpu_ns - from.cpu_ns));
	least->wall_ns = fmin(least->wall_ns, (double)(to.wall_ns - from.wall_ns));
}

/* Between two readings of the group, as in a worker. */
static double try_instructions(const struct perf_group *g)
{
	struct perf_reading from, to;

	if (perf_group__read(g, &from))
		return NAN;
	(void)read_clocks();
	(void)read_clocks();
	if (perf_group__read(g, &to))
		return NAN;
	return (double)(to.value[0] - from.value[0]);
}

void empty_window_measure(const struct perf_tiers *tiers, struct empty_window *ret)
{
	CLEANUP(perf_group__close) struct perf_group g = {0};
	struct perf_target self = {.core_type = tiers->core_type, .events_max = tiers->hw_events};
	struct empty_window least = {INFINITY, INFINITY, NAN};
	enum reason why;
	bool counted =
		tiers->hw == REASON_NONE && !perf_group__open_set(&g, PERF_SET_HW, &self, &why);

	for (int i = 0; i < TRIES; i++) {
		try_clocks(&least);
		if (counted)
			least.instructions = fmin(least.instructions, try_instructions(&g));
	}
	*ret = least;
}
