/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/beta.h"
#include "stats/median.h"
#include "stats/prng.h"
#include "stats/sort.h"

static enum interval_side side_of(const char *text)
{
	if (strcmp(text, "two") == 0)
		return INTERVAL_TWO;
	return strcmp(text, "lower") == 0 ? INTERVAL_LOWER : INTERVAL_UPPER;
}

void check_a_median_ci(const struct vector *v)
{
	double scratch[VECTOR_N_MAX];
	struct median_interval r;
	enum stats_error e;
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);

	e = median_interval(x, n, vector_get(v->in, "conf"), side_of(vector_text(v->in, "side")),
			    scratch, &r);
	free(x);
	if (vector_refused(v, e))
		return;
	vector_close(v, "median", r.median, vector_get(v->out, "median"), 0, 0);
	vector_close(v, "lo", r.lo, vector_get(v->out, "lo"), 0, 0);
	vector_close(v, "hi", r.hi, vector_get(v->out, "hi"), 0, 0);
	vector_close(v, "attained", r.attained, vector_get(v->out, "attained"), 1e-12, 0);
	vector_same_count(v, "n", n);
	vector_same_count(v, "rank_lo", r.rank_lo);
	vector_same_count(v, "rank_hi", r.rank_hi);
	vector_same_count(v, "min_n", r.min_n);
	assert_int_equal(r.withheld, vector_flag(v->out, "withheld"));
}

void check_a_min_n(const struct vector *v)
{
	double conf = vector_get(v->in, "conf");
	size_t two = 0, lower = 0, upper = 0;

	assert_int_equal(median_min_n(conf, INTERVAL_TWO, &two), STATS_OK);
	assert_int_equal(median_min_n(conf, INTERVAL_LOWER, &lower), STATS_OK);
	assert_int_equal(median_min_n(conf, INTERVAL_UPPER, &upper), STATS_OK);
	vector_same_count(v, "two", two);
	vector_same_count(v, "one", lower);
	assert_int_equal(upper, lower);
}

/* P(X <= k) of a binomial, q = 1 - p, by the beta function unless p is 1/2. */
static double binomial(long k, size_t n, double p, double q)
{
	if (p == 0.5)
		return binom_half_cdf(k, n);
	if (k < 0 || k >= (long)n)
		return k >= 0;
	return beta_inc_xy(q, p, (double)((long)n - k), (double)k + 1);
}

void check_j_binom(const struct vector *v)
{
	size_t n = vector_count(v->in, "n");
	long k = (long)vector_get(v->in, "k");
	double p = vector_get(v->in, "p");

	vector_close(v, "cdf", binomial(k, n, p, 1 - p), vector_get(v->out, "cdf"), 1e-11, 1e-300);
	vector_close(v, "sf", binomial((long)n - k - 1, n, 1 - p, p), vector_get(v->out, "sf"),
		     1e-11, 1e-300);
}
