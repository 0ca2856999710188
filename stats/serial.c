/* SPDX-License-Identifier: BSD-2-Clause */
#include "serial.h"

#include <string.h>
#include "sort.h"

/* How many of sorted x[0..n) are less than v, or not greater. */
static size_t count_below(const double *x, size_t n, double v, bool or_equal)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x[mid] < v || (or_equal && x[mid] == v))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Twice the rank less its mean: a whole number, so that the sums are exact. */
static double centred_rank(const double *sorted, size_t n, double v)
{
	size_t below = count_below(sorted, n, v, false);
	size_t upto = count_below(sorted, n, v, true);

	return (double)(below + upto) - (double)n;
}

enum stats_error rank_autocorrelation(const double *x, size_t n, double *scratch, double *ret)
{
	double products = 0, squares = 0, before = 0;

	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	memcpy(scratch, x, n * sizeof(*x));
	sort_doubles(scratch, n);
	for (size_t i = 0; i < n; i++) {
		double rank = centred_rank(scratch, n, x[i]);

		products += before * rank;
		squares += rank * rank;
		before = rank;
	}
	*ret = n < 3 || squares == 0 ? 0 : products / squares;
	return STATS_OK;
}
