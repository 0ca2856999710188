/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What many runs found, counted in whole numbers so that the order of adding does not matter. */
#include <stdint.h>

enum tally_hit {
	HIT_REGRESSED,
	HIT_FIRST_SLOWER, /* stage 1 said slower */
	HIT_FIRST_SAME,
	HIT_COVERED,  /* the interval shown holds the true ratio */
	HIT_FLAGGED,  /* unstable */
	HIT_TOGETHER, /* of all benchmarks together stage 1 said slower */
	HIT_DOUBTED,  /* a verdict taken back: order, warming, layout, gate */
	HIT_CNT,
};

struct tally {
	uint64_t runs;
	uint64_t hits[HIT_CNT];
	uint64_t benches, blocks, blocks_squared;
};

void tally_add(struct tally *sum, const struct tally *t);

/* One more benchmark that took so many blocks. */
void tally_blocks(struct tally *t, uint64_t blocks);

double tally_rate(const struct tally *t, enum tally_hit hit);
double tally_mean_blocks(const struct tally *t);

/* Standard error of that mean. */
double tally_blocks_se(const struct tally *t);

/*
 * Calls `one` for runs 0..runs-1 from so many threads; returns the sum of what they counted. `one`
 * must be a function of its run alone and add to its tally only, so that the sum does not depend on
 * the number of threads.
 */
struct tally tally_runs(unsigned threads, uint64_t runs,
			void (*one)(const void *arg, uint64_t run, struct tally *t),
			const void *arg);
