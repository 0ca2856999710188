/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/evalue.h"

static double log_e(size_t s, size_t n, double a, double b)
{
	double got = NAN;

	assert_int_equal(evalue_log(s, n, a, b, &got), STATS_OK);
	return got;
}

static void evalues_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_evalue");
}

static void ranks_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_conf_sequence");
}

/* Under p = 1/2 the mean of E over one block more is E: what makes it valid at any time. */
static void evidence_is_a_martingale(void **state)
{
	(void)state;
	for (size_t n = 0; n < 3000; n = n * 3 / 2 + 1)
		for (size_t s = 0; s <= n; s += 1 + n / 9) {
			double now = log_e(s, n, 4, 2);
			double up = exp(log_e(s + 1, n + 1, 4, 2) - now);
			double down = exp(log_e(s, n + 1, 4, 2) - now);

			assert_true(fabs((up + down) / 2 - 1) < 1e-9);
		}
}

static void evidence_rises_with_the_count(void **state)
{
	(void)state;
	for (size_t s = 0; s < 500; s++)
		assert_true(log_e(s, 500, 4, 2) < log_e(s + 1, 500, 4, 2));
}

static void evidence_survives_where_probabilities_underflow(void **state)
{
	double all = log_e(100000, 100000, 4, 2), none = log_e(0, 100000, 4, 2);

	(void)state;
	assert_true(isfinite(none) && none < 0);
	assert_true(fabs(all / (100000 * M_LN2) - 1) < 1e-3);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	double got = 7;
	size_t rank = 77;

	(void)state;
	assert_int_equal(evalue_log(3, 2, 4, 2, &got), STATS_RANGE);
	assert_int_equal(evalue_log(1, 2, 0, 2, &got), STATS_RANGE);
	assert_int_equal(evalue_log(1, 2, 4, 0, &got), STATS_RANGE);
	assert_int_equal(evalue_log(1, 2, 4, NAN, &got), STATS_RANGE);
	assert_int_equal(evalue_log(1, 2, INFINITY, 2, &got), STATS_RANGE);
	assert_int_equal(evalue_rank(9, 0, 4, 2, &rank), STATS_RANGE);
	assert_int_equal(evalue_rank(9, 1, 4, 2, &rank), STATS_RANGE);
	assert_int_equal(evalue_rank(9, 0.01, 4, -2, &rank), STATS_RANGE);
	assert_true(got == 7 && rank == 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evalues_match_the_vectors),
		cmocka_unit_test(ranks_match_the_vectors),
		cmocka_unit_test(evidence_is_a_martingale),
		cmocka_unit_test(evidence_rises_with_the_count),
		cmocka_unit_test(evidence_survives_where_probabilities_underflow),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
	};

	return cmocka_run_group_tests_name("stats/evalue", tests, NULL, NULL);
}
