/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "stats/proportion.h"

/* By bisection over exact binomial sums, elsewhere. */
static void bounds_are_those_of_the_binomial(void **state)
{
	static const struct {
		size_t x, n;
		double conf, want;
	} rows[] = {{0, 1000, .99, 0.004594582648473068},
		    {3, 100, .99, 0.09697104526534445},
		    {1, 2, .95, 0.9746794344808964},
		    {9, 10, .9, 0.9895192582062144}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double p;

		assert_int_equal(proportion_upper(rows[i].x, rows[i].n, rows[i].conf, &p),
				 STATS_OK);
		assert_true(fabs(p - rows[i].want) < 1e-12);
	}
}

static void none_of_n_has_a_closed_form(void **state)
{
	(void)state;
	for (size_t n = 1; n < 1000000; n = 3 * n + 1) {
		double p, want = -expm1(log(.01) / (double)n);

		assert_int_equal(proportion_upper(0, n, .99, &p), STATS_OK);
		assert_true(fabs(p - want) < 1e-10 * want + 1e-14);
	}
}

static void all_of_n_excludes_nothing(void **state)
{
	double p = 0;

	(void)state;
	assert_int_equal(proportion_upper(7, 7, .99, &p), STATS_OK);
	assert_true(p == 1);
}

static void bad_arguments_are_refused(void **state)
{
	double p = 4;

	(void)state;
	assert_int_equal(proportion_upper(0, 0, .99, &p), STATS_RANGE);
	assert_int_equal(proportion_upper(3, 2, .99, &p), STATS_RANGE);
	assert_int_equal(proportion_upper(1, 2, 1, &p), STATS_RANGE);
	assert_int_equal(proportion_upper(1, 2, 0, &p), STATS_RANGE);
	assert_int_equal(proportion_upper(1, 2, NAN, &p), STATS_RANGE);
	assert_true(p == 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_those_of_the_binomial),
		cmocka_unit_test(none_of_n_has_a_closed_form),
		cmocka_unit_test(all_of_n_excludes_nothing),
		cmocka_unit_test(bad_arguments_are_refused),
	};

	return cmocka_run_group_tests_name("stats_proportion", tests, NULL, NULL);
}
