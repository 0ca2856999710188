/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "stats/describe.h"
#include "stats/maxt.h"
#include "stats/maxt_terms.h"
#include "stats/prng.h"

#define N_MAX	    131
#define COLUMNS_MAX 24
#define RESAMPLES   100000

static double rows[N_MAX * COLUMNS_MAX], buffer[MAXT_BUFFER(N_MAX, COLUMNS_MAX) + 64];
static uint32_t scratch[MAXT_SCRATCH(N_MAX) + 1];
static double m[RESAMPLES], t[COLUMNS_MAX * RESAMPLES];
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

struct part {
	pthread_t thread;
	const struct maxt_plan *plan;
	size_t first, last, fallbacks;
	double *m, *t;
	uint32_t scratch[MAXT_SCRATCH(N_MAX)];
};

static void *resample_part(void *arg)
{
	struct part *p = arg;

	p->fallbacks =
		maxt_resample(p->plan, 9, RESAMPLES, p->first, p->last, p->m, p->t, p->scratch);
	return NULL;
}

static size_t resample_by_threads(const struct maxt_plan *plan, size_t threads)
{
	static struct part parts[8];
	size_t fallbacks = 0;

	memset(m, 0xff, sizeof(m));
	memset(t, 0xff, sizeof(t));
	for (size_t i = 0; i < threads; i++) {
		parts[i].plan = plan;
		parts[i].first = RESAMPLES * i / threads;
		parts[i].last = RESAMPLES * (i + 1) / threads;
		parts[i].m = m;
		parts[i].t = t;
		assert_int_equal(pthread_create(&parts[i].thread, NULL, resample_part, &parts[i]),
				 0);
	}
	for (size_t i = 0; i < threads; i++) {
		assert_int_equal(pthread_join(parts[i].thread, NULL), 0);
		fallbacks += parts[i].fallbacks;
	}
	return fallbacks;
}

static void threads_do_not_matter(void **state)
{
	static double m_one[RESAMPLES], t_one[COLUMNS_MAX * RESAMPLES];
	struct maxt_plan plan = plan_of(7, COLUMNS_MAX, 6);
	size_t fallbacks = resample_by_threads(&plan, 1);

	(void)state;
	assert_true(fallbacks > 0);
	memcpy(m_one, m, sizeof(m));
	memcpy(t_one, t, sizeof(t));
	for (size_t threads = 2; threads <= 8; threads += 3) {
		assert_int_equal(resample_by_threads(&plan, threads), fallbacks);
		assert_memory_equal(m, m_one, sizeof(m));
		assert_memory_equal(t, t_one, sizeof(t));
	}
}

/* The definition, draw by draw, in two passes about the mean of what was drawn. */
static double plain_t(const struct maxt_plan *plan, size_t j, size_t columns, size_t r)
{
	double theta = 0, variance = 0, mean[2] = {0}, drawn[2] = {0};
	size_t at = r * plan->n;

	for (unsigned char s = 0; s < 2; s++) {
		double x[N_MAX], centre = 0, squares = 0, cnt = (double)plan->counts[s];
		size_t n = 0;

		for (size_t i = 0; i < plan->n; i++)
			if (strata[i] == s)
				x[n++] = rows[i * columns + j];
		for (size_t i = 0; i < n; i++)
			mean[s] += x[i] / cnt;
		for (size_t i = 0; i < n; i++)
			drawn[s] += x[prng_index(9, at + i, n)] / cnt;
		centre = drawn[s];
		for (size_t i = 0; i < n; i++) {
			double off = x[prng_index(9, at + i, n)] - centre;

			squares += off * off;
		}
		at += n;
		theta += (drawn[s] - mean[s]) / 2;
		variance += squares / (cnt - 1) / cnt / 4;
	}
	return theta / sqrt(variance);
}

/* Pairs and lone rows, strata beyond MAXT_PAIRED_ROWS_MAX, and columns that fill no tile. */
static void results_are_those_of_the_definition(void **state)
{
	const size_t sizes[][2] = {{20, 24}, {17, 1}, {30, 9}, {66, 8}, {131, 7}};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		size_t columns = sizes[i][1];
		struct maxt_plan plan = plan_of(sizes[i][0], columns, i);

		assert_int_equal(maxt_resample(&plan, 9, 300, 0, 300, m, t, scratch), 0);
		for (size_t r = 0; r < 300; r++) {
			double most = 0;

			for (size_t j = 0; j < columns; j++) {
				double want = plain_t(&plan, j, columns, r);

				assert_true(fabs(t[j * 300 + r] - want) <= 1e-12);
				most = fmax(most, fabs(t[j * 300 + r]));
			}
			assert_true(m[r] == most);
		}
	}
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
	assert_int_equal(maxt_critical(m, 4000, 0.95, &crit), STATS_OK);
	assert_int_equal(maxt_intervals(&plan, crit, 4000, t, 0.05, 0, 1, bounds), STATS_OK);
	assert_int_equal(maxt_intervals(&plan, crit, 4000, t, 0.05, 1, 2, bounds), STATS_OK);
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
	assert_int_equal(maxt_critical(m, 100, 0.95, &crit), STATS_OK);
	assert_int_equal(maxt_intervals(&plan, crit, 100, t, 0.05, 0, 1, &bounds), STATS_OK);
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

