/* SPDX-License-Identifier: BSD-2-Clause */
#include "evalue.h"

#include <math.h>
#include <stdbool.h>
#include "beta.h"

static bool is_prior(double a, double b)
{
	return a > 0 && b > 0 && isfinite(a) && isfinite(b);
}

static double log_evidence(double s, double n, double a, double b)
{
	return n * M_LN2 + beta_log_lower_xy(0.5, 0.5, n - s + b, s + a) -
	       beta_log_lower_xy(0.5, 0.5, b, a);
}

enum stats_error evalue_log(size_t s, size_t n, double a, double b, double *ret)
{
	if (s > n || !is_prior(a, b))
		return STATS_RANGE;
	*ret = log_evidence((double)s, (double)n, a, b);
	return STATS_OK;
}

enum stats_error evalue_rank(size_t n, double alpha, double a, double b, size_t *ret)
{
	size_t lo = 0, hi = n + 1;

	if (!(alpha > 0 && alpha < 1) || !is_prior(a, b))
		return STATS_RANGE;
	while (lo < hi) { /* E rises with s */
		size_t mid = lo + (hi - lo) / 2;

		if (log_evidence((double)mid, (double)n, a, b) >= -log(alpha))
			hi = mid;
		else
			lo = mid + 1;
	}
	*ret = n + 1 - hi;
	return STATS_OK;
}
