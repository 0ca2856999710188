/* SPDX-License-Identifier: BSD-2-Clause */
#include "pairs.h"

#include <math.h>
#include "median.h"

#define SHAMOS	    1.0483580825075305 /* 1 / (sqrt 2 Phi^-1(3/4)) */
#define BY_CHANCE   6.0		       /* times the variance that pairs account for */
#define NEAR_ENOUGH 1.1		       /* times what the most pairs give */

_Static_assert(PAIRS_MOST <= MEDIAN_VARIANCE_EXACT, "each is known exactly");

static size_t couples(size_t n)
{
	return n * (n - 1) / 2;
}

static double *add_differences(const double *x, size_t n, double *to)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			*to++ = fabs(x[i] - x[j]);
	return to;
}

/* d[0..n) with as much room behind it. */
static enum stats_error shamos(double *d, size_t n, double *ret)
{
	double median;
	enum stats_error e = median_of(d, n, d + n, &median);

	if (!e)
		*ret = SHAMOS * median;
	return e;
}

static enum stats_error within_blocks(const double *y, size_t blocks, size_t m, double *scratch,
				      double *ret)
{
	double *end = scratch;

	for (size_t i = 0; i < blocks; i++)
		end = add_differences(y + i * m, m, end);
	return shamos(scratch, (size_t)(end - scratch), ret);
}

static enum stats_error of_medians(const double *y, size_t blocks, size_t m, double *scratch,
				   double *ret)
{
	double *medians = scratch, *d = scratch + blocks;

	for (size_t i = 0; i < blocks; i++) {
		enum stats_error e = median_of(y + i * m, m, d, &medians[i]);

		if (e)
			return e;
	}
	(void)add_differences(medians, blocks, d);
	return shamos(d, couples(blocks), ret);
}

size_t pairs_scratch(size_t blocks, size_t m)
{
	return blocks + m + 2 * (blocks * couples(m) + couples(blocks));
}

static int is_odd_to_most(size_t m)
{
	return m % 2 == 1 && m <= PAIRS_MOST;
}

enum stats_error pairs_spread(const double *y, size_t blocks, size_t m, double *scratch,
			      struct pairs_spread *ret)
{
	double within, medians, explained;
	enum stats_error e;

	if (blocks < 2 || m < 3 || !is_odd_to_most(m))
		return STATS_RANGE;
	e = within_blocks(y, blocks, m, scratch, &within);
	if (!e)
		e = of_medians(y, blocks, m, scratch, &medians);
	if (e)
		return e;
	explained = median_variance(m) * within * within;
	ret->within = within;
	ret->between =
		medians * medians > BY_CHANCE * explained ? sqrt(medians * medians - explained) : 0;
	return STATS_OK;
}

double pairs_predict(const struct pairs_spread *s, size_t m)
{
	if (!is_odd_to_most(m))
		return NAN;
	return sqrt(s->between * s->between + median_variance(m) * s->within * s->within);
}

size_t pairs_choose(const struct pairs_spread *s, size_t least, double wanted)
{
	double best = NEAR_ENOUGH * pairs_predict(s, PAIRS_MOST);

	if (!is_odd_to_most(least))
		return least;
	for (size_t m = least; m <= PAIRS_MOST; m += 2)
		if (pairs_predict(s, m) <= wanted)
			return m;
	for (size_t m = least; m < PAIRS_MOST; m += 2)
		if (pairs_predict(s, m) <= best)
			return m;
	return PAIRS_MOST;
}
