/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/median.h"
#include "stats/normal.h"
#include "stats/prng.h"
#include "stats/sort.h"

#define N_MAX 2000

static void intervals_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("a_median_ci");
}

static void min_n_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("a_min_n");
}

static void binomial_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("j_binom");
}

/* The recurrence ends at 1000: both ways of computing F must agree across the seam. */
static void binomial_obeys_pascal_at_any_size(void **state)
{
	(void)state;
	for (size_t n = 1; n < 3000; n = n * 3 / 2 + 1)
		for (long j = 0; j < (long)n; j += 1 + (long)n / 40) {
			double want = (binom_half_cdf(j, n) + binom_half_cdf(j - 1, n)) / 2;

			assert_true(fabs(binom_half_cdf(j, n + 1) - want) <= 1e-12 * want + 1e-300);
		}
	for (long j = 400; j < 600; j++) {
		double want = (binom_half_cdf(j, 1000) + binom_half_cdf(j - 1, 1000)) / 2;

		assert_true(fabs(binom_half_cdf(j, 1001) - want) <= 1e-12 * want);
	}
}

static void binomial_has_its_ends(void **state)
{
	(void)state;
	assert_true(binom_half_cdf(-1, 10) == 0);
	assert_true(binom_half_cdf(10, 10) == 1);
	assert_true(binom_half_cdf(11, 10) == 1);
	assert_true(binom_half_cdf(0, 0) == 1);
	assert_true(binom_half_cdf(-1, 0) == 0);
	assert_true(binom_half_cdf(0, 1000) == ldexp(1, -1000));
	assert_true(binom_half_cdf(5000, 5000) == 1);
}

/* Half of an odd number of coins: the sums miss it by their rounding, and equality counts. */
static void half_of_the_mass_is_below_the_middle(void **state)
{
	double x[1201], scratch[1201];

	(void)state;
	for (size_t n = 1; n <= 1201; n += 2) {
		struct median_interval r;

		x[n - 1] = x[n > 1 ? n - 2 : 0] = (double)n;
		assert_true(binom_half_cdf((long)n / 2, n) == 0.5);
		assert_int_equal(median_interval(x, n, 0.5, INTERVAL_LOWER, scratch, &r), STATS_OK);
		assert_true(r.rank_lo == n / 2 + 1 && r.attained == 0.5);
	}
}

static void median_is_the_middle(void **state)
{
	double x[] = {3, 1, 2, 10}, scratch[4], got;

	(void)state;
	assert_int_equal(median_of(x, 1, scratch, &got), STATS_OK);
	assert_true(got == 3);
	assert_int_equal(median_of(x, 2, scratch, &got), STATS_OK);
	assert_true(got == 2);
	assert_int_equal(median_of(x, 3, scratch, &got), STATS_OK);
	assert_true(got == 2);
	assert_int_equal(median_of(x, 4, scratch, &got), STATS_OK);
	assert_true(got == 2.5);
	assert_true(x[0] == 3 && x[1] == 1 && x[2] == 2 && x[3] == 10);
}

static void median_of_huge_values_does_not_overflow(void **state)
{
	double x[] = {DBL_MAX, DBL_MAX}, scratch[2], got;

	(void)state;
	assert_int_equal(median_of(x, 2, scratch, &got), STATS_OK);
	assert_true(got == DBL_MAX);
	x[0] = -DBL_MAX;
	assert_int_equal(median_of(x, 2, scratch, &got), STATS_OK);
	assert_true(got == 0);
}

static void refusals_leave_the_result_alone(void **state)
{
	double bad[] = {1, NAN}, inf[] = {1, -INFINITY}, good[] = {1, 2};
	double scratch[2], got = 7;
	struct median_interval r = {.median = 7};
	size_t n = 7;

	(void)state;
	assert_int_equal(median_of(good, 0, scratch, &got), STATS_EMPTY);
	assert_int_equal(median_of(bad, 2, scratch, &got), STATS_NONFINITE);
	assert_int_equal(mad_of(good, 0, scratch, &got), STATS_EMPTY);
	assert_int_equal(mad_of(inf, 2, scratch, &got), STATS_NONFINITE);
	assert_int_equal(median_interval(good, 0, 0.9, INTERVAL_TWO, scratch, &r), STATS_EMPTY);
	assert_int_equal(median_interval(bad, 2, 0.9, INTERVAL_TWO, scratch, &r), STATS_NONFINITE);
	assert_int_equal(median_interval(good, 2, 0, INTERVAL_TWO, scratch, &r), STATS_RANGE);
	assert_int_equal(median_interval(good, 2, 1, INTERVAL_TWO, scratch, &r), STATS_RANGE);
	assert_int_equal(median_interval(good, 2, NAN, INTERVAL_TWO, scratch, &r), STATS_RANGE);
	assert_int_equal(median_min_n(1, INTERVAL_TWO, &n), STATS_RANGE);
	assert_int_equal(median_min_n(-0.5, INTERVAL_LOWER, &n), STATS_RANGE);
	assert_true(got == 7 && r.median == 7 && n == 7);
}

