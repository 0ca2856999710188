/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/beta.h"

static void beta_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_betainc");
}

static double beta(double x, double a, double b)
{
	double got = NAN;

	assert_int_equal(beta_inc(x, a, b, &got), STATS_OK);
	return got;
}

static void first_parameter_one_has_a_closed_form(void **state)
{
	(void)state;
	for (int i = 1; i < 32; i++)
		for (double b = 0.25; b < 1e7; b *= 8) {
			double x = i / 32.0 / (1 + b), want = -expm1(b * log1p(-x));

			assert_true(fabs(beta(x, 1, b) - want) <= 1e-12 * want);
		}
}

static void sides_add_to_one(void **state)
{
	(void)state;
	for (int i = 1; i < 16; i++)
		for (double a = 1e-3; a < 1e6; a *= 7)
			assert_true(fabs(beta(i / 16.0, a, 3 * a) + beta(1 - i / 16.0, 3 * a, a) -
					 1) < 1e-12);
}

static void half_is_exact_for_equal_parameters(void **state)
{
	(void)state;
	for (double a = 1e-3; a < 1e7; a *= 10)
		assert_true(fabs(beta(0.5, a, a) - 0.5) < 1e-12);
}

/* Near 0 the function is x^a / (a B(a, b)); the ratios within overflow for a subnormal x. */
static void subnormal_arguments_keep_their_power(void **state)
{
	(void)state;
	assert_true(fabs(beta(0x1p-1040, 0.5, 0.5) / (0x1p-520 * M_2_PI) - 1) < 1e-11);
	assert_true(fabs(beta(0x1p-900, 0.5, 0.5) / (0x1p-450 * M_2_PI) - 1) < 1e-11);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	static const double bad[][3] = {
		{-0.1, 1, 1}, {1.1, 1, 1},   {NAN, 1, 1},   {0.5, 0, 1},	{0.5, 1, 0},
		{0.5, 1, -1}, {0.5, NAN, 1}, {0.5, 1, NAN}, {0.5, INFINITY, 1}, {0.5, 1, INFINITY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		double got = 7;

		assert_int_equal(beta_inc(bad[i][0], bad[i][1], bad[i][2], &got), STATS_RANGE);
		assert_true(got == 7);
	}
}

/* a / m overflows where x is subnormal */
static void the_least_arguments_keep_their_digits(void **state)
{
	(void)state;
	for (double x = 1e-300; x > 1e-309; x /= 10) {
		assert_true(fabs(beta(x, 0.5, 1) / sqrt(x) - 1) < 1e-10);
		assert_true(fabs(beta(x, 0.01, 1) / pow(x, 0.01) - 1) < 1e-10);
	}
	assert_true(beta(0, 0.5, 0.5) == 0 && beta(1, 0.5, 0.5) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beta_matches_the_vectors),
		cmocka_unit_test(first_parameter_one_has_a_closed_form),
		cmocka_unit_test(sides_add_to_one),
		cmocka_unit_test(half_is_exact_for_equal_parameters),
		cmocka_unit_test(subnormal_arguments_keep_their_power),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
		cmocka_unit_test(the_least_arguments_keep_their_digits),
	};

	return cmocka_run_group_tests_name("stats/beta", tests, NULL, NULL);
}
