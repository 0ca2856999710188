/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "error.h"

/* Standard normal distribution function, by erfc; 0 where the result would be subnormal. O(1). */
double normal_cdf(double x);

/*
 * Its quantile: Wichura 1988, algorithm AS241 (PPND16), 16 digits.
 * p in [0, 1], the ends give -/+ infinity; else RANGE.
 */
enum stats_error normal_quantile(double p, double *ret);