static void mad_is_scaled_to_a_standard_deviation(void **state)
{
	double x[] = {1, 5, 2, 3, 100}, same[] = {4, 4, 4}, scratch[5], got;

	(void)state;
	assert_int_equal(mad_of(x, 5, scratch, &got), STATS_OK);
	assert_true(got == 1.4826 * 2);
	assert_int_equal(mad_of(same, 3, scratch, &got), STATS_OK);
	assert_true(got == 0);
	assert_int_equal(mad_of(x, 1, scratch, &got), STATS_OK);
	assert_true(got == 0);
}

static void a_centre_may_be_known(void **state)
{
	double x[] = {-1, 5, -2, 3, 100}, scratch[5], got = 7;

	(void)state;
	assert_int_equal(mad_about(x, 0, 0, scratch, &got), STATS_EMPTY);
	assert_int_equal(mad_about(x, 1, INFINITY, scratch, &got), STATS_NONFINITE);
	assert_true(got == 7);
	assert_int_equal(mad_about(x, 5, 0, scratch, &got), STATS_OK);
	assert_true(got == 1.4826 * 3);
	assert_int_equal(mad_about(x, 5, 4, scratch, &got), STATS_OK);
	assert_true(got == 1.4826 * 5);
}

static void mad_beyond_the_doubles_is_refused(void **state)
{
	double x[] = {-DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX}, scratch[4], got = 7;

	(void)state;
	assert_int_equal(mad_of(x, 4, scratch, &got), STATS_NONFINITE);
	assert_true(got == 7);
}

static void sample(double *x, size_t n, uint64_t key)
{
	for (size_t i = 0; i < n; i++)
		x[i] = 0.9 + prng_double(key, i) / 4;
}

