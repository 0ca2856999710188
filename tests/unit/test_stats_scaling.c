/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include "stats/maxt.h"
#include "stats/scaling.h"

#define N_MAX 40
#define K_MAX 8

static double columns[N_MAX * 2 * K_MAX], scratch[3 * K_MAX];
static double buffer[MAXT_BUFFER(N_MAX, 2 * K_MAX)];
static unsigned char strata[N_MAX];

static size_t read_matrix(const cJSON *matrix, size_t k, double *ret)
{
	const cJSON *row;
	size_t n = 0;

	cJSON_ArrayForEach (row, matrix) {
		size_t width;
		double *x = vector_doubles(row, &width);

		assert_int_equal(width, k);
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
	cJSON_ArrayForEach (want, list)
		vector_close(v, key, *got++, want->valuedouble, 1e-10, 1e-13);
}

static struct maxt_plan plan_of(const struct vector *v, size_t n, size_t width)
{
	const cJSON *label;
	struct maxt_plan plan;
	size_t i = 0;

	cJSON_ArrayForEach (label, vector_item(v->in, "strata"))
		strata[i++] = strcmp(label->valuestring, "baseline-first") != 0;
	assert_int_equal(maxt_prepare(columns, strata, n, width, buffer, &plan), STATS_OK);
	return plan;
}

static void check_pairs(const struct vector *v, size_t n, size_t k)
{
	struct maxt_plan plan = plan_of(v, n, 2 * k);
	const cJSON *row, *cell;
	double *at = columns;

	cJSON_ArrayForEach (row, vector_item(v->out, "columns"))
		cJSON_ArrayForEach (cell, row)
			vector_close(v, "column", *at++, cell->valuedouble, 1e-10, 1e-13);
	check_list(v, "ratio_est", plan.estimate);
	check_list(v, "ratio_se", plan.se);
	check_list(v, "slope_delta_est", plan.estimate + k);
	check_list(v, "slope_delta_se", plan.se + k);
	check_list(v, "growth_est", plan.estimate + k + 1);
	check_list(v, "growth_se", plan.se + k + 1);
}

static void check_limits(const struct vector *v)
{
	double slope, growth = log(vector_get(v->in, "growth_limit"));

	assert_int_equal(scaling_slope_limit(vector_get(v->in, "margin"), &slope), STATS_OK);
	check_list(v, "slope_limit", &slope);
	check_list(v, "growth_limit_log", &growth);
}

static void check_scaling(const struct vector *v)
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

static void contrasts_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("e_scaling", check_scaling);
}

static void a_power_law_has_its_exponent(void **state)
{
	double sizes[] = {3, 10, 100, 7000}, linear[4], square[4];

	(void)state;
	for (size_t j = 0; j < 4; j++) {
		linear[j] = 5 * sizes[j];
		square[j] = sizes[j] * sizes[j];
	}
	assert_int_equal(scaling_columns(sizes, 4, linear, square, 1, scratch, columns), STATS_OK);
	assert_true(fabs(columns[4] - 1) < 1e-14);
	for (size_t j = 5; j < 8; j++)
		assert_true(fabs(columns[j] - 2 * M_LN2) < 1e-14);
	assert_int_equal(scaling_side_columns(sizes, 4, square, 1, scratch, columns), STATS_OK);
	assert_true(fabs(columns[0] - 2) < 1e-14 && fabs(columns[3] - 2 * M_LN2) < 1e-14);
}

static void units_do_not_matter(void **state)
{
	double sizes[] = {1, 2, 4}, larger[] = {1024, 2048, 4096};
	double times[] = {1, 3, 5, 2, 3, 7}, ns[6], again[6];

	(void)state;
	for (size_t i = 0; i < 6; i++)
		ns[i] = 1e9 * times[i];
	assert_int_equal(scaling_side_columns(sizes, 3, times, 2, scratch, columns), STATS_OK);
	assert_int_equal(scaling_side_columns(larger, 3, ns, 2, scratch, again), STATS_OK);
	for (size_t i = 0; i < 6; i++)
		assert_true(fabs(columns[i] - again[i]) < 1e-13);
}

static void refusals_leave_the_columns_alone(void **state)
{
	double sizes[] = {1, 2, 1}, good[] = {1, 2, 3}, bad[] = {1, NAN, 3};
	double zero[] = {0, 2, 3}, limit = 7;

	(void)state;
	columns[0] = 7;
	assert_int_equal(scaling_columns(sizes, 2, good, good, 0, scratch, columns), STATS_EMPTY);
	assert_int_equal(scaling_columns(sizes, 1, good, good, 1, scratch, columns), STATS_SIZES);
	assert_int_equal(scaling_columns(sizes, 3, good, good, 1, scratch, columns), STATS_SIZES);
	assert_int_equal(scaling_columns(zero, 2, good, good, 1, scratch, columns),
			 STATS_NONPOSITIVE);
	assert_int_equal(scaling_columns(sizes, 2, good, bad, 1, scratch, columns),
			 STATS_NONFINITE);
	assert_int_equal(scaling_side_columns(sizes, 2, zero, 1, scratch, columns),
			 STATS_NONPOSITIVE);
	assert_int_equal(scaling_side_columns(sizes, 2, good, 0, scratch, columns), STATS_EMPTY);
	assert_int_equal(scaling_slope_limit(1, &limit), STATS_MARGIN);
	assert_int_equal(scaling_slope_limit(NAN, &limit), STATS_MARGIN);
	assert_true(columns[0] == 7 && limit == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contrasts_match_the_vectors),
		cmocka_unit_test(a_power_law_has_its_exponent),
		cmocka_unit_test(units_do_not_matter),
		cmocka_unit_test(refusals_leave_the_columns_alone),
	};

	return cmocka_run_group_tests_name("stats/scaling", tests, NULL, NULL);
}
