/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <math.h>
#include <stdbool.h>
#include "median.h"

static bool all_usable(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(x[i] > 0 && isfinite(x[i])))
			return false;
	return true;
}

static double ratio_of_sums(const double *base, const double *cand, size_t m)
{
	double of_base = 0, of_cand = 0;

	for (size_t i = 0; i < m; i++) {
		of_base += base[i];
		of_cand += cand[i];
	}
	return of_cand / of_base;
}

static double median_of_ratios(const double *base, const double *cand, size_t m, double *scratch)
{
	double median;

	for (size_t i = 0; i < m; i++)
		scratch[i] = cand[i] / base[i];
	return median_of(scratch, m, scratch + m, &median) == STATS_OK ? median : NAN;
}

double block_ratio(enum block_value how, const double *base, const double *cand, size_t m,
		   double *scratch)
{
	double ratio;

	if (m == 0)
		return NAN;
	m -= m % 2 == 0; /* the median of an even number would not invert with the sides */
	if (!all_usable(base, m) || !all_usable(cand, m))
		return NAN;
	ratio = how == BLOCK_SUM ? ratio_of_sums(base, cand, m)
				 : median_of_ratios(base, cand, m, scratch);
	return isfinite(ratio) ? ratio : NAN;
}
