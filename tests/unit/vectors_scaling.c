/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/maxt.h"
#include "stats/scaling.h"
#include "vectors_rows.h"

#define N_MAX 200
#define K_MAX 16

static double columns[N_MAX * 2 * K_MAX], scratch[3 * K_MAX];
static double buffer[MAXT_BUFFER(N_MAX, 2 * K_MAX)];
static double baseline[N_MAX * K_MAX], candidate[N_MAX * K_MAX];
static unsigned char strata[N_MAX];

static void check_list(const struct vector *v, const char *key, const double *got, size_t cnt)
{
	vector_close_list(v, key, got, cnt, 1e-10, 1e-13);
}

static struct maxt_plan plan_of(size_t n, size_t width)
{
	struct maxt_plan plan;

	assert_int_equal(maxt_prepare(columns, strata, n, width, buffer, &plan), STATS_OK);
	return plan;
}

static void check_columns(const struct vector *v, size_t n, size_t width)
{
	const cJSON *row, *cell, *rows = vector_item(v->out, "columns");
	double *at = columns;

	if (cJSON_IsNull(rows)) /* not written down for many blocks */
		return;
	assert_int_equal(cJSON_GetArraySize(rows), n);
	cJSON_ArrayForEach(row, rows) {
		assert_int_equal(cJSON_GetArraySize(row), width);
		cJSON_ArrayForEach(cell, row)
			vector_close(v, "column", *at++, cell->valuedouble, 1e-10, 1e-13);
	}
}

static void check_pairs(const struct vector *v, size_t n, size_t k)
{
	struct maxt_plan plan = plan_of(n, 2 * k);
	double factor[K_MAX];

	check_columns(v, n, 2 * k);
	check_list(v, "ratio_est", plan.estimate, k);
	check_list(v, "ratio_se", plan.se, k);
	check_list(v, "slope_delta_est", plan.estimate + k, 1);
	check_list(v, "slope_delta_se", plan.se + k, 1);
	check_list(v, "growth_est", plan.estimate + k + 1, k - 1);
	check_list(v, "growth_se", plan.se + k + 1, k - 1);
	for (size_t j = 0; j + 1 < k; j++)
		factor[j] = exp(plan.estimate[k + 1 + j]);
	check_list(v, "growth_factor", factor, k - 1);
}

static void check_sides(const struct vector *v, const double *sizes, size_t n, size_t k)
{
	struct maxt_plan plan;

	assert_int_equal(scaling_side_columns(sizes, k, baseline, n, scratch, columns), STATS_OK);
	plan = plan_of(n, k);
	check_list(v, "slope_base", plan.estimate, 1);
	check_list(v, "base_growth_est", plan.estimate + 1, k - 1);
	assert_int_equal(scaling_side_columns(sizes, k, candidate, n, scratch, columns), STATS_OK);
	check_list(v, "slope_cand", plan_of(n, k).estimate, 1);
}

static void check_limits(const struct vector *v, double margin, double growth_limit)
{
	double slope, growth = log(growth_limit);

	assert_int_equal(scaling_slope_limit(margin, &slope), STATS_OK);
	check_list(v, "slope_limit", &slope, 1);
	check_list(v, "growth_limit_log", &growth, 1);
}

/* A kernel cannot see rows of unequal length: that much is for who fills its arrays to refuse. */
static enum stats_error read_times(const struct vector *v, const double *sizes, size_t k,
				   size_t *ret_n)
{
	size_t n[3], width[2];
	/* both are read, also when the first is not even */
	bool even = vector_matrix(vector_item(v->in, "baseline"), baseline, N_MAX * K_MAX, &n[0],
				  &width[0]);

	even = vector_matrix(vector_item(v->in, "candidate"), candidate, N_MAX * K_MAX, &n[1],
			     &width[1]) &&
	       even;
	n[2] = vector_strata(v, strata, N_MAX);
	assert_true(k <= K_MAX);
	if (!even || n[1] != n[0] || n[2] != n[0] || (n[0] && (width[0] != k || width[1] != k)))
		return STATS_SHAPE;
	*ret_n = n[0];
	return scaling_columns(sizes, k, baseline, candidate, n[0], scratch, columns);
}

void check_e_scaling(const struct vector *v)
{
	double margin = vector_get(v->in, "margin"), growth = vector_get(v->in, "growth_limit");
	size_t k, n = 0;
	double *sizes = vector_doubles(vector_item(v->in, "sizes"), &k);
	enum stats_error e = read_times(v, sizes, k, &n);

	if (!vector_refused(v, e)) {
		check_pairs(v, n, k);
		check_sides(v, sizes, n, k);
		check_limits(v, margin, growth);
	}
	free(sizes);
}
