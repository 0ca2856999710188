/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include "stats/noncentral.h"
#include "stats/normal.h"
#include "stats/student.h"

static double upper(double t, double df, double shift)
{
	double got = NAN;

	assert_int_equal(noncentral_upper(t, df, shift, &got), STATS_OK);
	return got;
}

static void without_a_shift_it_is_student_s(void **state)
{
	static const double dfs[] = {0.5, 1, 2, 3.5, 10, 59, 1000, 1e5}, ts[] = {-3, 0, 0.1, 2, 40};

	(void)state;
	for (size_t i = 0; i < 8; i++)
		for (size_t j = 0; j < 5; j++) {
			double want = student_cdf(-ts[j], dfs[i]);

			assert_true(fabs(upper(ts[j], dfs[i], 0) - want) <= 1e-14 + 1e-11 * want);
		}
}

/* S^2 is exponential: Phi(d) - t / sqrt(2 a) exp(-d^2 / (2 + t^2)) Phi(d t / sqrt(2 a)), 2 a = 2 + t^2. */
static double two_degrees(double t, double d)
{
	double root = sqrt(2 + t * t);

	return normal_cdf(d) - t / root * exp(-d / root * (d / root)) * normal_cdf(d * t / root);
}

static void two_degrees_have_a_closed_form(void **state)
{
	static const double ts[] = {-2, 0, 0.3, 1, 7, 300, 1e5}, shares[] = {-0.2, 0.5, 0.9, 1, 2};

	(void)state;
	for (size_t i = 0; i < 7; i++)
		for (size_t j = 0; j < 5; j++) {
			double d = shares[j] * fmax(1, fabs(ts[i]));
			/* a step that the grid no longer follows costs five digits */
			double error = fabs(d) > 1000 ? 1e-8 : 1e-13;

			assert_true(fabs(upper(ts[i], 2, d) - two_degrees(ts[i], d)) <= error);
		}
}

static void at_zero_only_the_normal_part_counts(void **state)
{
	(void)state;
	for (int i = -30; i <= 30; i++)
		assert_true(fabs(upper(0, 7, i / 10.0) - normal_cdf(i / 10.0)) < 1e-14);
}

static void the_shift_inverts_it(void **state)
{
	static const double dfs[] = {1, 4, 99}, ts[] = {-1, 0, 2, 30};
	static const double ps[] = {1e-6, 0.05, 0.5, 0.8, 0.9999};

	(void)state;
	for (size_t i = 0; i < 3 * 4 * 5; i++) {
		double t = ts[i / 5 % 4], df = dfs[i / 20], p = ps[i % 5], d = NAN;

		assert_int_equal(noncentral_shift(t, df, p, &d), STATS_OK);
		assert_true(fabs(upper(t, df, d) - p) < 1e-12);
	}
}

/* Where the power asked is the level the test has anyway, nothing has to be shifted. */
static void the_shift_is_close(void **state)
{
	double d = NAN;

	(void)state;
	assert_int_equal(noncentral_shift(2, 5, student_cdf(-2, 5), &d), STATS_OK);
	assert_true(fabs(d) < 1e-13);
	assert_int_equal(noncentral_shift(0, 5, normal_cdf(-5.5), &d), STATS_OK);
	assert_true(fabs(d + 5.5) < 1e-12);
	assert_int_equal(noncentral_shift(0, 5, normal_cdf(1.5), &d), STATS_OK);
	assert_true(fabs(d - 1.5) < 1e-12);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};
	double got = 7;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(noncentral_upper(bad[i], 3, 0, &got), STATS_RANGE);
		assert_int_equal(noncentral_upper(1, bad[i], 0, &got), STATS_RANGE);
		assert_int_equal(noncentral_upper(1, 3, bad[i], &got), STATS_RANGE);
		assert_int_equal(noncentral_shift(bad[i], 3, 0.5, &got), STATS_RANGE);
		assert_int_equal(noncentral_shift(1, bad[i], 0.5, &got), STATS_RANGE);
		assert_int_equal(noncentral_shift(1, 3, bad[i], &got), STATS_RANGE);
	}
	assert_int_equal(noncentral_upper(1, 0, 0, &got), STATS_RANGE);
	assert_int_equal(noncentral_shift(1, 0, 0.5, &got), STATS_RANGE);
	assert_int_equal(noncentral_shift(1, 3, 0, &got), STATS_RANGE);
	assert_int_equal(noncentral_shift(1, 3, 1, &got), STATS_RANGE);
	assert_true(got == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_shift_it_is_student_s),
		cmocka_unit_test(two_degrees_have_a_closed_form),
		cmocka_unit_test(at_zero_only_the_normal_part_counts),
		cmocka_unit_test(the_shift_inverts_it),
		cmocka_unit_test(the_shift_is_close),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
	};

	return cmocka_run_group_tests_name("stats/noncentral", tests, NULL, NULL);
}
