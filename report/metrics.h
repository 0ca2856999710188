/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The one table of metrics: it feeds collecting, judging, every report and the JSON. A metric that
 * joust learns to measure is one more row here and one more value filled by a source.
 */
#include <stdbool.h>

enum metric_id {
	METRIC_CPU,
	METRIC_CPU_TOTAL,
	METRIC_INSTRUCTIONS,
	METRIC_WALL,
	METRIC_BLOCKED,
	METRIC_CYCLES,
	METRIC_BRANCH_MISSES,
	METRIC_CACHE_MISSES,
	METRIC_PAGE_FAULTS,
	METRIC_VOLUNTARY_SWITCHES,
	METRIC_INVOLUNTARY_SWITCHES,
	METRIC_PEAK_MEMORY,
	METRIC_MIGRATIONS,
	METRIC_WAITING,
	METRIC_WAKEUP,
	METRIC_INTERRUPTS,
	METRIC_CNT
};

enum metric_kind {
	METRIC_TIMED,	     /* judged by ratio */
	METRIC_COUNTED,	     /* exact, judged by difference per iteration */
	METRIC_PEAK,	     /* of a process: judged by ratio and by `least` together */
	METRIC_INTERFERENCE, /* never judged: it explains */
};

enum metric_judge {
	JUDGE_ALWAYS,	/* by default */
	JUDGE_THREADED, /* by default only where the benchmark has more than one thread */
	JUDGE_ASKED,	/* only with `judge =` or --judge */
	JUDGE_NEVER,
};

struct metric {
	const char *name; /* in the configuration, the JSON and every report */
	const char *
		unit; /* "ns", or NULL for a plain number; values are per iteration (a peak is not) */
	const char *source;
	const char *why; /* one sentence for the documents and --help */
	double limit;	 /* default: ratio (timed), difference per iteration (counted), else NaN */
	double least;	 /* peak: worse only by at least so many units more; others 0 */
	enum metric_kind kind;
	enum metric_judge judge;
	bool summed; /* a block's ratio is that of the windows' sums, not the median of their ratios */
};

/* The row of `id`; never NULL for a valid id. */
const struct metric *metric_get(enum metric_id id);

/* The metric called `name`, or -1. */
int metric_find(const char *name);
