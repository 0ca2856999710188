/* SPDX-License-Identifier: BSD-2-Clause */
#include "median.h"

#include <math.h>
#include <string.h>
#include "beta.h"
#include "sort.h"

/* 2^-n stays a normal double up to here, with room for the recurrence. */
#define RECURRENCE_N_MAX 1000

static enum stats_error check(const double *x, size_t n)
{
	if (n == 0)
		return STATS_EMPTY;
	return all_finite(x, n) ? STATS_OK : STATS_NONFINITE;
}

static bool is_confidence(double conf)
{
	return conf > 0 && conf < 1;
}

static void sorted_copy(const double *x, size_t n, double *ret)
{
	memcpy(ret, x, n * sizeof(*x));
	sort_doubles(ret, n);
}

enum stats_error median_of(const double *x, size_t n, double *scratch, double *ret)
{
	enum stats_error e = check(x, n);

	if (e)
		return e;
	sorted_copy(x, n, scratch);
	*ret = sorted_median(scratch, n);
	return STATS_OK;
}

static double lower_half_cdf(size_t j, size_t n)
{
	double term = ldexp(1, -(int)n), sum = term;

	for (size_t i = 1; i <= j; i++) {
		term = term * (double)(n - i + 1) / (double)i;
		sum += term;
	}
	return sum;
}

double binom_half_cdf(long j, size_t n)
{
	size_t k = (size_t)j;

	if (j < 0)
		return 0;
	if (k >= n)
		return 1;
	if (2 * k + 1 == n) /* a half by symmetry, which no sum would round to */
		return 0.5;
	if (n > RECURRENCE_N_MAX)
		return beta_inc_xy(0.5, 0.5, (double)(n - k), (double)k + 1);
	return 2 * k < n ? lower_half_cdf(k, n) : 1 - lower_half_cdf(n - 1 - k, n);
}

static double attained(size_t k, size_t n, enum interval_side side)
{
	double below = binom_half_cdf((long)k - 1, n);

	return side == INTERVAL_TWO ? 1 - 2 * below : 1 - below;
}

/* The largest rank that keeps the confidence; 0 when none does. */
static size_t largest_rank(size_t n, double conf, enum interval_side side)
{
	size_t lo = 0, hi = side == INTERVAL_TWO ? n / 2 : n;

	while (lo < hi) {
		size_t mid = hi - (hi - lo) / 2;

		if (attained(mid, n, side) >= conf)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

enum stats_error median_min_n(double conf, enum interval_side side, size_t *ret)
{
	size_t n = 1;

	if (!is_confidence(conf))
		return STATS_RANGE;
	while (attained(1, n, side) < conf)
		n++;
	*ret = n;
	return STATS_OK;
}

static void set_bounds(struct median_interval *r, const double *sorted, size_t n, size_t k,
		       enum interval_side side)
{
	if (side != INTERVAL_UPPER) {
		r->rank_lo = k;
		r->lo = sorted[k - 1];
	}
	if (side != INTERVAL_LOWER) {
		r->rank_hi = n + 1 - k;
		r->hi = sorted[n - k];
	}
	r->attained = attained(k, n, side);
}

enum stats_error median_interval(const double *x, size_t n, double conf, enum interval_side side,
				 double *scratch, struct median_interval *ret)
{
	struct median_interval r = {.lo = NAN, .hi = NAN, .attained = NAN};
	enum stats_error e = check(x, n);
	size_t k;

	if (!e)
		e = median_min_n(conf, side, &r.min_n);
	if (e)
		return e;
	sorted_copy(x, n, scratch);
	r.median = sorted_median(scratch, n);
	k = largest_rank(n, conf, side);
	r.withheld = k == 0;
	if (k > 0)
		set_bounds(&r, scratch, n, k, side);
	*ret = r;
	return STATS_OK;
}

double median_variance(size_t m)
{
	/* by m / 2; m = 3: 1 - sqrt 3 / pi */
	static const double exact[] = {1, 0.44867110457820790, 0.28683366160586440,
				       0.21044686153530143, 0.16610128135871396};

	if (m % 2 && m <= MEDIAN_VARIANCE_EXACT)
		return exact[m / 2];
	return M_PI / 2 / (double)m;
}

enum stats_error mad_about(const double *x, size_t n, double centre, double *scratch, double *ret)
{
	enum stats_error e = check(x, n);
	double mad;

	if (e)
		return e;
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - centre);
	sort_doubles(scratch, n);
	mad = 1.4826 * sorted_median(scratch, n);
	if (!isfinite(mad)) /* finite values further apart than a double can tell */
		return STATS_NONFINITE;
	*ret = mad;
	return STATS_OK;
}

enum stats_error mad_of(const double *x, size_t n, double *scratch, double *ret)
{
	double centre;
	enum stats_error e = median_of(x, n, scratch, &centre);

	return e ? e : mad_about(x, n, centre, scratch, ret);
}
