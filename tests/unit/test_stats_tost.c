/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/prng.h"
#include "stats/tost.h"

static void tests_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("d_tost");
}

static struct tost judge(const double *x, size_t n, double margin, double alpha)
{
	struct tost r;

	assert_int_equal(tost_judge(x, n, margin, alpha, &r), STATS_OK);
	return r;
}

static void equivalence_is_p_at_most_alpha(void **state)
{
	size_t equivalent = 0;

	(void)state;
	for (uint64_t key = 0; key < 300; key++) {
		double x[10];
		struct tost r;

		for (size_t i = 0; i < 10; i++)
			x[i] = (double)(key % 10) / 100 + 0.2 * (prng_double(key, i) - 0.5);
		r = judge(x, 10, 1.1, 0.05);
		assert_int_equal(r.equivalent, r.p <= 0.05);
		equivalent += r.equivalent;
	}
	assert_in_range(equivalent, 30, 270);
}

static void swapped_sides_swap_slower_and_faster(void **state)
{
	(void)state;
	for (uint64_t key = 0; key < 100; key++) {
		double x[12], y[12];
		struct tost a, b;

		for (size_t i = 0; i < 12; i++) {
			x[i] = 0.03 + 0.2 * (prng_double(key, i) - 0.5);
			y[i] = -x[i];
		}
		a = judge(x, 12, 1.05, 0.05);
		b = judge(y, 12, 1.05, 0.05);
		assert_true(a.mean == -b.mean && a.lo == -b.hi && a.hi == -b.lo);
		assert_true(a.p1 == b.p2 && a.p2 == b.p1 && a.p == b.p);
		assert_int_equal(a.superiority == SUPERIORITY_SLOWER,
				 b.superiority == SUPERIORITY_FASTER);
	}
}

static void a_mean_on_the_limit_has_even_odds(void **state)
{
	double x[] = {log(1.1), log(1.1), log(1.1)};
	struct tost r = judge(x, 3, 1.1, 0.05);

	(void)state;
	assert_true(r.p1 == 0 && r.p2 == 0.5 && r.p == 0.5);
	assert_true(r.sd == 0 && isnan(r.t1) && r.equivalent);
	x[0] = x[1] = x[2] = -log(1.1);
	r = judge(x, 3, 1.1, 0.05);
	assert_true(r.p1 == 0.5 && r.p2 == 0 && r.equivalent);
}

static void zero_is_neither_slower_nor_faster(void **state)
{
	double x[] = {0, 0};
	struct tost r = judge(x, 2, 1.1, 0.05);

	(void)state;
	assert_int_equal(r.superiority, SUPERIORITY_INCONCLUSIVE);
	assert_true(r.p == 0 && r.equivalent);
}

static void refusals_leave_the_result_alone(void **state)
{
	double good[] = {0.1, 0.2}, bad[] = {0.1, NAN};
	struct tost r = {.n = 77};

	(void)state;
	assert_int_equal(tost_judge(good, 0, 1.1, 0.05, &r), STATS_EMPTY);
	assert_int_equal(tost_judge(bad, 2, 1.1, 0.05, &r), STATS_NONFINITE);
	assert_int_equal(tost_judge(good, 2, 1, 0.05, &r), STATS_MARGIN);
	assert_int_equal(tost_judge(good, 2, NAN, 0.05, &r), STATS_MARGIN);
	assert_int_equal(tost_judge(good, 2, INFINITY, 0.05, &r), STATS_MARGIN);
	assert_int_equal(tost_judge(good, 2, 1.1, 0, &r), STATS_RANGE);
	assert_int_equal(tost_judge(good, 2, 1.1, 0.5, &r), STATS_RANGE);
	assert_int_equal(tost_judge(good, 2, 1.1, NAN, &r), STATS_RANGE);
	assert_int_equal(r.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_match_the_vectors),
		cmocka_unit_test(equivalence_is_p_at_most_alpha),
		cmocka_unit_test(swapped_sides_swap_slower_and_faster),
		cmocka_unit_test(a_mean_on_the_limit_has_even_odds),
		cmocka_unit_test(zero_is_neither_slower_nor_faster),
		cmocka_unit_test(refusals_leave_the_result_alone),
	};

	return cmocka_run_group_tests_name("stats/tost", tests, NULL, NULL);
}
