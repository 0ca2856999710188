/* SPDX-License-Identifier: BSD-2-Clause */
#include "across.h"

#include <math.h>
#include <string.h>
#include "median.h"
#include "sort.h"

static enum stats_error check_ratios(const double *ratios, size_t n)
{
	if (!all_finite(ratios, n))
		return STATS_NONFINITE;
	for (size_t i = 0; i < n; i++)
		if (ratios[i] <= 0)
			return STATS_NONPOSITIVE;
	return STATS_OK;
}

static enum across_verdict compare(double lo, double hi, double limit)
{
	if (lo > limit)
		return ACROSS_SLOWER;
	if (hi < 1 / limit)
		return ACROSS_FASTER;
	return hi <= limit ? ACROSS_SAME : ACROSS_UNDECIDED;
}

enum stats_error across_judge(const double *ratios, size_t n, double margin, double conf,
			      size_t min_benchmarks, double *scratch, struct across *ret)
{
	struct across r = {ACROSS_TOO_FEW, 1 + margin / 4, NAN, NAN, NAN};
	enum stats_error e = check_ratios(ratios, n);
	struct median_interval interval;

	if (!e && !(margin > 0 && isfinite(margin)))
		e = STATS_MARGIN;
	if (!e)
		e = median_interval(ratios, n, conf, INTERVAL_TWO, scratch, &interval);
	if (e)
		return e;
	r.ratio = interval.median;
	if (n >= min_benchmarks && !interval.withheld) {
		r.lo = interval.lo;
		r.hi = interval.hi;
		r.verdict = compare(r.lo, r.hi, r.limit);
	}
	*ret = r;
	return STATS_OK;
}

enum stats_error across_block(const double *ratios, size_t n, double *scratch, double *ret)
{
	enum stats_error e = check_ratios(ratios, n);
	double low, high;

	if (n < ACROSS_BENCHMARKS_MIN)
		return STATS_RANGE;
	if (e)
		return e;
	memcpy(scratch, ratios, n * sizeof(*ratios));
	sort_doubles(scratch, n);
	low = scratch[(n - 1) / 2];
	high = scratch[n / 2];
	*ret = low == high ? low : sqrt(low) * sqrt(high); /* the product could overflow */
	return STATS_OK;
}
