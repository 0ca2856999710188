/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Description of a sample: what is shown, never what is judged. Outliers are
 * counted, never removed. Quantiles are of type 7: linear between order statistics at (n - 1) p
 * (Hyndman, Fan 1996). Units are those of x.
 */
#include <stddef.h>
#include "error.h"

struct description {
	size_t n;
	double min, max, mean;
	double sd; /* NaN for n = 1 */
	double median, p25, p75, p90, p99, p999, iqr;
	double mad;		  /* median absolute deviation from the median, not scaled */
	double concentration;	  /* share of values within a tenth of the median from it */
	size_t outlier_count;	  /* more than 3 iqr outside the quartiles */
	double outlier_max_ratio; /* the largest outlier over the median; NaN: none, or median 0 */
};

/* scratch: n doubles. Errors: EMPTY, NONFINITE. O(n log n). */
enum stats_error describe(const double *x, size_t n, double *scratch, struct description *ret);

/* Quantile of x[0..n), 0 <= p <= 1. scratch: n doubles. Errors: EMPTY, NONFINITE, RANGE. */
enum stats_error quantile_of(const double *x, size_t n, double p, double *scratch, double *ret);

/* The same of sorted x, n >= 1, arguments unchecked. O(1). */
double sorted_quantile(const double *x, size_t n, double p);

/* The same of unsorted finite x, n >= 1, which is reordered. O(n) on average. */
double select_quantile(double *x, size_t n, double p);
