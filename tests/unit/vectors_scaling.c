/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include <string.h>
#include "stats/maxt.h"
#include "stats/scaling.h"

#define N_MAX 200
#define K_MAX 8

static double columns[N_MAX * 2 * K_MAX], scratch[3 * K_MAX];
static double buffer[MAXT_BUFFER(N_MAX, 2 * K_MAX)];
static unsigned char strata[N_MAX];

static size_t read_matrix(const cJSON *matrix, size_t k, double *ret)
{
	const cJSON *row;
	size_t n = 0;

	cJSON_ArrayForEach(row, matrix) {
		size_t width;
		double *x = vector_doubles(row, &width);

		assert_true(width == k && k <= K_MAX && n < N_MAX);
		memcpy(ret + n++ * k, x, k * sizeof(*x));
		free(x);
	}
	return n;
}

static void check_list(const struct vector *v, const char *key, const double *got)
{
	const cJSON *want, *list = vector_item(v->out, key);

	if (cJSON_IsNumber(list))
		vector_close(v, key, *got, list->valuedouble, 1e-10, 1e-13);
	cJSON_ArrayForEach(want, list)
		vector_close(v, key, *got++, want->valuedouble, 1e-10, 1e-13);
}

static struct maxt_plan plan_of(const struct vector *v, size_t n, size_t width)
{
	const cJSON *label;
	struct maxt_plan plan;
	size_t i = 0;

	cJSON_ArrayForEach(label, vector_item(v->in, "strata"))
		strata[i++] = strcmp(label->valuestring, "baseline-first") != 0;
	assert_int_equal(maxt_prepare(columns, strata, n, width, buffer, &plan), STATS_OK);
	return plan;
}

static void check_pairs(const struct vector *v, size_t n, size_t k)
{
	struct maxt_plan plan = plan_of(v, n, 2 * k);
	const cJSON *row, *cell;
	double *at = columns, factor[K_MAX];

	cJSON_ArrayForEach(row, vector_item(v->out, "columns"))
		cJSON_ArrayForEach(cell, row)
			vector_close(v, "column", *at++, cell->valuedouble, 1e-10, 1e-13);
	check_list(v, "ratio_est", plan.estimate);
	check_list(v, "ratio_se", plan.se);
	check_list(v, "slope_delta_est", plan.estimate + k);
	check_list(v, "slope_delta_se", plan.se + k);
	check_list(v, "growth_est", plan.estimate + k + 1);
	check_list(v, "growth_se", plan.se + k + 1);
	for (size_t j = 0; j + 1 < k; j++)
		factor[j] = exp(plan.estimate[k + 1 + j]);
	check_list(v, "growth_factor", factor);
}

static void check_limits(const struct vector *v)
{
	double slope, growth = log(vector_get(v->in, "growth_limit"));

	assert_int_equal(scaling_slope_limit(vector_get(v->in, "margin"), &slope), STATS_OK);
	check_list(v, "slope_limit", &slope);
	check_list(v, "growth_limit_log", &growth);
}

void check_e_scaling(const struct vector *v)
{
	size_t k, n;
	double *sizes = vector_doubles(vector_item(v->in, "sizes"), &k);
	double baseline[N_MAX * K_MAX], candidate[N_MAX * K_MAX];
	enum stats_error e;

	n = read_matrix(vector_item(v->in, "baseline"), k, baseline);
	assert_int_equal(read_matrix(vector_item(v->in, "candidate"), k, candidate), n);
	e = scaling_columns(sizes, k, baseline, candidate, n, scratch, columns);
	vector_same_text(v, "error", stats_error_name(e), v->error ? v->error : "ok");
	if (!v->error) {
		struct maxt_plan plan;

		check_pairs(v, n, k);
		assert_int_equal(scaling_side_columns(sizes, k, baseline, n, scratch, columns),
				 STATS_OK);
		plan = plan_of(v, n, k);
		check_list(v, "slope_base", plan.estimate);
		check_list(v, "base_growth_est", plan.estimate + 1);
		assert_int_equal(scaling_side_columns(sizes, k, candidate, n, scratch, columns),
				 STATS_OK);
		check_list(v, "slope_cand", plan_of(v, n, k).estimate);
		check_limits(v);
	}
	free(sizes);
}
