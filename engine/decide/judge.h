/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Policy over stats/: which metrics are judged against which limits, in which stages, and what a
 * benchmark and a run are called in the end. A pure function of the record's blocks: `joust analyze`
 * and the run loop call the same one.
 */
#include <stdbool.h>
#include "../../report/record.h"

#define CONFIRMED_STAGES 3 /* a measurement and two confirmations */

/* Boundaries for one N, computed once per run. */
struct stage_plan {
	size_t n_max, n_min;
	uint32_t *u, *l;      /* alpha .01, rho 2; beta .05, rho .5 */
	double detect_sigmas; /* z with: limit exp(z s) is seen with 80 % power */
};

struct policy {
	double alpha;		    /* .01, one-sided, per stage */
	size_t blocks_max, blocks_min; /* --max-blocks (stage 1; twice that later), --min-blocks; 0: default */
	bool fixed_blocks;	    /* --blocks N */
	double limit[METRIC_CNT];   /* --limit; NaN: the benchmark's or the table's */
	bool judge[METRIC_CNT];	    /* --judge */
	struct stage_plan plan[CONFIRMED_STAGES];
};

/* Fills the defaults (60, 120, 120 blocks; alpha .01). */
void policy__init(struct policy *p);
/* Computes the boundaries. -EINVAL: a number outside its range; -ENOMEM. */
int policy__prepare(struct policy *p) MUST_CHECK;
void policy__done(struct policy *p);

/* Fixes in `b` what is judged and against what; before the first block. */
void judge_plan(struct rec_bench *b, const struct policy *p);

/*
 * Judges `b` anew from its blocks: fills metric[].stage, verdicts, reasons, per-iteration medians,
 * detectable. 0 or -ENOMEM.
 */
int judge_bench(struct rec_bench *b, const struct policy *p) MUST_CHECK;

/*
 * The stage in which `b` needs another block now (1..3), 0 when every judged metric is settled.
 * Valid after judge_plan or judge_bench.
 */
unsigned judge_wants(const struct rec_bench *b, const struct policy *p);

/* No more blocks will come (time, interrupt, lost blocks): what is open becomes undecided. */
void judge_close(struct rec_bench *b, const struct policy *p, enum reason why);

/*
 * Status and exit of the whole run from its benchmarks and rec->strict, rec->bisect:
 * 3 before 1 before 2 before 0; --bisect maps 2 and 3 to 125 and 64 to 128.
 */
void judge_run(struct record *rec);

/* Exit status as --bisect wants it. */
int judge_bisect_exit(int exit);

/*
 * Value of a block for a timed metric: the median over its pairs of candidate / baseline (the last
 * pair in schedule order is dropped when their number is even). NaN when a half has no value.
 */
double judge_block_ratio(const struct rec_block *blk, enum metric_id id);
