/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/bootstrap.h"
#include "stats/prng.h"

#define RESAMPLES 2000

static double scratch[RESAMPLES + 3000];

static void intervals_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("b_bootstrap_median");
}

static void scale_and_reflection_carry_over(void **state)
{
	double x[15], y[15];
	struct bootstrap_interval a, b;

	(void)state;
	for (size_t i = 0; i < 15; i++) {
		x[i] = prng_double(1, i);
		y[i] = -4 * x[i];
	}
	assert_int_equal(bootstrap_median(x, 15, 0.9, 500, 3, scratch, &a), STATS_OK);
	assert_int_equal(bootstrap_median(y, 15, 0.9, 500, 3, scratch, &b), STATS_OK);
	assert_true(b.median == -4 * a.median);
	assert_true(fabs(b.lo + 4 * a.hi) < 1e-15 && fabs(b.hi + 4 * a.lo) < 1e-15);
}

static void probabilities_outside_the_domain_are_refused(void **state)
{
	double x[] = {1, 2};
	struct bootstrap_interval r = {.median = 7};

	(void)state;
	assert_int_equal(bootstrap_median(x, 2, 0, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, 1, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, NAN, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, 0.9, 0, 1, scratch, &r), STATS_RANGE);
	assert_true(r.median == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_match_the_vectors),
		cmocka_unit_test(scale_and_reflection_carry_over),
		cmocka_unit_test(probabilities_outside_the_domain_are_refused),
	};

	return cmocka_run_group_tests_name("stats/bootstrap", tests, NULL, NULL);
}
