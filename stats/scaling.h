/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * How time grows with size, as columns for maxt.h. With N_j the sizes, b and c
 * the times of a block, w_j = (ln N_j - mean) / sum (ln N - mean)^2:
 *   slope = sum w_j ln t_j, its change sum w_j (ln c_j - ln b_j);
 *   growth per doubling = (ln t_{j+1} - ln t_j) ln 2 / (ln N_{j+1} - ln N_j).
 * Growth of the candidate alone is not paired: show the baseline's beside it.
 */
#include <stddef.h>
#include "error.h"

/*
 * columns[b * 2k + ...] of block b: k log ratios, the change of slope, k - 1 growths of the
 * candidate. Times are [block * k + size]. scratch: 3 k doubles.
 * Errors: EMPTY (no block), SIZES (fewer than two, or two equal), NONFINITE, NONPOSITIVE. O(n k).
 */
enum stats_error scaling_columns(const double *sizes, size_t k, const double *baseline,
				 const double *candidate, size_t n, double *scratch,
				 double *columns);

/* columns[b * k + ...] of one side: its slope, k - 1 growths. As above; scratch: 2 k doubles. */
enum stats_error scaling_side_columns(const double *sizes, size_t k, const double *times, size_t n,
				      double *scratch, double *columns);

/* Limit of the change of slope: log2(margin). MARGIN unless margin > 1 and finite. */
enum stats_error scaling_slope_limit(double margin, double *ret);
