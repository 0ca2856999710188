/* SPDX-License-Identifier: BSD-2-Clause */
#include "noncentral.h"

#include <math.h>
#include <stdbool.h>
#include "normal.h"

#define WEIGHT_MIN 1e-18
#define SHIFT_FINE 1000 /* up to here the step from 0 to 1 of Phi gets points of its own */

/* Density of w = log S, but for a factor: 1 at w = 0, its mode. */
static double weight(double w, double df)
{
	return exp(df * (w - expm1(2 * w) / 2));
}

struct sums {
	double weights, upper;
};

/* From w on, away from the mode, until the weights vanish. */
static void add_side(double w, double step, double t, double df, double shift, struct sums *s)
{
	for (double v; (v = weight(w, df)) > WEIGHT_MIN; w += step) {
		s->weights += v;
		s->upper += v * normal_cdf(shift - t * exp(w));
	}
}

/* The grid lies even about the middle of Phi's step: what is too steep for it then cancels. */
static double upper(double t, double df, double shift)
{
	double step = 1 / (8 + 2 * sqrt(df) + 4 * fmin(fabs(shift), SHIFT_FINE));
	double middle = shift / t > 0 && isfinite(shift / t) ? log(shift / t) : 0;
	double offset = fmod(middle, step) + step / 2;
	struct sums s = {0, 0};

	add_side(offset, step, t, df, shift, &s);
	add_side(offset - step, -step, t, df, shift, &s);
	return s.upper / s.weights;
}

static bool is_domain(double t, double df)
{
	return isfinite(t) && df > 0 && isfinite(df);
}

enum stats_error noncentral_upper(double t, double df, double shift, double *ret)
{
	if (!is_domain(t, df) || !isfinite(shift))
		return STATS_RANGE;
	*ret = upper(t, df, shift);
	return STATS_OK;
}

enum stats_error noncentral_shift(double t, double df, double p, double *ret)
{
	double lo = -1, hi = 1;

	if (!is_domain(t, df) || !(p > 0 && p < 1))
		return STATS_RANGE;
	while (upper(t, df, lo) > p)
		lo *= 2;
	while (upper(t, df, hi) < p)
		hi *= 2;
	for (double mid; (mid = (lo + hi) / 2) > lo && mid < hi && hi - lo > 1e-13 * hi;) {
		if (upper(t, df, mid) < p)
			lo = mid;
		else
			hi = mid;
	}
	*ret = hi;
	return STATS_OK;
}
