/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/describe.h"
#include "stats/maxt.h"
#include "stats/prng.h"

#define N_MAX	    40
#define COLUMNS_MAX 24
#define RESAMPLES   100000

static double rows[N_MAX * COLUMNS_MAX], buffer[(N_MAX + 2) * COLUMNS_MAX];
static double scratch[4 * COLUMNS_MAX], m[RESAMPLES], t[COLUMNS_MAX * RESAMPLES];
static unsigned char strata[N_MAX];

static void bootstraps_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("c_maxt");
}

static struct maxt_plan plan_of(size_t n, size_t columns, uint64_t key)
{
	struct maxt_plan plan;

	for (size_t i = 0; i < n * columns; i++)
		rows[i] = prng_double(key, i) - 0.5;
	for (size_t i = 0; i < n; i++)
		strata[i] = i % 2;
	assert_int_equal(maxt_prepare(rows, strata, n, columns, buffer, &plan), STATS_OK);
	return plan;
}

static void any_part_of_the_resamples_may_be_done_anywhere(void **state)
{
	static double parts[1000], t_parts[3000];
	struct maxt_plan plan = plan_of(20, 3, 1);

	(void)state;
	(void)maxt_resample(&plan, 5, 1000, 0, 1000, m, t, scratch);
	(void)maxt_resample(&plan, 5, 1000, 700, 1000, parts, t_parts, scratch);
	(void)maxt_resample(&plan, 5, 1000, 0, 10, parts, t_parts, scratch);
	(void)maxt_resample(&plan, 5, 1000, 10, 700, parts, t_parts, scratch);
	assert_memory_equal(m, parts, sizeof(parts));
	assert_memory_equal(t, t_parts, sizeof(t_parts));
	(void)maxt_resample(&plan, 5, 1000, 0, 1000, parts, NULL, scratch);
	assert_memory_equal(m, parts, sizeof(parts));
}

static void scale_of_a_column_does_not_matter(void **state)
{
	static double before[2000];
	struct maxt_plan plan = plan_of(24, 2, 2);
	double estimate = plan.estimate[1], se = plan.se[1];

	(void)state;
	(void)maxt_resample(&plan, 5, 2000, 0, 2000, before, NULL, scratch);
	for (size_t i = 0; i < 24; i++)
		rows[2 * i + 1] *= -1024;
	assert_int_equal(maxt_prepare(rows, strata, 24, 2, buffer, &plan), STATS_OK);
	assert_true(plan.estimate[1] == -1024 * estimate && plan.se[1] == 1024 * se);
	(void)maxt_resample(&plan, 5, 2000, 0, 2000, m, NULL, scratch);
	assert_memory_equal(before, m, sizeof(before));
}

static void intervals_are_about_the_estimate(void **state)
{
	struct maxt_plan plan = plan_of(20, 2, 3);
	struct maxt_bounds bounds[2];
	double crit;

	(void)state;
	(void)maxt_resample(&plan, 5, 4000, 0, 4000, m, t, scratch);
	assert_int_equal(maxt_intervals(&plan, 4000, m, t, 0.95, 0.05, &crit, bounds), STATS_OK);
	assert_true(crit > 2 && crit < 3);
	for (size_t j = 0; j < 2; j++) {
		double estimate = plan.estimate[j], se = plan.se[j];

		assert_true(fabs(bounds[j].lo - (estimate - crit * se)) < 1e-15);
		assert_true(fabs(bounds[j].hi - (estimate + crit * se)) < 1e-15);
		assert_true(bounds[j].upper > estimate && bounds[j].upper < bounds[j].hi);
	}
}

static void constant_columns_are_points(void **state)
{
	struct maxt_plan plan;
	struct maxt_bounds bounds;
	double crit;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		strata[i] = i < 9;
		rows[i] = strata[i] ? 0.1 : 0.3;
	}
	assert_int_equal(maxt_prepare(rows, strata, 20, 1, buffer, &plan), STATS_OK);
	assert_true(plan.se[0] == 0 && plan.estimate[0] == 0.2);
	assert_int_equal(maxt_resample(&plan, 5, 100, 0, 100, m, t, scratch), 0);
	assert_int_equal(maxt_intervals(&plan, 100, m, t, 0.95, 0.05, &crit, &bounds), STATS_OK);
	assert_true(crit == 0 && bounds.lo == 0.2 && bounds.hi == 0.2 && bounds.upper == 0.2);
}

/* Resamples of one row each time have no spread: T falls back to the spread of the data. */
static void vanishing_spread_is_counted_and_stays_finite(void **state)
{
	struct maxt_plan plan = plan_of(4, 1, 4);
	size_t fallbacks = maxt_resample(&plan, 5, 4000, 0, 4000, m, t, scratch);

	(void)state;
	assert_in_range(fallbacks, 880, 1120); /* a quarter */
	for (size_t r = 0; r < 4000; r++)
		assert_true(m[r] < 10);
}

