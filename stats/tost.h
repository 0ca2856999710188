/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Equivalence by two one-sided t tests, and superiority, on log ratios.
 * Assumes independent, about normal values: block values, never samples. L = log(margin),
 *   t1 = (m + L)/se, p1 = P(T > t1); t2 = (m - L)/se, p2 = P(T < t2); T with n - 1 degrees.
 * Equal values: sd 0, p-values 0, 1/2 or 1 by sign, intervals are the point. Schuirmann 1987. O(n).
 */
#include <stdbool.h>
#include <stddef.h>
#include "error.h"

enum superiority { SUPERIORITY_INCONCLUSIVE, SUPERIORITY_SLOWER, SUPERIORITY_FASTER };

struct tost {
	size_t n;
	bool withheld; /* n < 2: nothing below but the mean */
	double mean, sd, se;
	double t1, t2;	       /* NaN where se is 0 */
	double p1, p2, p;      /* p = the larger */
	double lo, hi;	       /* confidence 1 - 2 alpha */
	double sup_lo, sup_hi; /* confidence 1 - alpha */
	bool equivalent;       /* lo >= -L and hi <= L */
	enum superiority superiority;
};

/* margin > 1 (a ratio), 0 < alpha < 1/2. Errors: EMPTY, NONFINITE, MARGIN, RANGE. */
enum stats_error tost_judge(const double *x, size_t n, double margin, double alpha,
			    struct tost *ret);
