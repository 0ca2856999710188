/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Simultaneous intervals for many endpoints of the same blocks: stratified,
 * studentized bootstrap of the largest |t|. With means m and variances v of the two strata,
 *   theta = (m1 + m2)/2, SE = sqrt(v1/n1 + v2/n2)/2, T* = theta* / SE* of stratum-centred rows;
 * [theta -+ crit SE], crit the type-7 quantile of max_j |T*_j| (Westfall, Young 1993).
 * Sound from 20 blocks on; blocks independent. O(resamples n columns), any thread any resample.
 */
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define MAXT_BLOCKS_MIN 20

/* Strata of at most so many rows are added up by pairs. */
#define MAXT_PAIRED_ROWS_MAX 32
#define MAXT_TILE_COLUMNS    8

/* Doubles of maxt_prepare's buffer, and words of maxt_resample's scratch. */
#define MAXT_BUFFER(n, columns)                                                                    \
	(((n) + 2) * (columns) + MAXT_TILE_COLUMNS +                                               \
	 ((columns) + MAXT_TILE_COLUMNS - 1) / MAXT_TILE_COLUMNS * 2 * MAXT_TILE_COLUMNS *         \
		 ((n) * (MAXT_PAIRED_ROWS_MAX + 3) / 2 + 1))
#define MAXT_SCRATCH(n) (64 * (n))

struct maxt_plan {
	size_t n, columns;
	size_t counts[2]; /* rows of each stratum */
	const double *estimate,
		*se;	     /* per column; se is exactly 0 where both strata are constant */
	const double *terms; /* what a resample adds up (maxt_terms.h) */
};

/*
 * rows[i * columns + j]; strata[i] is 0 or 1, in the sorted order of their labels. The plan points
 * into `buffer`. Errors: EMPTY, SHAPE (no column), STRATA, NONFINITE.
 */
enum stats_error maxt_prepare(const double *rows, const unsigned char *strata, size_t n,
			      size_t columns, double *buffer, struct maxt_plan *ret);

/*
 * Resamples first..last-1 of `resamples`, any part by any thread: m[r] the largest |T|,
 * t[j * resamples + r] each T unless t is NULL. Draw i of resample r is word r n + i of the stream.
 * Returns how often SE* vanished beside SE, where T is theta* over SE.
 */
size_t maxt_resample(const struct maxt_plan *plan, uint64_t key, size_t resamples, size_t first,
		     size_t last, double *m, double *t, uint32_t *scratch);

struct maxt_bounds {
	double lo, hi; /* simultaneous */
	double upper;  /* one-sided, of this column alone, for an intersection-union claim */
};

/* The quantile conf of m, which is reordered. conf in (0, 1), resamples >= 1; else RANGE. */
enum stats_error maxt_critical(double *m, size_t resamples, double conf, double *ret);

/*
 * ret_bounds[j] of columns first..last-1, any part by any thread; reorders their t. alpha in (0, 1),
 * resamples >= 1; else RANGE.
 */
enum stats_error maxt_intervals(const struct maxt_plan *plan, double crit, size_t resamples,
				double *t, double alpha, size_t first, size_t last,
				struct maxt_bounds *ret_bounds);

enum maxt_verdict { MAXT_REGRESSION, MAXT_PASS, MAXT_UNDECIDED };

/*
 * Against margins on the scale of the columns, NaN for a column that is not gated: regression when
 * some lo > margin; pass when every upper <= margin, every half-width <= width_max, and there are
 * MAXT_BLOCKS_MIN blocks.
 */
enum maxt_verdict maxt_judge(const struct maxt_plan *plan, const struct maxt_bounds *bounds,
			     const double *margins, double width_max);
