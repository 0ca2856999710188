/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/describe.h"
#include "stats/moments.h"
#include "stats/prng.h"
#include "stats/serial.h"
#include "stats/sort.h"

#define N_MAX 2000

static double scratch[N_MAX];

static void descriptions_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("g_describe");
}

static void quantiles_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("g_quantile");
}

static void quantiles_by_selection_are_the_same(void **state)
{
	double x[101], work[101];

	(void)state;
	for (size_t n = 1; n <= 101; n += 4)
		for (size_t p = 0; p <= 20; p++) {
			double want;

			for (size_t i = 0; i < n; i++)
				work[i] = x[i] = (double)prng_index(n, i, 30);
			assert_int_equal(quantile_of(x, n, (double)p / 20, scratch, &want),
					 STATS_OK);
			assert_true(select_quantile(work, n, (double)p / 20) == want);
		}
}

static void the_greatest_value_has_none_behind_it(void **state)
{
	double x[] = {3, 1, 2, NAN};

	(void)state;
	assert_true(select_quantile(x, 3, 1) == 3);
	assert_true(isnan(x[3]));
}

#define LARGE 20000

static void check_large(double *x, double p)
{
	static double sorted[LARGE];
	size_t k = (size_t)((LARGE - 1) * p), below, kept;

	memcpy(sorted, x, sizeof(sorted));
	sort_doubles(sorted, LARGE);
	assert_true(select_quantile(x, LARGE, p) == sorted_quantile(sorted, LARGE, p));
	kept = select_near(x, LARGE, k, &below);
	assert_true(kept < LARGE || below == 0);
	assert_true(k >= below && k < below + kept);
	sort_doubles(x, LARGE); /* nothing was lost */
	assert_memory_equal(x, sorted, sizeof(sorted));
}

/* Smooth, few values and many equal ones, in order, and a sample that tells nothing of the rest. */
static void quantiles_of_many_values_are_the_same(void **state)
{
	static double x[LARGE];
	const double at[] = {0, 1e-4, 0.05, 0.5, 0.95, 0.9999, 1};

	(void)state;
	for (size_t i = 0; i < 7 * 5; i++) {
		for (size_t j = 0; j < LARGE; j++) {
			double u = prng_double(i, j);
			double shapes[] = {u, floor(8 * u) - 4, u < 0.9 ? 0 : u, (double)j,
					   j % (LARGE / 1024) ? u : 2};

			x[j] = shapes[i % 5];
		}
		check_large(x, at[i / 5]);
	}
}

static void few_of_many_values_are_near_a_rank(void **state)
{
	static double x[LARGE];
	size_t below;

	(void)state;
	for (size_t j = 0; j < LARGE; j++)
		x[j] = prng_double(1, j);
	assert_in_range(select_near(x, LARGE, LARGE / 20, &below), 1, LARGE / 12);
	assert_in_range(below, 1, LARGE / 20);
}

static void an_offset_costs_no_digits(void **state)
{
	double x[] = {1e15 + 1, 1e15 + 2, 1e15 + 4, 1e15 + 5};
	struct moments m = moments_of(x, 4);

	(void)state;
	assert_true(m.mean == 1e15 + 3);
	assert_true(fabs(m.sd - sqrt(10.0 / 3)) < 1e-15 * 2);
}

static void extreme_values_do_not_overflow(void **state)
{
	double big[] = {-DBL_MAX, DBL_MAX}, small[] = {0, 4 * DBL_TRUE_MIN}, q;
	struct moments m = moments_of(small, 2);

	(void)state;
	assert_true(m.mean == 2 * DBL_TRUE_MIN && m.sd > 0);
	m = moments_of(big, 2);
	assert_true(fabs(m.mean) < 1e-15 * DBL_MAX);
	assert_int_equal(quantile_of(big, 2, 0.75, scratch, &q), STATS_OK);
	assert_true(fabs(q / DBL_MAX - 0.5) < 1e-15);
}

static void equal_values_have_no_spread_at_all(void **state)
{
	double x[7];

	(void)state;
	for (size_t i = 0; i < 7; i++)
		x[i] = 0.1;
	assert_true(moments_of(x, 7).mean == 0.1 && moments_of(x, 7).sd == 0);
	assert_true(isnan(moments_of(x, 1).sd));
}

static void scale_and_order_do_not_matter(void **state)
{
	double x[50], y[50];
	struct description a, b;

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		x[i] = 1 + prng_double(1, i);
		y[49 - i] = 1024 * x[i];
	}
	assert_int_equal(describe(x, 50, scratch, &a), STATS_OK);
	assert_int_equal(describe(y, 50, scratch, &b), STATS_OK);
	assert_true(1024 * a.median == b.median && 1024 * a.mad == b.mad);
	assert_true(1024 * a.p99 == b.p99 && a.concentration == b.concentration);
	assert_true(fabs(1024 * a.sd - b.sd) <= 1e-13 * b.sd);
	assert_true(fabs(1024 * a.mean - b.mean) <= 1e-15 * b.mean);
}

