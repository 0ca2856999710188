/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Kendall's trend test of values in time order.
 *   S = sum_{i<j} sign(x_j - x_i), tau-b, var = (n(n-1)(2n+5) - sum t(t-1)(2t+5)) / 18.
 * Two-sided p: exact without ties up to 50 values, by the recurrence of inversion counts; else
 * normal without continuity correction. drift = median(last q) / median(first q) - 1,
 * q = max(1, n/4). A trend is significant and large. Assumes that without one every order is equally
 * likely. Kendall 1938; Mann 1945. O(n log n), exact p O(n^3).
 */
#include <stddef.h>
#include "error.h"

enum trend_method { TREND_METHOD_NONE, TREND_METHOD_EXACT, TREND_METHOD_NORMAL };

enum trend_verdict {
	TREND_UNKNOWN, /* fewer than 6 values, or the first level is 0 */
	TREND_NOT_DETECTED,
	TREND_DETECTED, /* p < alpha and |drift| >= min_drift */
};

struct trend {
	size_t n;
	double s;		 /* a whole number */
	double tau, var_s, z, p; /* NaN for n = 1 */
	double drift;		 /* NaN where the first level is 0 */
	enum trend_method method;
	enum trend_verdict verdict;
};

/* 0 < alpha < 1, min_drift >= 0. scratch: 2 n doubles. Errors: EMPTY, NONFINITE, RANGE. */
enum stats_error trend_test(const double *x, size_t n, double alpha, double min_drift,
			    double *scratch, struct trend *ret);
