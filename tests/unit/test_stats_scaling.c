/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include "stats/maxt.h"
#include "stats/scaling.h"

#define N_MAX 40
#define K_MAX 8

static double columns[N_MAX * 2 * K_MAX], scratch[3 * K_MAX];

static void contrasts_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("e_scaling");
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
	assert_int_equal(scaling_side_columns(sizes, 1, good, 1, scratch, columns), STATS_SIZES);
	assert_int_equal(scaling_side_columns(sizes, 3, good, 1, scratch, columns), STATS_SIZES);
	assert_int_equal(scaling_side_columns(sizes, 2, bad, 1, scratch, columns), STATS_NONFINITE);
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