static void refusals_leave_the_result_alone(void **state)
{
	double good[] = {1, 2}, bad[] = {1, NAN}, q = 7;
	struct description d = {.n = 77};

	(void)state;
	assert_int_equal(describe(good, 0, scratch, &d), STATS_EMPTY);
	assert_int_equal(describe(bad, 2, scratch, &d), STATS_NONFINITE);
	assert_int_equal(quantile_of(good, 0, 0.5, scratch, &q), STATS_EMPTY);
	assert_int_equal(quantile_of(bad, 2, 0.5, scratch, &q), STATS_NONFINITE);
	assert_int_equal(quantile_of(good, 2, 1.1, scratch, &q), STATS_RANGE);
	assert_int_equal(quantile_of(good, 2, -0.1, scratch, &q), STATS_RANGE);
	assert_int_equal(quantile_of(good, 2, NAN, scratch, &q), STATS_RANGE);
	assert_int_equal(rank_autocorrelation(good, 0, scratch, &q), STATS_EMPTY);
	assert_int_equal(rank_autocorrelation(bad, 2, scratch, &q), STATS_NONFINITE);
	assert_true(q == 7 && d.n == 77);
}

static double autocorrelation(const double *x, size_t n)
{
	double r = NAN;

	assert_int_equal(rank_autocorrelation(x, n, scratch, &r), STATS_OK);
	return r;
}

static void rank_correlation_is_that_of_the_ranks(void **state)
{
	/* ranks 1 2 3 4 less 2.5: (1.5 * .5 - .5 * .5 + .5 * 1.5) / 5 */
	double rising[] = {1, 10, 100, 1e9}, tied[] = {5, 5, 7, 7}, equal[] = {3, 3, 3};
	double alternating[] = {1, 9, 2, 8, 3, 7, 4, 6};

	(void)state;
	assert_true(autocorrelation(rising, 4) == 1.25 / 5);
	assert_true(autocorrelation(tied, 4) == 0.25); /* -1 -1 1 1: (1 - 1 + 1) / 4 */
	assert_true(autocorrelation(equal, 3) == 0);
	assert_true(autocorrelation(rising, 2) == 0);
	assert_true(autocorrelation(alternating, 8) < -0.7);
}

static void rank_correlation_of_noise_is_small(void **state)
{
	double x[400];
	size_t large = 0;

	(void)state;
	for (uint64_t key = 0; key < 200; key++) {
		for (size_t i = 0; i < 400; i++)
			x[i] = prng_double(key, i);
		large += autocorrelation(x, 400) > 2.33 / 20;
	}
	assert_in_range(large, 0, 8); /* 2 expected */
}

static void outliers_are_three_ranges_outside(void **state)
{
	double x[] = {0, 10, 10, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 24};
	struct description d;

	(void)state;
	/* quartiles 11 and 13.5: outside 3.5 .. 21 */
	assert_int_equal(describe(x, 15, scratch, &d), STATS_OK);
	assert_true(d.p25 == 11 && d.p75 == 13.5);
	assert_int_equal(d.outlier_count, 2);
	x[0] = 3;
	assert_int_equal(describe(x, 15, scratch, &d), STATS_OK);
	assert_int_equal(d.outlier_count, 2);
	x[0] = 3.5;
	x[14] = 21;
	assert_int_equal(describe(x, 15, scratch, &d), STATS_OK);
	assert_int_equal(d.outlier_count, 0);
	x[14] = 21.5;
	assert_int_equal(describe(x, 15, scratch, &d), STATS_OK);
	assert_true(d.outlier_count == 1 && d.outlier_max_ratio == 21.5 / 12);
}

static void three_values_are_enough_for_a_correlation(void **state)
{
	double bent[] = {1, 3, 2}, two[] = {1, 2}, r;

	(void)state;
	assert_int_equal(rank_autocorrelation(bent, 3, scratch, &r), STATS_OK);
	assert_true(r == -0.5); /* ranks -1 1 0 */
	assert_int_equal(rank_autocorrelation(two, 2, scratch, &r), STATS_OK);
	assert_true(r == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptions_match_the_vectors),
		cmocka_unit_test(quantiles_match_the_vectors),
		cmocka_unit_test(quantiles_by_selection_are_the_same),
		cmocka_unit_test(the_greatest_value_has_none_behind_it),
		cmocka_unit_test(quantiles_of_many_values_are_the_same),
		cmocka_unit_test(few_of_many_values_are_near_a_rank),
		cmocka_unit_test(an_offset_costs_no_digits),
		cmocka_unit_test(extreme_values_do_not_overflow),
		cmocka_unit_test(equal_values_have_no_spread_at_all),
		cmocka_unit_test(scale_and_order_do_not_matter),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(rank_correlation_is_that_of_the_ranks),
		cmocka_unit_test(rank_correlation_of_noise_is_small),
		cmocka_unit_test(outliers_are_three_ranges_outside),
		cmocka_unit_test(three_values_are_enough_for_a_correlation),
	};

	return cmocka_run_group_tests_name("stats/describe", tests, NULL, NULL);
}
