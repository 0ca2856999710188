/* SPDX-License-Identifier: BSD-2-Clause */
#include "maxt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "describe.h"
#include "maxt_terms.h"
#include "sort.h"

/* Below this share of SE, a root of sums of squares is rounding and nothing else. */
#define SE_VANISHES 1e-6
#define CACHE_LINE  64

struct column {
	double mean, variance;
};

static enum stats_error count_strata(const unsigned char *strata, size_t n, size_t counts[static 2])
{
	for (size_t i = 0; i < n; i++) {
		if (strata[i] > 1)
			return STATS_STRATA;
		counts[strata[i]]++;
	}
	return counts[0] < 2 || counts[1] < 2 ? STATS_STRATA : STATS_OK;
}

/* Copies the rows of one stratum after another. */
static void group_rows(const double *rows, const unsigned char *strata, size_t n, size_t columns,
		       double *grouped)
{
	for (unsigned char stratum = 0; stratum < 2; stratum++)
		for (size_t i = 0; i < n; i++) {
			if (strata[i] != stratum)
				continue;
			memcpy(grouped, rows + i * columns, columns * sizeof(*rows));
			grouped += columns;
		}
}

/*
 * Centres column x[0], x[columns], ... of n rows in two passes over differences from the first
 * value: of a constant column they are exactly 0.
 */
static struct column centre(double *x, size_t n, size_t columns)
{
	struct column c = {0};
	double first = x[0];

	for (size_t i = 0; i < n; i++)
		c.mean += x[i * columns] - first;
	c.mean = first + c.mean / (double)n;
	for (size_t i = 0; i < n; i++) {
		x[i * columns] -= c.mean;
		c.variance += x[i * columns] * x[i * columns];
	}
	c.variance /= (double)(n - 1);
	return c;
}

static double standard_error(double v1, double v2, const size_t counts[static 2])
{
	return sqrt(v1 / (double)counts[0] + v2 / (double)counts[1]) / 2;
}

static void fill_term(double *term, double a, double b)
{
	term[0] = a + b;
	term[TILE_COLUMNS] = a * a + b * b;
}

/* The terms of n rows of one column, x[0], x[columns], ... */
static void fill_terms(const double *x, size_t n, size_t columns, double *term)
{
	for (size_t a = 0; rows_are_paired(n) && a < n; a++)
		for (size_t b = 0; b <= a; b++, term += TERM)
			fill_term(term, x[a * columns], x[b * columns]);
	for (size_t a = 0; a < n; a++, term += TERM)
		fill_term(term, x[a * columns], 0);
}

/*
 * T does not depend on the scale of its column: by a power of two, which is exact, SE gets between
 * 1/2 and 1, and no square overflows or vanishes. A column without spread gets T = 0/1.
 */
static void scale(double *x, size_t n, size_t columns, double se, double *ret_limit,
		  double *ret_instead)
{
	int exponent;
	double scaled = frexp(se, &exponent);

	for (size_t i = 0; i < n; i++)
		x[i * columns] = se > 0 ? ldexp(x[i * columns], -exponent) : 0;
	*ret_limit = SE_VANISHES * SE_VANISHES * scaled * scaled;
	*ret_instead = se > 0 ? scaled * scaled : 1;
}

/* The columns that fill up the last tile are columns without spread. */
static void fill_tiles(const struct maxt_plan *plan, double *centred, double *terms)
{
	size_t columns = plan->columns, n1 = plan->counts[0], n2 = plan->counts[1];
	size_t tiles = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;

	memset(terms, 0, tiles * tile_doubles(plan->counts) * sizeof(*terms));
	for (size_t j = 0; j < tiles * TILE_COLUMNS; j++) {
		double *tile = terms + j / TILE_COLUMNS * tile_doubles(plan->counts);
		struct tile_rules *rules = (struct tile_rules *)tile;
		size_t k = j % TILE_COLUMNS;
		double *x = centred + j, *term = tile + TERM + k;

		rules->instead[k] = 1;
		if (j >= columns)
			continue;
		scale(x, plan->n, columns, plan->se[j], &rules->limit[k], &rules->instead[k]);
		fill_terms(x, n1, columns, term);
		fill_terms(x + n1 * columns, n2, columns, term + terms_of(n1) * TERM);
	}
}

/* The terms begin where a line of the cache does. */
static double *line_up(double *buffer)
{
	return (double *)(((uintptr_t)buffer + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

enum stats_error maxt_prepare(const double *rows, const unsigned char *strata, size_t n,
			      size_t columns, double *buffer, struct maxt_plan *ret)
{
	double *estimate = buffer, *se = buffer + columns, *centred = buffer + 2 * columns;
	double *terms = line_up(centred + n * columns);
	struct maxt_plan plan = {n, columns, {0, 0}, estimate, se, terms};

	if (n == 0)
		return STATS_EMPTY;
	if (columns == 0)
		return STATS_SHAPE;
	if (count_strata(strata, n, plan.counts))
		return STATS_STRATA;
	if (!all_finite(rows, n * columns))
		return STATS_NONFINITE;
	group_rows(rows, strata, n, columns, centred);
	for (size_t j = 0; j < columns; j++) {
		struct column a = centre(centred + j, plan.counts[0], columns);
		struct column b =
			centre(centred + plan.counts[0] * columns + j, plan.counts[1], columns);

		estimate[j] = (a.mean + b.mean) / 2;
		se[j] = standard_error(a.variance, b.variance, plan.counts);
		if (!isfinite(estimate[j]) || !isfinite(se[j])) /* overflow */
			return STATS_NONFINITE;
	}
	fill_tiles(&plan, centred, terms);
	*ret = plan;
	return STATS_OK;
}

enum stats_error maxt_critical(double *m, size_t resamples, double conf, double *ret)
{
	if (!(conf > 0 && conf < 1) || resamples == 0)
		return STATS_RANGE;
	*ret = select_quantile(m, resamples, conf);
	return STATS_OK;
}

enum stats_error maxt_intervals(const struct maxt_plan *plan, double crit, size_t resamples,
				double *t, double alpha, size_t first, size_t last,
				struct maxt_bounds *ret_bounds)
{
	if (!(alpha > 0 && alpha < 1) || resamples == 0)
		return STATS_RANGE;
	for (size_t j = first; j < last; j++) {
		double estimate = plan->estimate[j], se = plan->se[j];

		ret_bounds[j].lo = estimate - crit * se;
		ret_bounds[j].hi = estimate + crit * se;
		ret_bounds[j].upper =
			estimate - select_quantile(t + j * resamples, resamples, alpha) * se;
	}
	return STATS_OK;
}

enum maxt_verdict maxt_judge(const struct maxt_plan *plan, const struct maxt_bounds *bounds,
			     const double *margins, double width_max)
{
	bool pass = plan->n >= MAXT_BLOCKS_MIN;

	for (size_t j = 0; j < plan->columns; j++) {
		if (isnan(margins[j]))
			continue;
		if (bounds[j].lo > margins[j])
			return MAXT_REGRESSION;
		if (!(bounds[j].upper <= margins[j]) ||
		    !((bounds[j].hi - bounds[j].lo) / 2 <= width_max))
			pass = false;
	}
	return pass ? MAXT_PASS : MAXT_UNDECIDED;
}