static void intervals_ignore_the_order(void **state)
{
	double x[301], y[301], scratch[301];
	uint32_t order[301];

	(void)state;
	for (size_t n = 1; n <= 301; n += 13) {
		struct median_interval a = {0}, b = {0};

		sample(x, n, n);
		for (uint32_t i = 0; i < n; i++)
			order[i] = i;
		prng_shuffle(9, 0, order, n);
		for (size_t i = 0; i < n; i++)
			y[i] = x[order[i]];
		assert_int_equal(median_interval(x, n, 0.95, INTERVAL_TWO, scratch, &a), STATS_OK);
		assert_int_equal(median_interval(y, n, 0.95, INTERVAL_TWO, scratch, &b), STATS_OK);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

static void intervals_follow_scale_and_reflection(void **state)
{
	double x[60], y[60], scratch[60];
	struct median_interval a, b;

	(void)state;
	sample(x, 60, 4);
	assert_int_equal(median_interval(x, 60, 0.98, INTERVAL_TWO, scratch, &a), STATS_OK);
	for (size_t i = 0; i < 60; i++)
		y[i] = -8 * x[i];
	assert_int_equal(median_interval(y, 60, 0.98, INTERVAL_TWO, scratch, &b), STATS_OK);
	assert_true(b.median == -8 * a.median && b.lo == -8 * a.hi && b.hi == -8 * a.lo);
	assert_int_equal(a.rank_lo, b.rank_lo);
	assert_int_equal(median_interval(x, 60, 0.98, INTERVAL_LOWER, scratch, &a), STATS_OK);
	assert_int_equal(median_interval(y, 60, 0.98, INTERVAL_UPPER, scratch, &b), STATS_OK);
	assert_true(b.hi == -8 * a.lo && isnan(b.lo) && isnan(a.hi));
}

static void rank_is_the_largest_that_keeps_the_confidence(void **state)
{
	static double x[N_MAX], scratch[N_MAX];

	(void)state;
	sample(x, N_MAX, 2);
	for (size_t n = 8; n <= N_MAX; n = n * 5 / 4 + 1) {
		struct median_interval r;

		assert_int_equal(median_interval(x, n, 0.99, INTERVAL_TWO, scratch, &r), STATS_OK);
		assert_int_equal(r.rank_lo + r.rank_hi, n + 1);
		assert_true(r.attained >= 0.99);
		assert_true(1 - 2 * binom_half_cdf((long)r.rank_lo, n) < 0.99);
	}
}

/* Below one half a one-sided bound lies beyond the median. */
static void one_sided_rank_may_pass_the_middle(void **state)
{
	double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, scratch[10];
	struct median_interval r;

	(void)state;
	assert_int_equal(median_interval(x, 10, 0.1, INTERVAL_LOWER, scratch, &r), STATS_OK);
	assert_int_equal(r.rank_lo, 7); /* 1 - F(6; 10) = .172, 1 - F(7; 10) = .055 */
	assert_true(r.lo == 7 && r.attained == 176.0 / 1024);
}

static void zeros_sort_by_their_sign(void **state)
{
	double a[] = {0.0, -0.0, 1, -0.0}, b[] = {1, -0.0, -0.0, 0.0};

	(void)state;
	sort_doubles(a, 4);
	sort_doubles(b, 4);
	assert_memory_equal(a, b, sizeof(a));
	assert_true(signbit(a[1]) && !signbit(a[2]));
}

static void both_sorts_agree(void **state)
{
	double x[257], sorted[257], inserted[257];

	(void)state;
	for (size_t n = 0; n <= 257; n++) {
		for (size_t i = 0; i < n; i++) {
			x[i] = (double)prng_index(n, i, 40) - 20; /* many ties */
			sort_insert(inserted, i, x[i]);
		}
		memcpy(sorted, x, n * sizeof(*x));
		sort_doubles(sorted, n);
		for (size_t i = 1; i < n; i++)
			assert_true(sorted[i - 1] <= sorted[i]);
		assert_memory_equal(sorted, inserted, n * sizeof(*x));
	}
}

static void selection_agrees_with_sorting(void **state)
{
	double x[200], sorted[200], work[200];

	(void)state;
	for (size_t n = 1; n <= 200; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)prng_index(n, i, 1 + n % 50) - 5;
		memcpy(sorted, x, n * sizeof(*x));
		sort_doubles(sorted, n);
		for (size_t k = 0; k < n; k += 1 + n / 7) {
			memcpy(work, x, n * sizeof(*x));
			assert_true(select_double(work, n, k) == sorted[k]);
			for (size_t i = 0; i < n; i++)
				assert_true(i < k ? work[i] <= work[k] : work[i] >= work[k]);
		}
	}
}

static void every_error_has_its_name(void **state)
{
	static const char *const names[] = {"ok",     "empty",	"nonfinite", "nonpositive", "range",
					    "margin", "strata", "shape",     "sizes"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(stats_error_name((enum stats_error)i), names[i]);
	assert_string_equal(stats_error_name((enum stats_error)99), "unknown");
}

/* Against the integral of the order statistic's density, by the midpoint rule. */
static double variance_by_integration(size_t m)
{
	double variance = 0, mass = 0, step = 1e-3;
	size_t below = m / 2;

	for (double x = -8 + step / 2; x < 8; x += step) {
		double f = normal_cdf(x);
		double density = exp(-x * x / 2) * pow(f * (1 - f), (double)below);

		mass += density;
		variance += density * x * x;
	}
	return variance / mass;
}

static void variance_of_a_median_is_exact_where_it_is_odd_and_small(void **state)
{
	(void)state;
	for (size_t m = 1; m <= MEDIAN_VARIANCE_EXACT; m += 2)
		assert_true(fabs(median_variance(m) - variance_by_integration(m)) < 1e-12);
	assert_true(median_variance(2) == M_PI / 4);
	assert_true(median_variance(11) == M_PI / 22);
	assert_true(fabs(median_variance(1001) / variance_by_integration(1001) - 1) < .002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_match_the_vectors),
		cmocka_unit_test(min_n_matches_the_vectors),
		cmocka_unit_test(binomial_matches_the_vectors),
		cmocka_unit_test(binomial_obeys_pascal_at_any_size),
		cmocka_unit_test(binomial_has_its_ends),
		cmocka_unit_test(half_of_the_mass_is_below_the_middle),
		cmocka_unit_test(median_is_the_middle),
		cmocka_unit_test(median_of_huge_values_does_not_overflow),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(mad_is_scaled_to_a_standard_deviation),
		cmocka_unit_test(a_centre_may_be_known),
		cmocka_unit_test(mad_beyond_the_doubles_is_refused),
		cmocka_unit_test(intervals_ignore_the_order),
		cmocka_unit_test(intervals_follow_scale_and_reflection),
		cmocka_unit_test(rank_is_the_largest_that_keeps_the_confidence),
		cmocka_unit_test(one_sided_rank_may_pass_the_middle),
		cmocka_unit_test(zeros_sort_by_their_sign),
		cmocka_unit_test(both_sorts_agree),
		cmocka_unit_test(selection_agrees_with_sorting),
		cmocka_unit_test(every_error_has_its_name),
		cmocka_unit_test(variance_of_a_median_is_exact_where_it_is_odd_and_small),
	};

	return cmocka_run_group_tests_name("stats/median", tests, NULL, NULL);
}
