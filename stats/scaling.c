/* SPDX-License-Identifier: BSD-2-Clause */
#include "scaling.h"

#include <math.h>
#include "sort.h"

static enum stats_error check_values(const double *x, size_t n)
{
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	for (size_t i = 0; i < n; i++)
		if (x[i] <= 0)
			return STATS_NONPOSITIVE;
	return STATS_OK;
}

static enum stats_error check_sizes(const double *sizes, size_t k)
{
	if (k < 2)
		return STATS_SIZES;
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < i; j++)
			if (sizes[i] == sizes[j])
				return STATS_SIZES;
	return check_values(sizes, k);
}

static void take_logs(const double *x, size_t n, double *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = log(x[i]);
}

static double slope(const double *log_sizes, const double *y, size_t k)
{
	double mean = 0, product = 0, square = 0;

	for (size_t j = 0; j < k; j++)
		mean += log_sizes[j] / (double)k;
	for (size_t j = 0; j < k; j++) {
		double d = log_sizes[j] - mean;

		product += d * y[j];
		square += d * d;
	}
	return product / square;
}

static void set_growths(const double *log_sizes, const double *y, size_t k, double *ret)
{
	for (size_t j = 0; j + 1 < k; j++)
		ret[j] = (y[j + 1] - y[j]) * M_LN2 / (log_sizes[j + 1] - log_sizes[j]);
}

enum stats_error scaling_side_columns(const double *sizes, size_t k, const double *times, size_t n,
				      double *scratch, double *columns)
{
	double *log_sizes = scratch, *y = scratch + k;
	enum stats_error e = n == 0 ? STATS_EMPTY : check_sizes(sizes, k);

	if (!e)
		e = check_values(times, n * k);
	if (e)
		return e;
	take_logs(sizes, k, log_sizes);
	for (size_t b = 0; b < n; b++, columns += k) {
		take_logs(times + b * k, k, y);
		columns[0] = slope(log_sizes, y, k);
		set_growths(log_sizes, y, k, columns + 1);
	}
	return STATS_OK;
}

enum stats_error scaling_columns(const double *sizes, size_t k, const double *baseline,
				 const double *candidate, size_t n, double *scratch,
				 double *columns)
{
	double *log_sizes = scratch, *before = scratch + k, *after = scratch + 2 * k;
	enum stats_error e = n == 0 ? STATS_EMPTY : check_sizes(sizes, k);

	if (!e)
		e = check_values(baseline, n * k);
	if (!e)
		e = check_values(candidate, n * k);
	if (e)
		return e;
	take_logs(sizes, k, log_sizes);
	for (size_t b = 0; b < n; b++, columns += 2 * k) {
		take_logs(baseline + b * k, k, before);
		take_logs(candidate + b * k, k, after);
		for (size_t j = 0; j < k; j++)
			columns[j] = after[j] - before[j];
		columns[k] = slope(log_sizes, columns, k);
		set_growths(log_sizes, after, k, columns + k + 1);
	}
	return STATS_OK;
}

enum stats_error scaling_slope_limit(double margin, double *ret)
{
	if (!(margin > 1) || !isfinite(margin))
		return STATS_MARGIN;
	*ret = log2(margin);
	return STATS_OK;
}
