/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/prng.h"
#include "stats/trend.h"

#define N_MAX 1000

static double scratch[2 * N_MAX];

static void trends_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("f_kendall");
}

static struct trend test(const double *x, size_t n)
{
	struct trend r;

	assert_int_equal(trend_test(x, n, 0.01, 0.01, scratch, &r), STATS_OK);
	return r;
}

static double sum_of_signs(const double *x, size_t n)
{
	double s = 0;

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < j; i++)
			s += (x[j] > x[i]) - (x[j] < x[i]);
	return s;
}

static void counting_by_merging_equals_counting_pairs(void **state)
{
	double x[130];

	(void)state;
	for (size_t n = 2; n <= 130; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)prng_index(n, i, 1 + 3 * (n % 40));
		assert_true(test(x, n).s == sum_of_signs(x, n));
	}
}

static size_t count_permutations(double *x, size_t at, size_t n, double least)
{
	size_t count = 0;

	if (at == n)
		return fabs(sum_of_signs(x, n)) >= least;
	for (size_t i = at; i < n; i++) {
		double held = x[at];

		x[at] = x[i];
		x[i] = held;
		count += count_permutations(x, at + 1, n, least);
		x[i] = x[at];
		x[at] = held;
	}
	return count;
}

static void exact_p_equals_enumeration(void **state)
{
	double orders[][6] = {
		{1, 2, 3, 4, 5, 6}, {2, 1, 3, 4, 6, 5}, {6, 5, 4, 1, 2, 3}, {3, 1, 2, 6, 5, 4}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct trend r = test(orders[i], 6);
		double all[6] = {1, 2, 3, 4, 5, 6};

		assert_true(fabs(r.p - (double)count_permutations(all, 0, 6, fabs(r.s)) / 720) <
			    1e-15);
	}
}

static void reversed_time_reverses_the_sign(void **state)
{
	double x[60], y[60];

	(void)state;
	for (size_t n = 2; n <= 60; n++) {
		struct trend a, b;

		for (size_t i = 0; i < n; i++)
			y[n - 1 - i] = x[i] = 1 + prng_double(n, i);
		a = test(x, n);
		b = test(y, n);
		assert_true(a.s == -b.s && a.tau == -b.tau && a.p == b.p);
	}
}

static void equal_values_have_no_trend(void **state)
{
	double x[] = {5, 5, 5, 5, 5, 5, 5};
	struct trend r = test(x, 7);

	(void)state;
	assert_true(r.s == 0 && r.tau == 0 && r.z == 0 && r.p == 1 && r.var_s == 0);
	assert_int_equal(r.verdict, TREND_NOT_DETECTED);
}

static void level_zero_is_unknown(void **state)
{
	double x[] = {0, 0, 1, 2, 3, 4, 5, 6};
	struct trend r = test(x, 8);

	(void)state;
	assert_true(isnan(r.drift));
	assert_int_equal(r.verdict, TREND_UNKNOWN);
}

static void drift_counts_from_the_least_that_matters(void **state)
{
	double x[] = {100, 100.2, 100.4, 100.6, 100.8, 101};
	struct trend r;

	(void)state;
	assert_int_equal(trend_test(x, 6, 0.01, x[5] / x[0] - 1, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, TREND_DETECTED);
	assert_int_equal(trend_test(x, 6, 0.01, 0.0101, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, TREND_NOT_DETECTED);
	assert_int_equal(trend_test(x, 6, r.p, 0.001, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, TREND_NOT_DETECTED); /* p = alpha is not significant */
	assert_int_equal(trend_test(x, 5, 0.1, 0.001, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, TREND_UNKNOWN);
}

static void refusals_leave_the_result_alone(void **state)
{
	double good[] = {1, 2}, bad[] = {1, NAN};
	struct trend r = {.n = 77};

	(void)state;
	assert_int_equal(trend_test(good, 0, 0.01, 0.01, scratch, &r), STATS_EMPTY);
	assert_int_equal(trend_test(bad, 2, 0.01, 0.01, scratch, &r), STATS_NONFINITE);
	assert_int_equal(trend_test(good, 2, 0, 0.01, scratch, &r), STATS_RANGE);
	assert_int_equal(trend_test(good, 2, 1, 0.01, scratch, &r), STATS_RANGE);
	assert_int_equal(trend_test(good, 2, NAN, 0.01, scratch, &r), STATS_RANGE);
	assert_int_equal(trend_test(good, 2, 0.01, -1, scratch, &r), STATS_RANGE);
	assert_int_equal(trend_test(good, 2, 0.01, NAN, scratch, &r), STATS_RANGE);
	assert_int_equal(r.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trends_match_the_vectors),
		cmocka_unit_test(counting_by_merging_equals_counting_pairs),
		cmocka_unit_test(exact_p_equals_enumeration),
		cmocka_unit_test(reversed_time_reverses_the_sign),
		cmocka_unit_test(equal_values_have_no_trend),
		cmocka_unit_test(level_zero_is_unknown),
		cmocka_unit_test(drift_counts_from_the_least_that_matters),
		cmocka_unit_test(refusals_leave_the_result_alone),
	};

	return cmocka_run_group_tests_name("stats/trend", tests, NULL, NULL);
}
