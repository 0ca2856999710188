/* SPDX-License-Identifier: BSD-2-Clause */
#include "metrics.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* clang-format off */
static const struct metric metrics[] = {
	[METRIC_CPU] = {
		.name = "cpu", .unit = "ns", .source = "thread CPU clock, median of the slices",
		.why = "CPU time is what the code costs; other processes do not inflate it.",
		.limit = 1.02, .kind = METRIC_TIMED, .judge = JUDGE_ALWAYS,
	},
	[METRIC_CPU_TOTAL] = {
		.name = "cpu_total", .unit = "ns", .source = "thread CPU clock, the whole window",
		.why = "It sees costs that fall into fewer than half of the slices, to which the "
		       "median is blind.",
		.limit = 1.02, .kind = METRIC_TIMED, .judge = JUDGE_ALWAYS, .summed = true,
	},
	[METRIC_INSTRUCTIONS] = {
		.name = "instructions", .unit = NULL, .source = "PMU, user mode",
		.why = "It hardly varies from run to run, so it settles what is too small for time.",
		.limit = 1.01, .kind = METRIC_TIMED, .judge = JUDGE_ALWAYS,
	},
	[METRIC_WALL] = {
		.name = "wall", .unit = "ns", .source = "CLOCK_MONOTONIC, median of the slices",
		.why = "Elapsed time is what threads that wait for each other cost.",
		.limit = 1.05, .kind = METRIC_TIMED, .judge = JUDGE_THREADED,
	},
	[METRIC_BLOCKED] = {
		.name = "blocked", .unit = "ns", .source = "BPF",
		.why = "Time in which the threads slept: it explains elapsed time, and may be 0, "
		       "which has no ratio.",
		.limit = NAN, .kind = METRIC_TIMED, .judge = JUDGE_NEVER,
	},
	[METRIC_CYCLES] = {
		.name = "cycles", .unit = NULL, .source = "PMU, user mode",
		.why = "Unlike time it does not depend on the clock frequency.",
		.limit = 1.02, .kind = METRIC_TIMED, .judge = JUDGE_ASKED,
	},
	[METRIC_BRANCH_MISSES] = {
		.name = "branch_misses", .unit = NULL, .source = "PMU, user mode",
		.why = "It shows branches that the CPU guessed wrong; it depends on addresses.",
		.limit = 1.02, .kind = METRIC_TIMED, .judge = JUDGE_ASKED,
	},
	[METRIC_CACHE_MISSES] = {
		.name = "cache_misses", .unit = NULL, .source = "PMU, user mode",
		.why = "It shows memory that no cache held; it depends on what else runs.",
		.limit = 1.02, .kind = METRIC_TIMED, .judge = JUDGE_ASKED,
	},
	[METRIC_PAGE_FAULTS] = {
		.name = "page_faults", .unit = NULL, .source = "getrusage, perf",
		.why = "It shows memory touched for the first time; it depends on addresses.",
		.limit = 0.5, .kind = METRIC_COUNTED, .judge = JUDGE_ASKED,
	},
	[METRIC_VOLUNTARY_SWITCHES] = {
		.name = "voluntary_switches", .unit = NULL, .source = "getrusage, perf",
		.why = "It counts how often the work waited for something; it depends on load.",
		.limit = 0.5, .kind = METRIC_COUNTED, .judge = JUDGE_ASKED,
	},
	[METRIC_INVOLUNTARY_SWITCHES] = {
		.name = "involuntary_switches", .unit = NULL, .source = "getrusage, perf",
		.why = "It counts how often the host took the CPU away; it explains noise.",
		.limit = NAN, .kind = METRIC_INTERFERENCE, .judge = JUDGE_NEVER,
	},
	[METRIC_PEAK_MEMORY] = {
		.name = "peak_memory", .unit = "B", .source = "cgroup, else VmHWM",
		.why = "It is the most memory that the measured work needed at once, above what its "
		       "process had when it began; worse only by 1,000,000 bytes more as well.",
		.limit = 1.10, .least = 1e6, .kind = METRIC_PEAK, .judge = JUDGE_ASKED,
	},
	[METRIC_MIGRATIONS] = {
		.name = "migrations", .unit = NULL, .source = "BPF",
		.why = "It counts moves to another CPU, whose caches are cold.",
		.limit = NAN, .kind = METRIC_INTERFERENCE, .judge = JUDGE_NEVER,
	},
	[METRIC_WAITING] = {
		.name = "waiting", .unit = "ns", .source = "BPF, schedstat",
		.why = "Time in which the work could have run while others held its CPU.",
		.limit = NAN, .kind = METRIC_INTERFERENCE, .judge = JUDGE_NEVER,
	},
	[METRIC_WAKEUP] = {
		.name = "wakeup", .unit = "ns", .source = "BPF",
		.why = "Time between a wake-up and the first instruction on an idle CPU.",
		.limit = NAN, .kind = METRIC_INTERFERENCE, .judge = JUDGE_NEVER,
	},
	[METRIC_INTERRUPTS] = {
		.name = "interrupts", .unit = "ns", .source = "BPF",
		.why = "Time that interrupts took while the work was on the CPU; the CPU clock "
		       "includes it.",
		.limit = NAN, .kind = METRIC_INTERFERENCE, .judge = JUDGE_NEVER,
	},
};
/* clang-format on */

_Static_assert(sizeof(metrics) / sizeof(metrics[0]) == METRIC_CNT, "one row per metric");

const struct metric *metric_get(enum metric_id id)
{
	return &metrics[id];
}

int metric_find(const char *name)
{
	for (int i = 0; i < METRIC_CNT; i++)
		if (strcmp(metrics[i].name, name) == 0)
			return i;
	return -1;
}
