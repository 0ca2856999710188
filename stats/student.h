/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "error.h"

/*
 * Student's t distribution function by the incomplete beta function; df > 0, unchecked.
 * Ten digits up to 1e7 degrees of freedom, fewer beyond. O(sqrt(df)) at worst.
 */
double student_cdf(double t, double df);

/*
 * Its quantile: Newton steps from the normal quantile, which lies nearer to 0, on a function whose
 * concavity makes them converge from there. p in [0, 1], the ends give -/+ infinity; df positive and
 * finite; else RANGE. Below 2 degrees a result beyond 1e150 is infinity.
 */
enum stats_error student_quantile(double p, double df, double *ret);
