/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stddef.h>
#include "error.h"

/*
 * Lag-1 rank correlation of values in time order: with R the ranks of all n
 * values, ties sharing their mean rank, and m their mean,
 *   r = sum_{i<n} (R_i - m)(R_{i+1} - m) / sum_i (R_i - m)^2.
 * Under independence about normal with sd 1/sqrt(n). 0 when all are equal or n < 3.
 * scratch: n doubles. Errors: EMPTY, NONFINITE. O(n log n).
 */
enum stats_error rank_autocorrelation(const double *x, size_t n, double *scratch, double *ret);
