/* SPDX-License-Identifier: BSD-2-Clause */
#include "maxt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "describe.h"
#include "prng.h"
#include "sort.h"

/* Below this share of SE, a variance from sums of squares is rounding and nothing else. */
#define SE_VANISHES 1e-6

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

enum stats_error maxt_prepare(const double *rows, const unsigned char *strata, size_t n,
			      size_t columns, double *buffer, struct maxt_plan *ret)
{
	double *estimate = buffer, *se = buffer + columns, *centred = buffer + 2 * columns;
	struct maxt_plan plan = {n, columns, {0, 0}, estimate, se, centred};

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
	*ret = plan;
	return STATS_OK;
}

static void add_row(const double *a, size_t columns, double *sums, double *squares)
{
	for (size_t j = 0; j < columns; j++) {
		sums[j] += a[j];
		squares[j] += a[j] * a[j];
	}
}

static void add_rows(const double *a, const double *b, size_t columns, double *sums,
		     double *squares)
{
	for (size_t j = 0; j < columns; j++) {
		sums[j] += a[j] + b[j];
		squares[j] += a[j] * a[j] + b[j] * b[j];
	}
}

/*
 * Sums and sums of squares of n drawn rows, by column. Two rows at a time: half the traffic, and
 * half the roundings.
 */
static void draw_rows(const double *rows, size_t n, size_t columns, uint64_t key, uint64_t counter,
		      double *sums, double *squares)
{
	size_t i = 0;

	memset(sums, 0, columns * sizeof(*sums));
	memset(squares, 0, columns * sizeof(*squares));
	for (; i + 1 < n; i += 2)
		add_rows(rows + prng_index(key, counter + i, n) * columns,
			 rows + prng_index(key, counter + i + 1, n) * columns, columns, sums,
			 squares);
	if (i < n)
		add_row(rows + prng_index(key, counter + i, n) * columns, columns, sums, squares);
}

static double drawn_variance(double sum, double squares, double n)
{
	return fmax(0, (squares - sum * sum / n) / (n - 1));
}

/* T of column j, whose sums and squares by stratum are sums[j + (0, 1, 2, 3) columns]. */
static double studentize(const struct maxt_plan *plan, size_t j, const double *sums,
			 size_t *fallbacks)
{
	size_t columns = plan->columns;
	double n1 = (double)plan->counts[0], n2 = (double)plan->counts[1];
	double s1 = sums[j], q1 = sums[j + columns];
	double s2 = sums[j + 2 * columns], q2 = sums[j + 3 * columns];
	double theta = (s1 / n1 + s2 / n2) / 2;
	double se = standard_error(drawn_variance(s1, q1, n1), drawn_variance(s2, q2, n2),
				   plan->counts);

	if (plan->se[j] == 0)
		return 0;
	if (se > SE_VANISHES * plan->se[j])
		return theta / se;
	++*fallbacks;
	return theta / plan->se[j];
}

size_t maxt_resample(const struct maxt_plan *plan, uint64_t key, size_t resamples, size_t first,
		     size_t last, double *m, double *t, double *scratch)
{
	size_t columns = plan->columns, n1 = plan->counts[0], fallbacks = 0;

	for (size_t r = first; r < last; r++) {
		uint64_t counter = (uint64_t)r * plan->n;

		draw_rows(plan->centred, n1, columns, key, counter, scratch, scratch + columns);
		draw_rows(plan->centred + n1 * columns, plan->counts[1], columns, key, counter + n1,
			  scratch + 2 * columns, scratch + 3 * columns);
		m[r] = 0;
		for (size_t j = 0; j < columns; j++) {
			double value = studentize(plan, j, scratch, &fallbacks);

			m[r] = fmax(m[r], fabs(value));
			if (t)
				t[j * resamples + r] = value;
		}
	}
	return fallbacks;
}

enum stats_error maxt_intervals(const struct maxt_plan *plan, size_t resamples, double *m,
				double *t, double conf, double alpha, double *ret_crit,
				struct maxt_bounds *ret_bounds)
{
	double crit;

	if (!(conf > 0 && conf < 1) || !(alpha > 0 && alpha < 1) || resamples == 0)
		return STATS_RANGE;
	crit = select_quantile(m, resamples, conf);
	for (size_t j = 0; j < plan->columns; j++) {
		double estimate = plan->estimate[j], se = plan->se[j];

		ret_bounds[j].lo = estimate - crit * se;
		ret_bounds[j].hi = estimate + crit * se;
		ret_bounds[j].upper =
			estimate - select_quantile(t + j * resamples, resamples, alpha) * se;
	}
	*ret_crit = crit;
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
