/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include "stats/block.h"
#include "stats/prng.h"

#define PAIRS 9

static double scratch[2 * PAIRS];

static double median(const double *base, const double *cand, size_t m)
{
	return block_ratio(BLOCK_MEDIAN, base, cand, m, scratch);
}

static double sum(const double *base, const double *cand, size_t m)
{
	return block_ratio(BLOCK_SUM, base, cand, m, scratch);
}

static void the_median_is_of_ratios(void **state)
{
	static const double base[] = {1, 2, 100}, cand[] = {3, 2, 200};

	(void)state;
	assert_true(median(base, cand, 3) == 2);
	assert_true(median(base, cand, 1) == 3);
}

static void the_sum_is_of_values(void **state)
{
	static const double base[] = {1, 2, 100}, cand[] = {3, 2, 201};

	(void)state;
	assert_true(sum(base, cand, 3) == 2);
	assert_true(sum(base, cand, 1) == 3);
}

static void of_an_even_number_the_last_is_left_out(void **state)
{
	static const double base[] = {1, 1, 1, 1}, cand[] = {3, 2, 5, 0};

	(void)state;
	assert_true(median(base, cand, 4) == 3 && sum(base, cand, 4) == 10. / 3);
	assert_true(median(base, cand, 2) == 3 && sum(base, cand, 2) == 3);
	assert_true(isnan(median(base, cand, 0)) && isnan(sum(base, cand, 0)));
}

static void swapped_sides_give_the_inverse(void **state)
{
	(void)state;
	for (uint64_t key = 0; key < 100; key++) {
		double base[PAIRS], cand[PAIRS];
		size_t m = 1 + 2 * (key % 5);

		for (size_t i = 0; i < m; i++) {
			base[i] = 1 + prng_double(key, 2 * i);
			cand[i] = 1 + prng_double(key, 2 * i + 1);
		}
		assert_true(fabs(median(base, cand, m) * median(cand, base, m) - 1) < 1e-15);
		assert_true(fabs(sum(base, cand, m) * sum(cand, base, m) - 1) < 1e-15);
	}
}

static void has_no_ratio(const double *base, const double *cand, size_t m)
{
	assert_true(isnan(median(base, cand, m)) && isnan(median(cand, base, m)));
	assert_true(isnan(sum(base, cand, m)) && isnan(sum(cand, base, m)));
}

/* A failed half is no number. */
static void what_is_no_time_has_no_ratio(void **state)
{
	static const double bad[] = {0, -1, NAN, INFINITY}, good[] = {1, 2, 3};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t at = 0; at < 3; at++) {
			double x[] = {1, 2, 3};

			x[at] = bad[i];
			has_no_ratio(good, x, 3);
		}
}

static void too_large_a_ratio_is_none(void **state)
{
	static const double base[] = {DBL_MIN}, cand[] = {DBL_MAX};

	(void)state;
	assert_true(isnan(median(base, cand, 1)) && isnan(sum(base, cand, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_is_of_ratios),
		cmocka_unit_test(the_sum_is_of_values),
		cmocka_unit_test(of_an_even_number_the_last_is_left_out),
		cmocka_unit_test(swapped_sides_give_the_inverse),
		cmocka_unit_test(what_is_no_time_has_no_ratio),
		cmocka_unit_test(too_large_a_ratio_is_none),
	};

	return cmocka_run_group_tests_name("stats/block", tests, NULL, NULL);
}
