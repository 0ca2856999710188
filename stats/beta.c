/* SPDX-License-Identifier: BSD-2-Clause */
#include "beta.h"

#include <float.h>
#include <math.h>

#define STEPS_MAX 200000

/* lgamma(z) less the Stirling formula (z - 1/2) log z - z + log(2 pi) / 2. */
static double stirling_error(double z)
{
	double sum = 0, w;

	for (; z < 16; z++)
		sum += (z + 0.5) * (z < 1 ? log1p(z) - log(z) : log1p(1 / z)) - 1;
	w = 1 / (z * z);
	return sum +
	       (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
}

/* a log(a / m) + m - a, d = a - m, without cancellation where a is near m. */
static double deviance(double a, double m, double d)
{
	double v = d / (a + m), sum = d * v, term = 2 * a * v, before = NAN;

	if (fabs(v) > 0.1 && isfinite(a / m))
		return a * log(a / m) - d;
	if (fabs(v) > 0.1)
		return a * (log(a) - log(m)) - d;
	for (int j = 3; sum != before; j += 2) {
		term *= v * v;
		before = sum;
		sum += term / j;
	}
	return sum;
}

double beta_kernel_xy(double x, double y, double a, double b)
{
	double n = a + b, d = a * y - b * x; /* a - n x, which would cancel */
	double stirling = stirling_error(n) - stirling_error(a) - stirling_error(b);

	return sqrt(a / n * b / (2 * M_PI)) *
	       exp(stirling - deviance(a, n * x, d) - deviance(b, n * y, -d));
}

static double away_from_zero(double v)
{
	return fabs(v) < DBL_MIN ? DBL_MIN : v;
}

/* The continued fraction by Lentz's method; converges for x < (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d, step = 0;

	for (int m = 1; m < STEPS_MAX && fabs(step - 1) > DBL_EPSILON; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		value *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = d * c;
		value *= step;
	}
	return value;
}

double beta_inc_xy(double x, double y, double a, double b)
{
	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	if (x < (a + 1) / (a + b + 2))
		return beta_kernel_xy(x, y, a, b) * fraction(x, a, b) / a;
	return 1 - beta_kernel_xy(x, y, a, b) * fraction(y, b, a) / b;
}

enum stats_error beta_inc(double x, double a, double b, double *ret)
{
	if (!(x >= 0 && x <= 1) || !(a > 0) || !(b > 0) || !isfinite(a) || !isfinite(b))
		return STATS_RANGE;
	*ret = beta_inc_xy(x, 1 - x, a, b);
	return STATS_OK;
}

/* log B(a, b) */
static double log_beta(double a, double b)
{
	double n = a + b;

	return a * log(a / n) + b * log(b / n) - log(a / n * b / (2 * M_PI)) / 2 +
	       stirling_error(a) + stirling_error(b) - stirling_error(n);
}

double beta_log_lower_xy(double x, double y, double a, double b)
{
	if (x < (a + 1) / (a + b + 2))
		return a * log(x) + b * log(y) + log(fraction(x, a, b) / a);
	return log_beta(a, b) + log(beta_inc_xy(x, y, a, b));
}
