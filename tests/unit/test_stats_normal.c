/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/normal.h"

static void cdf_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_pnorm");
}

static void quantile_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_qnorm");
}

static void quantile_inverts_the_cdf(void **state)
{
	(void)state;
	for (int i = -370; i <= 80; i++) {
		double x = i / 10.0, back;

		assert_int_equal(normal_quantile(normal_cdf(x), &back), STATS_OK);
		/* towards 1 the cdf itself has no digits left */
		assert_true(fabs(back - x) <= (x > 3 ? 1e-16 / exp(-x * x / 2) * 3 : 1e-13));
	}
}

static void quantile_is_odd_about_one_half(void **state)
{
	(void)state;
	for (int i = 1; i < 64; i++) {
		double low, high;

		assert_int_equal(normal_quantile(i / 128.0, &low), STATS_OK);
		assert_int_equal(normal_quantile(1 - i / 128.0, &high), STATS_OK);
		assert_true(low == -high);
	}
}

static void quantile_meets_where_its_regions_meet(void **state)
{
	static const double seams[] = {0.075, 1.3887943864964021e-11 /* exp(-25) */};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		double below, above;

		assert_int_equal(normal_quantile(seams[i] * (1 - 1e-12), &below), STATS_OK);
		assert_int_equal(normal_quantile(seams[i] * (1 + 1e-12), &above), STATS_OK);
		assert_true(below < above && above - below < 4e-12);
	}
}

static void quantile_of_the_least_double_is_finite(void **state)
{
	double q;

	(void)state;
	assert_int_equal(normal_quantile(5e-324, &q), STATS_OK);
	assert_true(fabs(q + 38.4674) < 1e-3);
}

static void infinities_have_limits(void **state)
{
	(void)state;
	assert_true(normal_cdf(INFINITY) == 1);
	assert_true(normal_cdf(-INFINITY) == 0);
	assert_true(isnan(normal_cdf(NAN)));
}

static void the_ends_are_infinite(void **state)
{
	double got;

	(void)state;
	assert_int_equal(normal_quantile(0, &got), STATS_OK);
	assert_true(got == -INFINITY);
	assert_int_equal(normal_quantile(1, &got), STATS_OK);
	assert_true(got == INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cdf_matches_the_vectors),
		cmocka_unit_test(quantile_matches_the_vectors),
		cmocka_unit_test(quantile_inverts_the_cdf),
		cmocka_unit_test(quantile_is_odd_about_one_half),
		cmocka_unit_test(quantile_meets_where_its_regions_meet),
		cmocka_unit_test(quantile_of_the_least_double_is_finite),
		cmocka_unit_test(infinities_have_limits),
		cmocka_unit_test(the_ends_are_infinite),
	};

	return cmocka_run_group_tests_name("stats/normal", tests, NULL, NULL);
}
