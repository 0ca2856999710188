/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The median and its distribution-free interval. */
#include <stdbool.h>
#include <stddef.h>
#include "error.h"

enum interval_side { INTERVAL_TWO, INTERVAL_LOWER, INTERVAL_UPPER };

struct median_interval {
	double median;
	size_t rank_lo, rank_hi; /* 1-based; 0 = no bound on that side */
	double lo, hi;		 /* NaN where there is no bound */
	double attained;	 /* coverage actually attained; NaN when withheld */
	bool withheld;		 /* too few observations for the confidence asked */
	size_t min_n;		 /* smallest n with a finite interval at this confidence */
};

/*
 * Median of x[0..n): the middle value, or the mean of the two middle ones.
 * `scratch` holds n doubles (it is overwritten); x is not modified. Errors: EMPTY, NONFINITE.
 * O(n log n).
 */
enum stats_error median_of(const double *x, size_t n, double *scratch, double *ret);

/*
 * Interval between order statistics for the population median.
 * Assumes independent observations; any distribution, ties only raise the coverage.
 * k = the largest k >= 1 with attained >= conf; attained = 1 - 2 F(k-1; n) (one-sided 1 - F).
 * `conf` in (0, 1). scratch: n doubles. Errors: EMPTY, NONFINITE, RANGE. O(n log n).
 */
enum stats_error median_interval(const double *x, size_t n, double conf, enum interval_side side,
				 double *scratch, struct median_interval *ret);

/* Smallest n with a finite interval, at most 54. `conf` in (0, 1); else RANGE. */
enum stats_error median_min_n(double conf, enum interval_side side, size_t *ret);

/*
 * Binomial(n, 1/2) distribution function F(j; n) = sum_{i<=j} C(n,i) 2^-n, 12 digits of the smaller
 * tail; F(-1) = 0. By the recurrence of its terms up to n = 1000, else the incomplete beta
 * function. O(j), then O(sqrt(n)).
 */
double binom_half_cdf(long j, size_t n);

/*
 * Variance of the median of m >= 1 standard normals: of an odd m up to MEDIAN_VARIANCE_EXACT by
 * integration, else pi / 2m, which it tends to.
 */
#define MEDIAN_VARIANCE_EXACT 9
double median_variance(size_t m);

/*
 * 1.4826 times the median absolute deviation from the median: of normal values the standard
 * deviation. scratch: n doubles. Errors: EMPTY, NONFINITE (of the result too). O(n log n).
 */
enum stats_error mad_of(const double *x, size_t n, double *scratch, double *ret);

/* The same about a centre that is known, which must be finite. */
enum stats_error mad_about(const double *x, size_t n, double centre, double *scratch, double *ret);
