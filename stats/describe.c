/* SPDX-License-Identifier: BSD-2-Clause */
#include "describe.h"

#include <math.h>
#include <string.h>
#include "moments.h"
#include "sort.h"

static double between(double a, double b, double share)
{
	double step = b - a;

	return isfinite(step) ? a + share * step : a * (1 - share) + b * share;
}

double sorted_quantile(const double *x, size_t n, double p)
{
	double at = (double)(n - 1) * p, below = floor(at);
	size_t i = (size_t)below;

	return i + 1 >= n ? x[n - 1] : between(x[i], x[i + 1], at - below);
}

double select_quantile(double *x, size_t n, double p)
{
	double at = (double)(n - 1) * p, below = floor(at), low, high;
	size_t i = (size_t)below, left_out;

	n = select_near(x, n, i, &left_out);
	i -= left_out;
	low = select_double(x, n, i);
	if (i + 1 >= n)
		return low;
	high = x[i + 1]; /* the least of what the selection left behind it */
	for (size_t j = i + 2; j < n; j++)
		high = x[j] < high ? x[j] : high;
	return between(low, high, at - below);
}

static enum stats_error sorted_copy(const double *x, size_t n, double *ret)
{
	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	memcpy(ret, x, n * sizeof(*x));
	sort_doubles(ret, n);
	return STATS_OK;
}

enum stats_error quantile_of(const double *x, size_t n, double p, double *scratch, double *ret)
{
	enum stats_error e = sorted_copy(x, n, scratch);

	if (e)
		return e;
	if (!(p >= 0 && p <= 1))
		return STATS_RANGE;
	*ret = sorted_quantile(scratch, n, p);
	return STATS_OK;
}

static void set_quantiles(struct description *d, const double *sorted)
{
	size_t n = d->n;

	d->min = sorted[0];
	d->max = sorted[n - 1];
	d->median = sorted_median(sorted, n);
	d->p25 = sorted_quantile(sorted, n, 0.25);
	d->p75 = sorted_quantile(sorted, n, 0.75);
	d->p90 = sorted_quantile(sorted, n, 0.9);
	d->p99 = sorted_quantile(sorted, n, 0.99);
	d->p999 = sorted_quantile(sorted, n, 0.999);
	d->iqr = d->p75 - d->p25;
}

static void set_outliers(struct description *d, const double *sorted)
{
	double below = d->p25 - 3 * d->iqr, above = d->p75 + 3 * d->iqr;

	d->outlier_max_ratio = NAN;
	for (size_t i = 0; i < d->n; i++) {
		if (sorted[i] >= below && sorted[i] <= above)
			continue;
		d->outlier_count++;
		if (d->median != 0)
			d->outlier_max_ratio = sorted[i] / d->median; /* rising: the last stays */
	}
}

/* Overwrites `sorted` with the deviations. */
static void set_deviations(struct description *d, double *sorted)
{
	size_t near = 0;

	for (size_t i = 0; i < d->n; i++) {
		sorted[i] = fabs(sorted[i] - d->median);
		near += sorted[i] <= 0.1 * fabs(d->median);
	}
	d->concentration = (double)near / (double)d->n;
	sort_doubles(sorted, d->n);
	d->mad = sorted_median(sorted, d->n);
}

enum stats_error describe(const double *x, size_t n, double *scratch, struct description *ret)
{
	struct description d = {.n = n};
	enum stats_error e = sorted_copy(x, n, scratch);
	struct moments m;

	if (e)
		return e;
	m = moments_of(x, n);
	d.mean = m.mean;
	d.sd = m.sd;
	set_quantiles(&d, scratch);
	set_outliers(&d, scratch);
	set_deviations(&d, scratch);
	*ret = d;
	return STATS_OK;
}
