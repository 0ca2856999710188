/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The smallest effect that would have been seen. s is a robust standard
 * deviation of the log block values (1.4826 MAD), limit a ratio, p = P(block ratio > limit):
 *   delta = s Phi^-1(p), mde = limit exp(delta), for about normal log ratios.
 * Fixed n, one-sided alpha; for the sequential rule take p from boundary_needed_p. Nothing here costs
 * more than some hundred evaluations of a distribution function.
 */
#include <stddef.h>
#include "error.h"

/*
 * The s of block ratios r[0..n), n >= 2, which are lost: their logs are put in their place. scratch: n
 * doubles. Errors: RANGE (fewer do not spread), NONFINITE, NONPOSITIVE. O(n log n).
 */
enum stats_error log_spread(double *r, size_t n, double *scratch, double *ret);

struct sign_power {
	size_t c; /* critical count of the sign test; 0: no count can reject, the rest is NaN */
	double attained_alpha;
	double p; /* least p that rejects with the power asked */
	double delta, mde_ratio;
};

/* n >= 1, alpha and power in (0, 1), s >= 0, limit > 0. Errors: RANGE, NONFINITE, NONPOSITIVE. */
enum stats_error power_sign(size_t n, double alpha, double power, double s, double limit,
			    struct sign_power *ret);

/* limit exp(s Phi^-1(p)), 0 < p < 1. Errors: RANGE, NONFINITE, NONPOSITIVE. */
enum stats_error mde_ratio(double p, double s, double limit, double *ret);

/*
 * The same without a normal shape: limit / exp(q), q the (1 - p) quantile of y less its median.
 * y: log block values. scratch: n doubles. Errors: EMPTY, NONFINITE, RANGE, NONPOSITIVE.
 * O(n log n).
 */
enum stats_error mde_ratio_free(const double *y, size_t n, double p, double limit, double *scratch,
				double *ret);

struct t_power {
	double d_exact, d_approx; /* effect in standard deviations */
	double mde_ratio, mde_ratio_approx;
};

/*
 * One-sided t test of n >= 2 independent normal values. Exact: P(T > t_{1-alpha}) = power, T
 * noncentral with n - 1 degrees and shift d sqrt(n) (noncentral.h has the cost); the usual
 * approximation is d = (t_{1-alpha} + t_{power}) / sqrt(n). mde = limit exp(s d). As power_sign.
 */
enum stats_error power_t(size_t n, double alpha, double power, double s, double limit,
			 struct t_power *ret);