static void judging_follows_the_rule(void **state)
{
	struct maxt_plan plan = {.n = 20, .columns = 2};
	struct maxt_bounds b[2] = {{0.0, 0.02, 0.015}, {0.1, 0.12, 0.115}};
	double margins[2] = {0.015, NAN};

	(void)state;
	assert_int_equal(maxt_judge(&plan, b, margins, 0.01), MAXT_PASS);
	assert_int_equal(maxt_judge(&plan, b, margins, 0.0099), MAXT_UNDECIDED);
	margins[0] = 0.0149;
	assert_int_equal(maxt_judge(&plan, b, margins, 0.01), MAXT_UNDECIDED);
	margins[0] = 0;
	assert_int_equal(maxt_judge(&plan, b, margins, 0.01), MAXT_UNDECIDED);
	margins[0] = 0.015;
	margins[1] = 0.0999;
	assert_int_equal(maxt_judge(&plan, b, margins, 0.01), MAXT_REGRESSION);
	margins[1] = NAN;
	plan.n = 19;
	assert_int_equal(maxt_judge(&plan, b, margins, 0.01), MAXT_UNDECIDED);
}

static void refusals_leave_the_result_alone(void **state)
{
	struct maxt_plan plan = {.n = 77};
	struct maxt_bounds bounds;
	double x[] = {1, 2, 3, 4, 5}, huge[] = {1e300, 0, 0, 1e300}, crit = 7;
	unsigned char good[] = {0, 1, 0, 1}, three[] = {0, 1, 2, 1, 0}, few[] = {0, 1, 1, 1};

	(void)state;
	assert_int_equal(maxt_prepare(x, good, 0, 1, buffer, &plan), STATS_EMPTY);
	assert_int_equal(maxt_prepare(x, good, 4, 0, buffer, &plan), STATS_SHAPE);
	assert_int_equal(maxt_prepare(x, three, 5, 1, buffer, &plan), STATS_STRATA);
	assert_int_equal(maxt_prepare(x, few, 4, 1, buffer, &plan), STATS_STRATA);
	assert_int_equal(maxt_prepare(huge, good, 4, 1, buffer, &plan), STATS_NONFINITE);
	x[2] = NAN;
	assert_int_equal(maxt_prepare(x, good, 4, 1, buffer, &plan), STATS_NONFINITE);
	assert_int_equal(plan.n, 77);
	plan = plan_of(4, 1, 1);
	assert_int_equal(maxt_intervals(&plan, 0, m, t, 0.9, 0.05, &crit, &bounds), STATS_RANGE);
	assert_int_equal(maxt_intervals(&plan, 9, m, t, 1, 0.05, &crit, &bounds), STATS_RANGE);
	assert_int_equal(maxt_intervals(&plan, 9, m, t, 0.9, 0, &crit, &bounds), STATS_RANGE);
	assert_true(crit == 7);
}

static void levels_outside_the_domain_are_refused(void **state)
{
	static const double bad[][2] = {{0, .05}, {1, .05}, {NAN, .05},
					{.95, 0}, {.95, 1}, {.95, NAN}};
	struct maxt_plan plan = plan_of(20, 1, 3);
	struct maxt_bounds bounds = {.lo = 7};
	double crit = 7;

	(void)state;
	(void)maxt_resample(&plan, 5, 10, 0, 10, m, t, scratch);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(
			maxt_intervals(&plan, 10, m, t, bad[i][0], bad[i][1], &crit, &bounds),
			STATS_RANGE);
	assert_int_equal(maxt_intervals(&plan, 0, m, t, .95, .05, &crit, &bounds), STATS_RANGE);
	assert_true(crit == 7 && bounds.lo == 7);
}

static void half_the_width_decides_on_a_pass(void **state)
{
	struct maxt_plan plan = {.n = MAXT_BLOCKS_MIN, .columns = 1};
	struct maxt_bounds bounds = {.lo = -.03, .hi = -.01, .upper = -.01};
	double margin = .02;

	(void)state;
	assert_int_equal(maxt_judge(&plan, &bounds, &margin, .0101), MAXT_PASS);
	assert_int_equal(maxt_judge(&plan, &bounds, &margin, .0099), MAXT_UNDECIDED);
	plan.n--;
	assert_int_equal(maxt_judge(&plan, &bounds, &margin, .0101), MAXT_UNDECIDED);
	bounds = (struct maxt_bounds){.lo = .02, .hi = .03, .upper = .02};
	plan.n++;
	assert_int_equal(maxt_judge(&plan, &bounds, &margin, .0101), MAXT_PASS);
	bounds.lo = bounds.upper = nextafter(.02, 1);
	assert_int_equal(maxt_judge(&plan, &bounds, &margin, .0101), MAXT_REGRESSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bootstraps_match_the_vectors),
		cmocka_unit_test(any_part_of_the_resamples_may_be_done_anywhere),
		cmocka_unit_test(scale_of_a_column_does_not_matter),
		cmocka_unit_test(intervals_are_about_the_estimate),
		cmocka_unit_test(constant_columns_are_points),
		cmocka_unit_test(vanishing_spread_is_counted_and_stays_finite),
		cmocka_unit_test(judging_follows_the_rule),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(levels_outside_the_domain_are_refused),
		cmocka_unit_test(half_the_width_decides_on_a_pass),
	};

	return cmocka_run_group_tests_name("stats/maxt", tests, NULL, NULL);
}
