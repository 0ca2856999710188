/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/describe.h"
#include "stats/maxt.h"
#include "stats/prng.h"

#define N_MAX	    200
#define COLUMNS_MAX 40
#define RESAMPLES   100000

static double rows[N_MAX * COLUMNS_MAX], buffer[MAXT_BUFFER(N_MAX, COLUMNS_MAX)];
static uint32_t scratch[MAXT_SCRATCH(N_MAX)];
static double m[RESAMPLES], t[COLUMNS_MAX * RESAMPLES];
static unsigned char strata[N_MAX];

static size_t read_rows(const struct vector *v, size_t *ret_columns)
{
	const cJSON *row;
	size_t n = 0;

	*ret_columns = 1;
	cJSON_ArrayForEach(row, vector_item(v->in, "rows")) {
		double *x = vector_doubles(row, ret_columns);

		assert_true(n < N_MAX && *ret_columns <= COLUMNS_MAX);
		memcpy(rows + n++ * *ret_columns, x, *ret_columns * sizeof(*x));
		free(x);
	}
	return n;
}

/* The strata are numbered in the sorted order of their labels. */
static unsigned char stratum_of(const cJSON *labels, const char *name)
{
	const cJSON *label, *earlier;
	unsigned char smaller = 0;

	cJSON_ArrayForEach(label, labels) {
		bool seen = strcmp(label->valuestring, name) >= 0;

		for (earlier = labels->child; !seen && earlier != label; earlier = earlier->next)
			seen = strcmp(earlier->valuestring, label->valuestring) == 0;
		smaller += !seen;
	}
	return smaller;
}

static void read_strata(const struct vector *v)
{
	const cJSON *labels = vector_item(v->in, "strata"), *label;
	size_t n = 0;

	assert_true(cJSON_GetArraySize(labels) <= N_MAX);
	cJSON_ArrayForEach(label, labels)
		strata[n++] = stratum_of(labels, label->valuestring);
}

static void check_numbers(const struct vector *v, const char *key, const double *got, double rel,
			  double abs)
{
	size_t n;
	double *want = vector_doubles(vector_item(v->out, key), &n);

	for (size_t j = 0; j < n; j++)
		vector_close(v, key, got[j], want[j], want[j] == 0 ? 0 : rel,
			     want[j] == 0 && strcmp(key, "se") == 0 ? 0 : abs);
	free(want);
}

/*
 * The tolerance is the sampling error of the reference. On an atom of the distribution it is 0 or
 * less than the spacing of doubles, where T can still differ by the order of its sums: the
 * reference of c_maxt-022 itself is one unit in the last place from the exact value.
 */
static void check_quantile(const struct vector *v, const char *key, double p, size_t columns)
{
	char tolerance[16];
	size_t n;
	double *want, *within;

	if (!cJSON_HasObjectItem(v->out, key))
		return;
	(void)strcat(strcpy(tolerance, key), "_tol");
	want = vector_doubles(vector_item(v->out, key), &n);
	within = vector_doubles(vector_item(v->out, tolerance), &n);
	assert_int_equal(n, columns);
	for (size_t j = 0; j < n; j++)
		vector_close(v, key, select_quantile(t + j * RESAMPLES, RESAMPLES, p), want[j], 0,
			     fmax(within[j], 4 * DBL_EPSILON * fabs(want[j])));
	free(want);
	free(within);
}

static void check_resamples(const struct vector *v, const struct maxt_plan *plan)
{
	const cJSON *spec = cJSON_GetObjectItemCaseSensitive(v->out, "spec_prng");
	uint64_t key = prng_key(7, "max-t");
	double crit;

	if (spec)
		assert_int_equal(key, prng_key(vector_u64(vector_item(spec, "seed")),
					       vector_text(spec, "label")));
	(void)maxt_resample(plan, key, RESAMPLES, 0, RESAMPLES, m, t, scratch);
	crit = select_quantile(m, RESAMPLES, vector_get(v->in, "conf"));
	assert_true(crit >= vector_get(v->out, "crit_min"));
	assert_true(crit <= vector_get(v->out, "crit_max"));
	if (spec)
		vector_close(v, "crit", crit, vector_get(spec, "crit"), 1e-9, 0);
	check_quantile(v, "t05", 0.05, plan->columns);
	check_quantile(v, "t95", 0.95, plan->columns);
}

void check_c_maxt(const struct vector *v)
{
	struct maxt_plan plan;
	size_t columns, n = read_rows(v, &columns);
	enum stats_error e;

	read_strata(v);
	assert_int_equal(vector_count(v->in, "resamples"), RESAMPLES);
	e = maxt_prepare(rows, strata, n, columns, buffer, &plan);
	vector_same_text(v, "error", stats_error_name(e), v->error ? v->error : "ok");
	if (v->error)
		return;
	for (size_t i = 0; i < 2; i++)
		vector_close(
			v, "count", (double)plan.counts[i],
			vector_number(cJSON_GetArrayItem(vector_item(v->out, "counts"), (int)i)), 0,
			0);
	check_numbers(v, "estimate", plan.estimate, 1e-10, 1e-14);
	check_numbers(v, "se", plan.se, 1e-10, 1e-14);
	check_resamples(v, &plan);
}
