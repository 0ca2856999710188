/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/groups.h"

#define EACH   4
#define VALUES (5 * EACH)

static double y[VALUES], scratch[3 * VALUES];
static size_t group[VALUES];

/* Group g holds values about `level[g]`, in turn with the others. */
static void fill(const double *level, size_t groups)
{
	static const double about[EACH] = {-1, 1, -3, 3};

	for (size_t i = 0; i < groups * EACH; i++) {
		group[i] = i % groups;
		y[i] = level[i % groups] + about[i / groups];
	}
}

static double variance_of(size_t n, double variance)
{
	double ret = -1;

	assert_int_equal(groups_variance(y, group, n, variance, scratch, &ret), STATS_OK);
	return ret;
}

static void refused_with(size_t n, double variance, enum stats_error why)
{
	double ret = -1;

	assert_int_equal(groups_variance(y, group, n, variance, scratch, &ret), why);
	assert_true(ret == -1);
}

static void refused(size_t n, enum stats_error why)
{
	refused_with(n, 1, why);
}

static void groups_apart_vary(void **state)
{
	static const double level[] = {10, 30, 20, 50, 40};
	double all = pow(1.4826 * 10, 2); /* the deviations are 20 10 0 10 20 */

	(void)state;
	fill(level, 5);
	assert_true(fabs(variance_of(VALUES, 0) - all) < 1e-12);
	assert_true(fabs(variance_of(VALUES, 8) - (all - 8 * M_PI / 2 / EACH)) < 1e-12);
}

static void what_the_values_account_for_is_not_the_groups(void **state)
{
	static const double level[] = {1, 2, 3};

	(void)state;
	fill(level, 3);
	assert_true(variance_of(3 * EACH, 0) > 2);
	assert_true(variance_of(3 * EACH, 100) == 0);
}

/* Numbers that nobody has, and a group too small, are passed over. */
static void only_groups_of_four_count(void **state)
{
	static const double level[] = {10, 30, 20, 50, 90};
	double before;

	(void)state;
	fill(level, 5);
	for (size_t i = 0; i < VALUES; i++)
		group[i] = 2 * group[i] + 1;
	before = variance_of(VALUES, 4);
	group[0] = 100; /* leaves one with three */
	assert_true(variance_of(VALUES, 4) != before);
	group[1] = 101;
	assert_true(variance_of(VALUES, 4) > 0);
	group[2] = 102;
	refused(VALUES, STATS_RANGE);
}

static void too_few_or_no_numbers_are_refused(void **state)
{
	static const double level[] = {10, 30, 20};

	(void)state;
	fill(level, 2);
	refused(2 * EACH, STATS_RANGE);
	refused(0, STATS_RANGE);
	fill(level, 3);
	y[1] = NAN;
	refused(3 * EACH, STATS_NONFINITE);
	fill(level, 3);
	refused_with(3 * EACH, NAN, STATS_NONFINITE);
	refused_with(3 * EACH, INFINITY, STATS_NONFINITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_apart_vary),
		cmocka_unit_test(what_the_values_account_for_is_not_the_groups),
		cmocka_unit_test(only_groups_of_four_count),
		cmocka_unit_test(too_few_or_no_numbers_are_refused),
	};

	return cmocka_run_group_tests_name("stats/groups", tests, NULL, NULL);
}
