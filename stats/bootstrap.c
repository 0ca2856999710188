/* SPDX-License-Identifier: BSD-2-Clause */
#include "bootstrap.h"

#include <string.h>
#include "describe.h"
#include "prng.h"
#include "sort.h"

/*
 * A resample is how often each value was drawn: counted by place in sorted order, its median is
 * read off, where sorting or selecting would cost more than all the draws.
 */
struct resampler {
	size_t n;
	const double *sorted;
	const double *places; /* of x[i] in sorted order; equal values share one */
	double *counts;
};

static size_t place_of(const double *sorted, size_t n, double v)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sorted[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The k-th smallest draw, from 0; *at and *below are where the search for a smaller k ended. */
static double drawn(const struct resampler *s, double k, size_t *at, double *below)
{
	while (*below + s->counts[*at] <= k)
		*below += s->counts[(*at)++];
	return s->sorted[*at];
}

static double resampled_median(const struct resampler *s, uint64_t key, uint64_t counter)
{
	double middle[2], below = 0;
	size_t at = 0;

	memset(s->counts, 0, s->n * sizeof(*s->counts));
	for (size_t i = 0; i < s->n; i++)
		s->counts[(size_t)s->places[prng_index(key, counter + i, s->n)]]++;
	middle[0] = drawn(s, (double)((s->n - 1) / 2), &at, &below);
	middle[1] = drawn(s, (double)(s->n / 2), &at, &below);
	return s->n % 2 ? middle[1] : sorted_median(middle, 2);
}

enum stats_error bootstrap_median(const double *x, size_t n, double conf, size_t resamples,
				  uint64_t key, double *scratch, struct bootstrap_interval *ret)
{
	double *sorted = scratch, *places = scratch + n, *medians = scratch + 3 * n;
	struct resampler s = {n, sorted, places, scratch + 2 * n};
	double tail = (1 - conf) / 2;

	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	if (!(conf > 0 && conf < 1) || resamples == 0)
		return STATS_RANGE;
	memcpy(sorted, x, n * sizeof(*x));
	sort_doubles(sorted, n);
	for (size_t i = 0; i < n; i++)
		places[i] = (double)place_of(sorted, n, x[i]);
	for (size_t r = 0; r < resamples; r++)
		medians[r] = resampled_median(&s, key, (uint64_t)r * n);
	sort_doubles(medians, resamples);
	ret->median = sorted_median(sorted, n);
	ret->lo = sorted_quantile(medians, resamples, tail);
	ret->hi = sorted_quantile(medians, resamples, 1 - tail);
	return STATS_OK;
}
