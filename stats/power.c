/* SPDX-License-Identifier: BSD-2-Clause */
#include "power.h"

#include <math.h>
#include <stdbool.h>
#include "beta.h"
#include "describe.h"
#include "median.h"
#include "noncentral.h"
#include "normal.h"
#include "student.h"

static bool is_probability(double p)
{
	return p > 0 && p < 1;
}

static enum stats_error check_scale(double s, double limit)
{
	if (!isfinite(s) || !isfinite(limit))
		return STATS_NONFINITE;
	if (s < 0)
		return STATS_RANGE;
	return limit > 0 ? STATS_OK : STATS_NONPOSITIVE;
}

enum stats_error log_spread(double *r, size_t n, double *scratch, double *ret)
{
	if (n < 2)
		return STATS_RANGE;
	for (size_t i = 0; i < n; i++) {
		if (r[i] <= 0)
			return STATS_NONPOSITIVE;
		r[i] = log(r[i]);
	}
	return mad_of(r, n, scratch, ret);
}

/* P(Bin(n, 1/2) >= c) */
static double upper_half(size_t c, size_t n)
{
	return binom_half_cdf((long)n - (long)c, n);
}

/* Least c with P(Bin(n, 1/2) >= c) <= alpha; n + 1 when only an empty tail is small enough. */
static size_t critical_count(size_t n, double alpha)
{
	size_t lo = 0, hi = n + 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (upper_half(mid, n) <= alpha)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/* p with P(Bin(n, p) >= c) = power, 1 <= c <= n, to the last bit that the bisection tells apart. */
static double needed_p(size_t c, size_t n, double power)
{
	double lo = 0, hi = 1;

	for (;;) {
		double p = (lo + hi) / 2;

		if (p <= lo || p >= hi)
			return p;
		if (beta_inc_xy(p, 1 - p, (double)c, (double)(n - c) + 1) < power)
			lo = p;
		else
			hi = p;
	}
}

enum stats_error mde_ratio(double p, double s, double limit, double *ret)
{
	enum stats_error e = check_scale(s, limit);
	double z;

	if (e)
		return e;
	if (!is_probability(p))
		return STATS_RANGE;
	(void)normal_quantile(p, &z); /* p is a probability */
	*ret = limit * exp(s * z);
	return STATS_OK;
}

enum stats_error power_sign(size_t n, double alpha, double power, double s, double limit,
			    struct sign_power *ret)
{
	struct sign_power r = {0, NAN, NAN, NAN, NAN};
	enum stats_error e = check_scale(s, limit);
	size_t c;

	if (!is_probability(alpha) || !is_probability(power) || n == 0)
		return STATS_RANGE;
	if (e)
		return e;
	c = critical_count(n, alpha);
	if (c <= n) {
		r.c = c;
		r.attained_alpha = upper_half(c, n);
		r.p = needed_p(c, n, power);
		(void)normal_quantile(r.p, &r.delta); /* p is a probability */
		r.delta *= s;
		r.mde_ratio = limit * exp(r.delta);
	}
	*ret = r;
	return STATS_OK;
}

enum stats_error mde_ratio_free(const double *y, size_t n, double p, double limit, double *scratch,
				double *ret)
{
	enum stats_error e = check_scale(0, limit);
	double low, median;

	if (!e && !is_probability(p))
		e = STATS_RANGE;
	if (!e)
		e = quantile_of(y, n, 1 - p, scratch, &low);
	if (!e)
		e = median_of(y, n, scratch, &median);
	if (!e)
		*ret = limit / exp(low - median);
	return e;
}

enum stats_error power_t(size_t n, double alpha, double power, double s, double limit,
			 struct t_power *ret)
{
	enum stats_error e = check_scale(s, limit);
	double df = (double)n - 1, critical, beyond, shift;
	struct t_power r;

	if (!is_probability(alpha) || !is_probability(power) || n < 2)
		return STATS_RANGE;
	if (e)
		return e;
	(void)student_quantile(alpha, df, &critical); /* these are probabilities */
	(void)student_quantile(power, df, &beyond);
	e = noncentral_shift(-critical, df, power, &shift);
	if (e) /* a critical value beyond the largest double */
		return e;
	r.d_exact = shift / sqrt((double)n);
	r.d_approx = (beyond - critical) / sqrt((double)n);
	r.mde_ratio = limit * exp(s * r.d_exact);
	r.mde_ratio_approx = limit * exp(s * r.d_approx);
	*ret = r;
	return STATS_OK;
}