/* Whether both strata of two rows draw one of them twice. */
static bool draws_no_spread(uint64_t key, uint64_t at)
{
	return prng_index(key, at, 2) == prng_index(key, at + 1, 2) &&
	       prng_index(key, at + 2, 2) == prng_index(key, at + 3, 2);
}

/* A column without spread of its own is not counted, in whichever tile it is. */
static void vanishing_spread_is_counted_by_column(void **state)
{
	const size_t columns = 19, constant[] = {0, 3, 8, 17};
	struct maxt_plan plan;
	size_t want = 0;

	(void)state;
	(void)plan_of(4, columns, 4);
	for (size_t i = 0; i < 4 * 4; i++)
		rows[i / 4 * columns + constant[i % 4]] = strata[i / 4];
	assert_int_equal(maxt_prepare(rows, strata, 4, columns, buffer, &plan), STATS_OK);
	for (size_t r = 0; r < 200; r++)
		want += draws_no_spread(5, 4 * r) * (columns - 4);
	assert_int_equal(maxt_resample(&plan, 5, 200, 0, 200, m, NULL, scratch), want);
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

#define GUARD 0x5aa5

/* Terms begin at the first line of the cache behind the rows; nothing behind the last is written. */
static void preparing_keeps_to_its_room(void **state)
{
	const size_t shapes[][2] = {{20, 24}, {7, 8}, {9, 7}, {66, 1}, {4, 9}};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		size_t n = shapes[i][0], columns = shapes[i][1];
		size_t tiles = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
		const double *behind;
		struct maxt_plan plan;

		for (size_t j = 0; j < sizeof(buffer) / sizeof(*buffer); j++)
			buffer[j] = GUARD;
		plan = plan_of(n, columns, i);
		behind = plan.terms + tiles * tile_doubles(plan.counts);
		assert_int_equal((uintptr_t)plan.terms % 64, 0);
		assert_in_range(plan.terms - (buffer + (n + 2) * columns), 0, 7);
		assert_in_range(behind - buffer, 0, MAXT_BUFFER(n, columns));
		for (size_t j = 0; j < 2 * TERM; j++)
			assert_true(behind[j] == GUARD);
	}
}

static void drawing_keeps_to_its_room(void **state)
{
	struct maxt_plan plan = plan_of(N_MAX, 1, 1);

	(void)state;
	scratch[MAXT_SCRATCH(N_MAX)] = GUARD;
	m[64] = GUARD;
	(void)maxt_resample(&plan, 5, 100, 0, 64, m, NULL, scratch);
	assert_int_equal(scratch[MAXT_SCRATCH(N_MAX)], GUARD);
	assert_true(m[64] == GUARD);
}

/* Squares that are 0 are no spread, although the values differ. */
static void vanishing_squares_are_a_point(void **state)
{
	struct maxt_plan plan;
	struct maxt_bounds bounds;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		strata[i] = i % 2;
		rows[i] = (double)i * 1e-200;
	}
	assert_int_equal(maxt_prepare(rows, strata, 20, 1, buffer, &plan), STATS_OK);
	assert_true(plan.se[0] == 0);
	assert_int_equal(maxt_resample(&plan, 5, 100, 0, 100, m, t, scratch), 0);
	for (size_t r = 0; r < 100; r++)
		assert_true(m[r] == 0 && t[r] == 0);
	assert_int_equal(maxt_intervals(&plan, 2, 100, t, 0.05, 0, 1, &bounds), STATS_OK);
	assert_true(bounds.lo == plan.estimate[0] && bounds.upper == plan.estimate[0]);
}

static void refusals_leave_the_result_alone(void **state)
{
	struct maxt_plan plan = {.n = 77};
	double x[] = {1, 2, 3, 4, 5}, huge[] = {1e300, 0, 0, 1e300};
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
}

static void levels_outside_the_domain_are_refused(void **state)
{
	static const double bad[] = {0, 1, NAN};
	struct maxt_plan plan = plan_of(20, 1, 3);
	struct maxt_bounds bounds = {.lo = 7};
	double crit = 7;

	(void)state;
	(void)maxt_resample(&plan, 5, 10, 0, 10, m, t, scratch);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(maxt_critical(m, 10, bad[i], &crit), STATS_RANGE);
		assert_int_equal(maxt_intervals(&plan, 2, 10, t, bad[i], 0, 1, &bounds),
				 STATS_RANGE);
	}
	assert_int_equal(maxt_critical(m, 0, .95, &crit), STATS_RANGE);
	assert_int_equal(maxt_intervals(&plan, 2, 0, t, .05, 0, 1, &bounds), STATS_RANGE);
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
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(results_are_those_of_the_definition),
		cmocka_unit_test(scale_of_a_column_does_not_matter),
		cmocka_unit_test(intervals_are_about_the_estimate),
		cmocka_unit_test(constant_columns_are_points),
		cmocka_unit_test(vanishing_spread_is_counted_and_stays_finite),
		cmocka_unit_test(vanishing_spread_is_counted_by_column),
		cmocka_unit_test(judging_follows_the_rule),
		cmocka_unit_test(preparing_keeps_to_its_room),
		cmocka_unit_test(drawing_keeps_to_its_room),
		cmocka_unit_test(vanishing_squares_are_a_point),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(levels_outside_the_domain_are_refused),
		cmocka_unit_test(half_the_width_decides_on_a_pass),
	};

	return cmocka_run_group_tests_name("stats/maxt", tests, NULL, NULL);
}
