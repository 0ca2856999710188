/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/across.h"
#include "stats/prng.h"

#define N_MAX 200

static double scratch[N_MAX];

static void verdicts_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_across");
}

static enum across_verdict judge(const double *x, size_t n, double margin)
{
	struct across r;

	assert_int_equal(across_judge(x, n, margin, 0.99, 8, scratch, &r), STATS_OK);
	return r.verdict;
}

static void all_at(double *x, size_t n, double value)
{
	for (size_t i = 0; i < n; i++)
		x[i] = value;
}

static void the_limits_themselves_are_the_same(void **state)
{
	double x[9];

	(void)state;
	all_at(x, 9, 1.125);
	assert_int_equal(judge(x, 9, 0.5), ACROSS_SAME);
	all_at(x, 9, nextafter(1.125, 2));
	assert_int_equal(judge(x, 9, 0.5), ACROSS_SLOWER);
	all_at(x, 9, 1 / 1.125);
	assert_int_equal(judge(x, 9, 0.5), ACROSS_SAME);
	all_at(x, 9, nextafter(1 / 1.125, 0));
	assert_int_equal(judge(x, 9, 0.5), ACROSS_FASTER);
	assert_int_equal(judge(x, 7, 0.5), ACROSS_TOO_FEW);
}

static double z_of(const double *x, size_t n)
{
	double z = NAN;

	assert_int_equal(across_block(x, n, scratch, &z), STATS_OK);
	return z;
}

static void swapped_sides_invert_a_block(void **state)
{
	double x[20], y[20];

	(void)state;
	for (size_t n = 8; n <= 20; n++) {
		for (size_t i = 0; i < n; i++) {
			x[i] = 0.9 + prng_double(n, i) / 5;
			y[i] = 1 / x[i];
		}
		assert_true(fabs(z_of(x, n) * z_of(y, n) - 1) < 1e-15);
	}
}

static void a_block_is_the_middle_of_its_ratios(void **state)
{
	double odd[] = {9, 1, 8, 2, 7, 3, 6, 4, 5}, even[] = {1, 1, 1, 4, 9, 99, 99, 99};
	double same[] = {1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1};

	(void)state;
	assert_true(z_of(odd, 9) == 5);
	assert_true(z_of(even, 8) == 6);
	assert_true(z_of(same, 8) == 1.1);
	all_at(even, 8, 1e200);
	even[0] = even[1] = even[2] = even[3] = 1e190;
	assert_true(fabs(z_of(even, 8) / 1e195 - 1) < 1e-14);
}

static void refusals_leave_the_result_alone(void **state)
{
	double x[] = {1, 1, 1, 1, 1, 1, 1, 1}, z = 7;
	struct across r = {.ratio = 7};

	(void)state;
	assert_int_equal(across_block(x, 7, scratch, &z), STATS_RANGE);
	assert_int_equal(across_judge(x, 0, 0.02, 0.99, 8, scratch, &r), STATS_EMPTY);
	assert_int_equal(across_judge(x, 8, 0, 0.99, 8, scratch, &r), STATS_MARGIN);
	assert_int_equal(across_judge(x, 8, NAN, 0.99, 8, scratch, &r), STATS_MARGIN);
	assert_int_equal(across_judge(x, 8, 0.02, 1, 8, scratch, &r), STATS_RANGE);
	x[3] = 0;
	assert_int_equal(across_judge(x, 8, 0.02, 0.99, 8, scratch, &r), STATS_NONPOSITIVE);
	assert_int_equal(across_block(x, 8, scratch, &z), STATS_NONPOSITIVE);
	x[3] = NAN;
	assert_int_equal(across_judge(x, 8, 0.02, 0.99, 8, scratch, &r), STATS_NONFINITE);
	assert_int_equal(across_block(x, 8, scratch, &z), STATS_NONFINITE);
	assert_true(r.ratio == 7 && z == 7);
}

static void every_ratio_is_looked_at(void **state)
{
	double x[8], z;
	struct across r;

	(void)state;
	for (size_t bad = 0; bad < 8; bad++) {
		all_at(x, 8, 1);
		x[bad] = 0;
		assert_int_equal(across_block(x, 8, scratch, &z), STATS_NONPOSITIVE);
		assert_int_equal(across_judge(x, 8, 0.02, 0.99, 8, scratch, &r), STATS_NONPOSITIVE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_match_the_vectors),
		cmocka_unit_test(the_limits_themselves_are_the_same),
		cmocka_unit_test(swapped_sides_invert_a_block),
		cmocka_unit_test(a_block_is_the_middle_of_its_ratios),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(every_ratio_is_looked_at),
	};

	return cmocka_run_group_tests_name("stats/across", tests, NULL, NULL);
}
