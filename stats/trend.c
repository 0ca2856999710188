/* SPDX-License-Identifier: BSD-2-Clause */
#include "trend.h"

#include <math.h>
#include <string.h>
#include "normal.h"
#include "sort.h"

#define EXACT_N_MAX   50
#define EXACT_HALF    (EXACT_N_MAX * (EXACT_N_MAX - 1) / 4)
#define VERDICT_N_MIN 6

static double pairs(double n)
{
	return n * (n - 1) / 2;
}

static double pair_variance(double n)
{
	return n * (n - 1) * (2 * n + 5) / 18;
}

/* Merges the sorted halves x[0..mid) and x[mid..n) into out; returns the pairs out of order. */
static double merge(const double *x, size_t mid, size_t n, double *out)
{
	double inversions = 0;
	size_t a = 0, b = mid;

	for (size_t i = 0; i < n; i++) {
		if (a < mid && (b >= n || x[a] <= x[b])) {
			out[i] = x[a++];
		} else {
			inversions += (double)(mid - a);
			out[i] = x[b++];
		}
	}
	return inversions;
}

/* Sorts x by merging runs of growing length; returns the number of pairs with x_i > x_j, i < j. */
static double sort_counting(double *x, size_t n, double *spare)
{
	double inversions = 0;

	for (size_t run = 1; run < n; run *= 2) {
		for (size_t at = 0; at < n; at += 2 * run) {
			size_t left = n - at, mid = left < run ? left : run;

			inversions +=
				merge(x + at, mid, left < 2 * run ? left : 2 * run, spare + at);
		}
		memcpy(x, spare, n * sizeof(*x));
	}
	return inversions;
}

struct ties {
	double pairs, variance;
};

static struct ties count_ties(const double *sorted, size_t n)
{
	struct ties t = {0};
	size_t first = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && sorted[i] == sorted[first])
			continue;
		t.pairs += pairs((double)(i - first));
		t.variance += pair_variance((double)(i - first));
		first = i;
	}
	return t;
}

/*
 * P(at most k inversions) of n values in random order. below[j] holds P(at most j) of the values
 * so far; one value more adds 0..m-1 inversions, each with probability 1/m. Only the lower half is
 * ever asked for, where no difference cancels.
 */
static double inversions_at_most(size_t k, size_t n)
{
	double below[EXACT_HALF + 1];

	for (size_t j = 0; j <= k; j++)
		below[j] = 1;
	for (size_t m = 2; m <= n; m++) {
		for (size_t j = k + 1; j-- > 0;)
			below[j] = (below[j] - (j >= m ? below[j - m] : 0)) / (double)m;
		for (size_t j = 1; j <= k; j++)
			below[j] += below[j - 1];
	}
	return below[k];
}

static double exact_p(double s, size_t n)
{
	double inversions = (pairs((double)n) - fabs(s)) / 2;

	return fmin(1, 2 * inversions_at_most((size_t)inversions, n));
}

static void set_test(struct trend *r, double inversions, struct ties ties)
{
	double all = pairs((double)r->n);

	r->s = all - ties.pairs - 2 * inversions;
	r->var_s = pair_variance((double)r->n) - ties.variance;
	r->method = TREND_METHOD_NORMAL;
	r->tau = r->z = 0;
	if (all > ties.pairs) {
		r->tau = r->s / sqrt(all * (all - ties.pairs));
		r->z = r->s / sqrt(r->var_s);
	}
	r->p = fmin(1, 2 * normal_cdf(-fabs(r->z)));
	if (ties.pairs == 0 && r->n <= EXACT_N_MAX) {
		r->method = TREND_METHOD_EXACT;
		r->p = exact_p(r->s, r->n);
	}
}

static double level(const double *x, size_t n, double *scratch)
{
	memcpy(scratch, x, n * sizeof(*x));
	sort_doubles(scratch, n);
	return sorted_median(scratch, n);
}

static void set_drift(struct trend *r, const double *x, double *scratch)
{
	size_t quarter = r->n < 4 ? 1 : r->n / 4;
	double first = level(x, quarter, scratch);
	double last = level(x + r->n - quarter, quarter, scratch);

	r->drift = first == 0 ? NAN : last / first - 1;
}

static enum trend_verdict judge(const struct trend *r, double alpha, double min_drift)
{
	if (r->n < VERDICT_N_MIN || isnan(r->drift))
		return TREND_UNKNOWN;
	if (r->p < alpha && fabs(r->drift) >= min_drift)
		return TREND_DETECTED;
	return TREND_NOT_DETECTED;
}

enum stats_error trend_test(const double *x, size_t n, double alpha, double min_drift,
			    double *scratch, struct trend *ret)
{
	struct trend r = {.n = n, .tau = NAN, .var_s = NAN, .z = NAN, .p = NAN};
	double inversions;

	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	if (!(alpha > 0 && alpha < 1) || !(min_drift >= 0))
		return STATS_RANGE;
	set_drift(&r, x, scratch);
	memcpy(scratch, x, n * sizeof(*x));
	inversions = sort_counting(scratch, n, scratch + n);
	if (n > 1)
		set_test(&r, inversions, count_ties(scratch, n));
	r.verdict = judge(&r, alpha, min_drift);
	*ret = r;
	return STATS_OK;
}
