/* SPDX-License-Identifier: BSD-2-Clause */
#include "bootstrap.h"

#include <string.h>
#include "describe.h"
#include "prng.h"
#include "sort.h"

static double resampled_median(const double *x, size_t n, uint64_t key, uint64_t counter,
			       double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = x[prng_index(key, counter + i, n)];
	return select_median(scratch, n);
}

enum stats_error bootstrap_median(const double *x, size_t n, double conf, size_t resamples,
				  uint64_t key, double *scratch, struct bootstrap_interval *ret)
{
	double *medians = scratch + n, tail = (1 - conf) / 2;

	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	if (!(conf > 0 && conf < 1) || resamples == 0)
		return STATS_RANGE;
	for (size_t r = 0; r < resamples; r++)
		medians[r] = resampled_median(x, n, key, (uint64_t)r * n, scratch);
	sort_doubles(medians, resamples);
	memcpy(scratch, x, n * sizeof(*x));
	ret->median = select_median(scratch, n);
	ret->lo = sorted_quantile(medians, resamples, tail);
	ret->hi = sorted_quantile(medians, resamples, 1 - tail);
	return STATS_OK;
}
