/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/beta.h"
#include "stats/median.h"
#include "stats/power.h"

static void sign_power_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("i_power_sign");
}

static void t_power_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("i_power_t");
}

static void critical_count_is_the_least(void **state)
{
	static const double alphas[] = {1e-6, 0.01, 0.25, 0.5, 0.7};

	(void)state;
	for (size_t n = 1; n < 1200; n = n * 4 / 3 + 1)
		for (size_t i = 0; i < sizeof(alphas) / sizeof(*alphas); i++) {
			struct sign_power r;
			long misses;

			assert_int_equal(power_sign(n, alphas[i], 0.8, 1, 1, &r), STATS_OK);
			misses = (long)n - (long)(r.c ? r.c : n + 1);
			assert_true(binom_half_cdf(misses, n) <= alphas[i]);
			assert_true(binom_half_cdf(misses + 1, n) > alphas[i]);
		}
}

static void spread_is_that_of_the_logs(void **state)
{
	double r[] = {1, M_E, M_E * M_E, 1 / M_E, 1}, scratch[5], s;

	(void)state;
	assert_int_equal(log_spread(r, 5, scratch, &s), STATS_OK);
	assert_true(fabs(s - 1.4826) < 1e-15);
	assert_true(r[0] == 0 && fabs(r[2] - 2) < 1e-15);
	r[0] = r[1] = 4;
	assert_int_equal(log_spread(r, 2, scratch, &s), STATS_OK);
	assert_true(s == 0);
}

static void what_does_not_spread_is_refused(void **state)
{
	double r[] = {1, 2}, scratch[3], s = 7;

	(void)state;
	assert_int_equal(log_spread(r, 0, scratch, &s), STATS_RANGE);
	assert_int_equal(log_spread(r, 1, scratch, &s), STATS_RANGE);
	assert_int_equal(log_spread((double[]){1, 2, 0}, 3, scratch, &s), STATS_NONPOSITIVE);
	assert_int_equal(log_spread((double[]){1, 2, NAN}, 3, scratch, &s), STATS_NONFINITE);
	assert_true(s == 7);
}

/* alpha = 1/4: two of two reject with exactly that error. */
static void equality_may_reject(void **state)
{
	struct sign_power r;

	(void)state;
	assert_int_equal(power_sign(2, 0.25, 0.81, 0, 1, &r), STATS_OK);
	assert_int_equal(r.c, 2);
	assert_true(fabs(r.p - 0.9) < 1e-15 && r.delta == 0 && r.mde_ratio == 1);
}

static void larger_effects_need_fewer_blocks(void **state)
{
	double before = INFINITY;

	(void)state;
	for (size_t n = 60; n <= 960; n *= 2) {
		struct sign_power r;

		assert_int_equal(power_sign(n, 0.01, 0.8, 0.02, 1.02, &r), STATS_OK);
		assert_true(r.mde_ratio > 1.02 && r.mde_ratio < before);
		before = r.mde_ratio;
	}
}

static void effect_of_an_even_chance_is_the_limit(void **state)
{
	double got;

	(void)state;
	assert_int_equal(mde_ratio(0.5, 0.3, 1.02, &got), STATS_OK);
	assert_true(got == 1.02);
	assert_int_equal(mde_ratio(0.8, 0.02, 1.02, &got), STATS_OK);
	assert_true(fabs(got - 1.02 * exp(0.02 * 0.8416212335729143)) < 1e-15);
}

/* Values -2 -1 0 1 2: of these p = 3/4 lie above -1, the first quartile. */
static void free_effect_shifts_by_a_quantile(void **state)
{
	double y[] = {5.02, 5.01, 5, 4.99, 4.98}, scratch[5], got;

	(void)state;
	assert_int_equal(mde_ratio_free(y, 5, 0.75, 1.02, scratch, &got), STATS_OK);
	assert_true(fabs(got - 1.02 * exp(0.01)) < 1e-12);
}

/* Two values, power as the level: the effect is none, the approximation too. */
static void the_level_is_the_power_without_an_effect(void **state)
{
	struct t_power r;

	(void)state;
	assert_int_equal(power_t(2, 0.05, 0.05, 1, 1.02, &r), STATS_OK);
	assert_true(fabs(r.d_exact) < 1e-12 && r.d_approx == 0);
	assert_true(fabs(r.mde_ratio - 1.02) < 1e-12 && r.mde_ratio_approx == 1.02);
	assert_int_equal(power_t(20, 0.01, 0.8, 0.05, 1.02, &r), STATS_OK);
	assert_true(fabs(log(r.mde_ratio / 1.02) - 0.05 * r.d_exact) < 1e-15);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	struct sign_power s = {.c = 77};
	struct t_power t = {.d_exact = 7};
	double y[] = {1, 2}, bad[] = {1, NAN}, scratch[2], got = 7;

	(void)state;
	assert_int_equal(power_sign(0, 0.01, 0.8, 1, 1, &s), STATS_RANGE);
	assert_int_equal(power_sign(9, 0, 0.8, 1, 1, &s), STATS_RANGE);
	assert_int_equal(power_sign(9, 0.01, 1, 1, 1, &s), STATS_RANGE);
	assert_int_equal(power_sign(9, 0.01, 0.8, -1, 1, &s), STATS_RANGE);
	assert_int_equal(power_sign(9, 0.01, 0.8, NAN, 1, &s), STATS_NONFINITE);
	assert_int_equal(power_sign(9, 0.01, 0.8, 1, 0, &s), STATS_NONPOSITIVE);
	assert_int_equal(power_t(1, 0.01, 0.8, 1, 1, &t), STATS_RANGE);
	assert_int_equal(power_t(9, NAN, 0.8, 1, 1, &t), STATS_RANGE);
	assert_int_equal(power_t(9, 0.01, 0.8, 1, INFINITY, &t), STATS_NONFINITE);
	assert_int_equal(mde_ratio(0, 1, 1, &got), STATS_RANGE);
	assert_int_equal(mde_ratio(1, 1, 1, &got), STATS_RANGE);
	assert_int_equal(mde_ratio(0.5, INFINITY, 1, &got), STATS_NONFINITE);
	assert_int_equal(mde_ratio_free(y, 2, 1, 1, scratch, &got), STATS_RANGE);
	assert_int_equal(mde_ratio_free(y, 0, 0.5, 1, scratch, &got), STATS_EMPTY);
	assert_int_equal(mde_ratio_free(bad, 2, 0.5, 1, scratch, &got), STATS_NONFINITE);
	assert_int_equal(mde_ratio_free(y, 2, 0.5, -1, scratch, &got), STATS_NONPOSITIVE);
	assert_true(s.c == 77 && t.d_exact == 7 && got == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sign_power_matches_the_vectors),
		cmocka_unit_test(t_power_matches_the_vectors),
		cmocka_unit_test(critical_count_is_the_least),
		cmocka_unit_test(equality_may_reject),
		cmocka_unit_test(spread_is_that_of_the_logs),
		cmocka_unit_test(what_does_not_spread_is_refused),
		cmocka_unit_test(larger_effects_need_fewer_blocks),
		cmocka_unit_test(effect_of_an_even_chance_is_the_limit),
		cmocka_unit_test(free_effect_shifts_by_a_quantile),
		cmocka_unit_test(the_level_is_the_power_without_an_effect),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
	};

	return cmocka_run_group_tests_name("stats/power", tests, NULL, NULL);
}
