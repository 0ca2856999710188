/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/describe.h"
#include "stats/maxt.h"
#include "stats/prng.h"
#include "vectors_rows.h"

#define N_MAX	      200
#define COLUMNS_MAX   40
#define RESAMPLES_MAX 100000

static double rows[N_MAX * COLUMNS_MAX], buffer[MAXT_BUFFER(N_MAX, COLUMNS_MAX)];
static uint32_t scratch[MAXT_SCRATCH(N_MAX)];
static double m[RESAMPLES_MAX], t[COLUMNS_MAX * RESAMPLES_MAX];
static unsigned char strata[N_MAX];

/* Zero is to be zero, where it is a standard error. */
static void check_numbers(const struct vector *v, const char *key, const double *got, size_t cnt,
			  double abs)
{
	size_t n;
	double *want = vector_doubles(vector_item(v->out, key), &n);

	assert_int_equal(n, cnt);
	for (size_t j = 0; j < n; j++)
		vector_close(v, key, got[j], want[j], 1e-10, want[j] == 0 ? abs : 1e-14);
	free(want);
}

/*
 * The tolerance is the sampling error of the reference. On an atom of the distribution it is 0 or
 * less than the spacing of doubles, where T can still differ by the order of its sums: the
 * reference of c_maxt-022 itself is one unit in the last place from the exact value.
 */
static void check_quantile(const struct vector *v, const char *key, double p, size_t columns,
			   size_t resamples)
{
	char tolerance[16];
	size_t n;
	double *want, *within;

	if (!vector_optional(v->out, key))
		return;
	(void)strcat(strcpy(tolerance, key), "_tol");
	want = vector_doubles(vector_item(v->out, key), &n);
	assert_int_equal(n, columns);
	within = vector_doubles(vector_item(v->out, tolerance), &n);
	assert_int_equal(n, columns);
	for (size_t j = 0; j < n; j++)
		vector_close(v, key, select_quantile(t + j * resamples, resamples, p), want[j], 0,
			     fmax(within[j], 4 * DBL_EPSILON * fabs(want[j])));
	free(want);
	free(within);
}

static void check_critical(const struct vector *v, double crit)
{
	double lo = vector_get(v->out, "crit_min"), hi = vector_get(v->out, "crit_max");
	double ideal = vector_get(v->out, "crit_ideal");

	assert_true(lo <= ideal && ideal <= hi); /* how it was found: */
	assert_true(vector_text(v->out, "method")[0] != '\0');
	assert_true(crit >= lo && crit <= hi);
}

static void check_resamples(const struct vector *v, const struct maxt_plan *plan, double conf,
			    size_t resamples)
{
	const cJSON *spec = vector_optional(v->out, "spec_prng");
	uint64_t key = prng_key(7, "max-t");
	double crit;

	assert_true(resamples >= 1 && resamples <= RESAMPLES_MAX);
	if (spec)
		key = prng_key(vector_u64(vector_item(spec, "seed")), vector_text(spec, "label"));
	(void)maxt_resample(plan, key, resamples, 0, resamples, m, t, scratch);
	assert_int_equal(maxt_critical(m, resamples, conf, &crit), STATS_OK);
	check_critical(v, crit);
	if (spec)
		vector_close(v, "crit", crit, vector_get(spec, "crit"), 1e-9, 0);
	check_quantile(v, "t05", 0.05, plan->columns, resamples);
	check_quantile(v, "t95", 0.95, plan->columns, resamples);
}

/* A kernel cannot see rows of unequal length: that much is for who fills its arrays to refuse. */
static enum stats_error prepare(const struct vector *v, struct maxt_plan *ret)
{
	size_t n, columns, labels = vector_strata(v, strata, N_MAX);

	if (!vector_matrix(vector_item(v->in, "rows"), rows, N_MAX * COLUMNS_MAX, &n, &columns) ||
	    labels != n)
		return STATS_SHAPE;
	assert_true(n <= N_MAX && columns <= COLUMNS_MAX);
	return maxt_prepare(rows, strata, n, columns, buffer, ret);
}

void check_c_maxt(const struct vector *v)
{
	size_t resamples = vector_count(v->in, "resamples");
	double conf = vector_get(v->in, "conf");
	struct maxt_plan plan;

	if (vector_refused(v, prepare(v, &plan)))
		return;
	vector_close_list(v, "counts", (double[]){(double)plan.counts[0], (double)plan.counts[1]},
			  2, 0, 0);
	check_numbers(v, "estimate", plan.estimate, plan.columns, 1e-14);
	check_numbers(v, "se", plan.se, plan.columns, 0);
	check_resamples(v, &plan, conf, resamples);
}
