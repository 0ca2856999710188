/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * All benchmarks together: a shift too small for any of them to settle.
 * Judged against a quarter of the margin: limit = 1 + margin/4.
 */
#include <stddef.h>
#include "error.h"

#define ACROSS_BENCHMARKS_MIN 8

enum across_verdict {
	ACROSS_TOO_FEW, /* benchmarks, for the minimum or for the confidence */
	ACROSS_SLOWER,	/* lo > limit */
	ACROSS_FASTER,	/* hi < 1/limit */
	ACROSS_SAME,	/* hi <= limit */
	ACROSS_UNDECIDED,
};

struct across {
	enum across_verdict verdict;
	double limit, ratio;
	double lo, hi; /* NaN where there are too few */
};

/*
 * Interval between order statistics over the benchmarks' median ratios. Assumes benchmarks
 * independent of each other: no shared shift, hence only half of the rule (the other is the stage
 * rule on across_block). margin > 0 (limit - 1), conf in (0, 1). scratch: n doubles. O(n log n).
 * Errors: EMPTY, NONFINITE, NONPOSITIVE, MARGIN, RANGE.
 */
enum stats_error across_judge(const double *ratios, size_t n, double margin, double conf,
			      size_t min_benchmarks, double *scratch, struct across *ret);

/*
 * Z of one block: the median of the ratios of one round; for an even number the geometric mean of
 * the middle two, so that swapping the sides inverts it. At least ACROSS_BENCHMARKS_MIN ratios,
 * else RANGE. scratch: n doubles. Errors: RANGE, NONFINITE, NONPOSITIVE. O(n log n).
 */
enum stats_error across_block(const double *ratios, size_t n, double *scratch, double *ret);
