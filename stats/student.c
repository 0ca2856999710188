/* SPDX-License-Identifier: BSD-2-Clause */
#include "student.h"

#include <math.h>
#include "beta.h"
#include "normal.h"

#define STEPS_MAX 100

/* x = df / (df + t^2) and its complement, neither by subtraction. */
struct squash {
	double x, y;
};

static struct squash squash(double t, double df)
{
	double r = t / sqrt(df), w = 1 + r * r;
	struct squash s = {1 / w, isfinite(w) ? r * r / w : 1};

	return s;
}

/* P(T > t) for t >= 0 */
static double upper(double t, double df)
{
	struct squash s = squash(t, df);

	return beta_inc_xy(s.x, s.y, df / 2, 0.5) / 2;
}

/* P(0 < T < t) for t >= 0 */
static double central(double t, double df)
{
	struct squash s = squash(t, df);

	return beta_inc_xy(s.y, s.x, 0.5, df / 2) / 2;
}

/* t times the density at t > 0 */
static double scaled_density(double t, double df)
{
	struct squash s = squash(t, df);

	return beta_kernel_xy(s.x, s.y, df / 2, 0.5);
}

double student_cdf(double t, double df)
{
	return t > 0 ? 1 - upper(t, df) : t <= 0 ? upper(-t, df) : NAN;
}

/* t with P(0 < T < t) = d <= 1/4: the middle, where the tail is flat. */
static double solve_central(double t, double d, double df)
{
	double step = t;

	for (int i = 0; i < STEPS_MAX && fabs(step) > 1e-15 * t; i++) {
		step = (d - central(t, df)) * t / scaled_density(t, df);
		t += step;
	}
	return t;
}

/* t with P(T > t) = q < 1/4, in logarithms of both: nearly a line for the heaviest tails. */
static double solve_upper(double t, double q, double df)
{
	double step = 1;

	for (int i = 0; i < STEPS_MAX && fabs(step) > 1e-15; i++) {
		double tail = upper(t, df);

		if (tail == 0)
			return INFINITY;
		step = log(tail / q) * tail / scaled_density(t, df);
		t *= exp(step);
	}
	return t;
}

static double upper_quantile(double q, double df)
{
	double z;

	(void)normal_quantile(q, &z); /* the caller has checked q */
	if (df == 1)
		return q < 0.25 ? 1 / tan(M_PI * q) : tan(M_PI * (0.5 - q));
	if (df == 2)
		return (1 - 2 * q) / sqrt(2 * q * (1 - q));
	return q < 0.25 ? solve_upper(-z, q, df) : solve_central(-z, 0.5 - q, df);
}

enum stats_error student_quantile(double p, double df, double *ret)
{
	if (!(p >= 0 && p <= 1) || !(df > 0) || !isfinite(df))
		return STATS_RANGE;
	if (p == 0 || p == 1)
		*ret = p == 0 ? -INFINITY : INFINITY;
	else if (p == 0.5)
		*ret = 0;
	else
		*ret = p < 0.5 ? -upper_quantile(p, df) : upper_quantile(1 - p, df);
	return STATS_OK;
}
