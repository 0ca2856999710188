/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What comparisons of equal code say about the host: how often a stage said "slower", how far block
 * values spread and by what, and whether the order of two halves matters. Fed with judged records.
 */
#include "judge.h"

/* How the two equal sides of a run came about. */
enum alarm_kind { ALARM_SAME, ALARM_RELINKED, ALARM_REBUILT, ALARM_KINDS };

/* Where a block value comes from, in the order of the hierarchy; what a spread can be due to. */
enum noise { NOISE_SAMPLES, NOISE_PROCESSES, NOISE_LAYOUTS, NOISE_RUNS, NOISE_CNT };

struct alarm_block {
	double y;	 /* log of the block's ratio of `cpu`, as it is judged */
	double by_place; /* log of second half over first, median of the same pairs */
	size_t run;
	unsigned layout;
	enum alarm_kind kind;
};

struct alarm_bench {
	char *name;
	size_t m;
	double limit;
	size_t blocks_cnt, within_cnt;
	struct alarm_block *blocks;
	/* differences of successive pairs of a block over sqrt 2: they spread as the pairs do */
	double *within;
	size_t slower, stages;	  /* runs in which stage 1 said so by any timed metric; and all */
	size_t runs, regressed;	  /* verdicts */
	size_t found[METRIC_CNT]; /* verdicts "slower" */
	size_t undecided;	  /* runs; and in how many of them each metric was, and why */
	size_t why[METRIC_CNT][REASON_CNT];
	size_t why_all[REASON_CNT];   /* where no metric says it: of the benchmark */
	size_t n_max;		      /* N of stage 1 */
	size_t n_confirm[STAGES_MAX]; /* of the confirmations, from the first */
};

/* Seconds that somebody waited, one number for each time. */
struct alarm_times {
	size_t cnt;
	double *s;
};

struct alarms {
	size_t benches_cnt;
	struct alarm_bench *benches;
	size_t runs[ALARM_KINDS], failing[ALARM_KINDS];
	size_t slower[ALARM_KINDS], stages[ALARM_KINDS]; /* the sums over the benchmarks */
	/* by the blocks of a benchmark, for each verdict that it came to; and by whole runs */
	struct alarm_times times[BENCH_SAME + 1], whole;
	bool exhausted; /* every run took every block of stage 1: the signs are those of fixed n */
};

/* Takes in a judged run. 0 or -ENOMEM. */
int alarms__add(struct alarms *a, const struct record *rec, enum alarm_kind kind) MUST_CHECK;
void alarms__done(struct alarms *a);

struct alarm_figures {
	size_t blocks;
	double median;		/* ratio of candidate to baseline */
	double spread;		/* 1.4826 MAD of the block values */
	double within;		/* the same of the pairs within their block */
	double part[NOISE_CNT]; /* standard deviations; NaN: cannot be told */
	enum noise worst;
	double seen_80,
		seen_90; /* the smallest ratio found by one stage with that power; NaN: none */
};

/* Of one benchmark. 0, -ENOMEM, or -ENODATA with fewer than two blocks. */
int alarm_figures_of(const struct alarm_bench *b, const struct policy *p,
		     struct alarm_figures *ret) MUST_CHECK;

/*
 * How often the three stages find `ratio` in `cpu`, where blocks spread by `spread` around it (exact for
 * normal logs). 0, -ENOMEM or -EINVAL.
 */
int alarm_power_of(const struct alarm_bench *b, const struct policy *p, double ratio, double spread,
		   double *ret) MUST_CHECK;

struct alarm_quantiles {
	size_t cnt;
	double median, nine_of_ten; /* NaN: there are none */
};
/* 0, -ENOMEM, or -EINVAL where one of the times is no number. */
int alarm_quantiles_of(const struct alarm_times *t, struct alarm_quantiles *ret) MUST_CHECK;

/* Signs of block values: above 1 of those that are not 1. */
struct alarm_signs {
	size_t above, cnt;
	double tolerance; /* a fair coin's share lies within .5 +- this but once in a hundred times */
};
/* Candidate over baseline, and second half over first, of all benchmarks. */
void alarm_signs_of(const struct alarms *a, struct alarm_signs *ret_sides,
		    struct alarm_signs *ret_places);

/*
 * Stages of `cpu` at limit 1, of runs of the same binary that took every block. By the coins each block
 * lies above 1 like a fair coin, independent of the others: the number above varies as that of coins,
 * and the boundary is crossed as often as it was computed for.
 */
struct alarm_stages {
	size_t stages, slower;
	double variance;       /* of the number above, in units of n/4; NaN: fewer than two */
	double tolerance;      /* of fair coins it lies within 1 +- this but once in a hundred */
	double expected;       /* share of stages that say slower */
	double rate_tolerance; /* three standard errors of it */
};
/* Of all benchmarks together; no stages where not every block was taken. 0, -ENOMEM or -EINVAL. */
int alarm_stages_of(const struct alarms *a, const struct policy *p,
		    struct alarm_stages *ret) MUST_CHECK;

const char *alarm_kind_name(enum alarm_kind k);
const char *noise_name(enum noise n);
