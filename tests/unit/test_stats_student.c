/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/normal.h"
#include "stats/student.h"

static void cdf_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_pt");
}

static void quantile_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_qt");
}

static double quantile(double p, double df)
{
	double q = NAN;

	assert_int_equal(student_quantile(p, df, &q), STATS_OK);
	return q;
}

static void quantile_inverts_the_cdf(void **state)
{
	static const double df[] = {0.3, 1, 1.7, 2, 2.5, 3, 7, 19, 59, 1e3, 1e6};
	static const double ps[] = {1e-300, 1e-50, 1e-9, 0.01,	 0.2,	     0.2499,
				    0.25,   0.26,  0.4,	 0.4999, 0.499999999};

	(void)state;
	for (size_t i = 0; i < sizeof(df) / sizeof(*df); i++)
		for (size_t j = 0; j < sizeof(ps) / sizeof(*ps); j++) {
			double q = quantile(ps[j], df[i]);

			if (fabs(q) < 1e100) /* beyond, the squash of t has no digits */
				assert_true(fabs(student_cdf(q, df[i]) - ps[j]) <= 1e-12 * ps[j]);
		}
}

static void small_degrees_have_closed_forms(void **state)
{
	(void)state;
	for (int i = 1; i < 50; i++) {
		double t = 20 * tan(i / 40.0);

		assert_true(fabs(student_cdf(-t, 1) - atan2(1, t) / M_PI) < 1e-14);
		assert_true(fabs(student_cdf(t, 2) - (0.5 + t / 2 / sqrt(2 + t * t))) < 1e-14);
	}
	assert_true(fabs(quantile(0.75, 1) - 1) < 1e-14);
	assert_true(fabs(quantile(0.001, 1 + 1e-12) / quantile(0.001, 1) - 1) < 1e-10);
	assert_true(fabs(quantile(0.001, 2 + 1e-12) / quantile(0.001, 2) - 1) < 1e-10);
}

/* There the tail is flat: only the central probability has the digits. */
static void quantile_keeps_its_digits_in_the_middle(void **state)
{
	double d = 0x1p-30;

	(void)state;
	assert_true(fabs(quantile(0.5 + d, 1) / (d * M_PI) - 1) < 1e-14);
	assert_true(fabs(quantile(0.5 + d, 2) / (d * 2 * M_SQRT2) - 1) < 1e-14);
	assert_true(fabs(quantile(0.5 + d, 3) / (d * M_PI * sqrt(3) / 2) - 1) < 1e-14);
}

static void quantile_is_never_nan(void **state)
{
	(void)state;
	for (double df = 0.1; df < 100; df *= 1.3)
		for (double p = 1e-305; p < 0.5; p *= 10)
			assert_true(quantile(p, df) < 0);
}

static void many_degrees_approach_the_normal(void **state)
{
	double z;

	(void)state;
	assert_int_equal(normal_quantile(0.99, &z), STATS_OK);
	assert_true(fabs(quantile(0.99, 1e7) - z - (z * z * z + z) / 4e7) < 1e-9);
	assert_true(fabs(student_cdf(1.5, 1e7) - normal_cdf(1.5)) < 1e-7);
}

static void quantile_is_odd(void **state)
{
	(void)state;
	for (int i = 1; i < 64; i++)
		assert_true(quantile(i / 128.0, 5) == -quantile(1 - i / 128.0, 5));
	assert_true(quantile(0.5, 5) == 0);
	assert_true(quantile(0, 5) == -INFINITY && quantile(1, 5) == INFINITY);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	static const double bad[][2] = {{-0.1, 5}, {1.1, 5},	    {NAN, 5},  {0.5, 0},
					{0.5, -1}, {0.5, INFINITY}, {0.5, NAN}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		double q = 7;

		assert_int_equal(student_quantile(bad[i][0], bad[i][1], &q), STATS_RANGE);
		assert_true(q == 7);
	}
	assert_true(isnan(student_cdf(NAN, 3)));
	assert_true(student_cdf(INFINITY, 3) == 1 && student_cdf(-INFINITY, 3) == 0);
}

static void quantile_is_odd_about_one_half(void **state)
{
	static const double df[] = {0.5, 1, 2, 3, 30};

	(void)state;
	for (size_t i = 0; i < sizeof(df) / sizeof(*df); i++) {
		assert_true(quantile(0, df[i]) == -INFINITY && quantile(1, df[i]) == INFINITY);
		for (int k = 1; k < 256; k++)
			assert_true(quantile(k / 512.0, df[i]) == -quantile(1 - k / 512.0, df[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cdf_matches_the_vectors),
		cmocka_unit_test(quantile_matches_the_vectors),
		cmocka_unit_test(quantile_inverts_the_cdf),
		cmocka_unit_test(small_degrees_have_closed_forms),
		cmocka_unit_test(quantile_keeps_its_digits_in_the_middle),
		cmocka_unit_test(quantile_is_never_nan),
		cmocka_unit_test(many_degrees_approach_the_normal),
		cmocka_unit_test(quantile_is_odd),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
		cmocka_unit_test(quantile_is_odd_about_one_half),
	};

	return cmocka_run_group_tests_name("stats/student", tests, NULL, NULL);
}
