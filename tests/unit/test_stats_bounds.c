/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels touch nothing beside the arrays they are given, of the sizes that their headers ask
 * for: every array stands against a page that cannot be read, once behind it and once before it.
 */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "stats/across.h"
#include "stats/bootstrap.h"
#include "stats/boundary.h"
#include "stats/describe.h"
#include "stats/duel.h"
#include "stats/maxt.h"
#include "stats/median.h"
#include "stats/moments.h"
#include "stats/power.h"
#include "stats/prng.h"
#include "stats/scaling.h"
#include "stats/serial.h"
#include "stats/sort.h"
#include "stats/stage.h"
#include "stats/trend.h"

enum wall { WALL_BEHIND, WALL_BEFORE, WALL_CNT };

/* Never unmapped: a test process is short. */
static void *walled(enum wall wall, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (bytes + page - 1) / page * page;
	char *at =
		mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	memset(at, 0xFF, used + page); /* NaN */
	assert_int_equal(mprotect(wall == WALL_BEHIND ? at + used : at, page, PROT_NONE), 0);
	return wall == WALL_BEHIND ? at + used - bytes : at + page;
}

static double *doubles(enum wall wall, size_t n)
{
	return walled(wall, n * sizeof(double));
}

static double *sample(enum wall wall, size_t n)
{
	double *x = doubles(wall, n);

	for (size_t i = 0; i < n; i++)
		x[i] = 0.5 + prng_double(n, i);
	return x;
}

static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 20, 65};

#define SIZES (sizeof(sizes) / sizeof(*sizes))

static void summaries(enum wall wall, size_t n)
{
	double *x = sample(wall, n), *scratch = doubles(wall, n), got;
	struct median_interval interval;
	struct description d;

	assert_int_equal(median_of(x, n, scratch, &got), STATS_OK);
	assert_int_equal(mad_of(x, n, scratch, &got), STATS_OK);
	for (int side = INTERVAL_TWO; side <= INTERVAL_UPPER; side++)
		assert_int_equal(
			median_interval(x, n, .9, (enum interval_side)side, scratch, &interval),
			STATS_OK);
	assert_int_equal(describe(x, n, scratch, &d), STATS_OK);
	assert_true(d.min > 0 && d.max < 2 && d.p999 <= d.max && d.p999 >= d.p99);
	for (int i = 0; i <= 4; i++) {
		assert_int_equal(quantile_of(x, n, i / 4.0, scratch, &got), STATS_OK);
		assert_true(got >= d.min && got <= d.max);
	}
	assert_true(moments_of(x, n).mean >= d.min);
	assert_int_equal(rank_autocorrelation(x, n, scratch, &got), STATS_OK);
	assert_int_equal(mde_ratio_free(x, n, .8, 1.02, scratch, &got), STATS_OK);
}

static void orders(enum wall wall, size_t n)
{
	double *x = sample(wall, n), *inserted = doubles(wall, n), *scratch = doubles(wall, 2 * n);
	struct trend trend;

	assert_int_equal(trend_test(x, n, .01, .01, scratch, &trend), STATS_OK);
	assert_true(all_finite(x, n));
	for (size_t i = 0; i < n; i++)
		sort_insert(inserted, i, x[i]);
	sort_doubles(x, n);
	assert_memory_equal(x, inserted, n * sizeof(*x));
	for (size_t k = 0; k < n; k++) {
		double *work = sample(wall, n);

		assert_true(select_double(work, n, k) == x[k]);
	}
}

static void ratios(enum wall wall, size_t n)
{
	double *x = sample(wall, n), *scratch = doubles(wall, n), z;
	size_t *looks = walled(wall, 2 * sizeof(*looks));
	struct duel_measurement m;
	struct across a;

	looks[0] = 1;
	looks[1] = n + 1;
	assert_int_equal(duel_measure(x, n, 1.02, .99, looks, 2, scratch, &m), STATS_OK);
	assert_int_equal(m.pairs, 1);
	looks[1] = n > 1 ? n : 2;
	assert_int_equal(duel_measure(x, n, 1.02, .99, looks, 2, scratch, &m), STATS_OK);
	assert_int_equal(across_judge(x, n, .02, .99, 8, scratch, &a), STATS_OK);
	if (n >= ACROSS_BENCHMARKS_MIN)
		assert_int_equal(across_block(x, n, scratch, &z), STATS_OK);
}

static void stages(enum wall wall, size_t n)
{
	uint32_t *u = walled(wall, n * sizeof(*u)), *l = walled(wall, n * sizeof(*l));
	uint32_t *looks = walled(wall, sizeof(*looks));
	double *one = doubles(wall, n + 2), *two = doubles(wall, 2 * (n + 2)), p;
	double *x = sample(wall, n), *scratch = doubles(wall, n);
	struct stage_rule rule = {n, 1, u, l};
	struct stage_result s;
	struct operating at;

	*looks = 1;
	assert_int_equal(boundary_compute_looks(n, .3, 1, looks, 1, u, one), STATS_OK);
	assert_int_equal(boundary_compute(n, .3, 1, u, one), STATS_OK);
	assert_int_equal(boundary_compute(n, .4, .5, l, one), STATS_OK);
	(void)boundary_first(u, n);
	for (int i = 0; i <= 4; i++) {
		assert_int_equal(boundary_operating(n, u, l, i / 4.0, two, &at), STATS_OK);
		assert_true(fabs(at.slower + at.not_slower + at.undecided - 1) < 1e-12);
	}
	(void)boundary_needed_p(n, u, l, .8, two, &p); /* a short plan may not reach it */
	assert_int_equal(stage_judge(&rule, x, n, 1.02, 1 / 1.02, scratch, &s), STATS_OK);
	assert_true(s.blocks <= n);
}

static void resamples(enum wall wall, size_t n)
{
	double *x = sample(wall, n), *scratch = doubles(wall, 3 * n + 9);
	struct bootstrap_interval r;

	assert_int_equal(bootstrap_median(x, n, .9, 9, 1, scratch, &r), STATS_OK);
	assert_true(r.lo > 0 && r.hi < 2);
}

static void endpoints(enum wall wall, size_t n)
{
	double *rows = sample(wall, n * 2), *buffer = doubles(wall, MAXT_BUFFER(n, 2));
	double *m = doubles(wall, 9), *t = doubles(wall, 18), crit;
	uint32_t *scratch = walled(wall, MAXT_SCRATCH(n) * sizeof(*scratch));
	struct maxt_bounds *bounds = walled(wall, 2 * sizeof(*bounds));
	unsigned char *strata = walled(wall, n);
	struct maxt_plan plan;

	for (size_t i = 0; i < n; i++)
		strata[i] = i % 2;
	if (n < 4) {
		assert_int_equal(maxt_prepare(rows, strata, n, 2, buffer, &plan), STATS_STRATA);
		return;
	}
	assert_int_equal(maxt_prepare(rows, strata, n, 2, buffer, &plan), STATS_OK);
	(void)maxt_resample(&plan, 1, 9, 0, 9, m, t, scratch);
	assert_int_equal(maxt_critical(m, 9, .9, &crit), STATS_OK);
	assert_int_equal(maxt_intervals(&plan, crit, 9, t, .05, 0, 2, bounds), STATS_OK);
	assert_true(isfinite(bounds[0].lo) && isfinite(bounds[1].upper));
}

static void growth(enum wall wall, size_t n)
{
	double *at = sample(wall, 3), *baseline = sample(wall, 3 * n);
	double *candidate = sample(wall, 3 * n), *columns = doubles(wall, 6 * n);
	double *side = doubles(wall, 3 * n), *three = doubles(wall, 9), *two = doubles(wall, 6);

	assert_int_equal(scaling_columns(at, 3, baseline, candidate, n, three, columns), STATS_OK);
	assert_int_equal(scaling_side_columns(at, 3, baseline, n, two, side), STATS_OK);
	assert_true(all_finite(columns, 6 * n) && all_finite(side, 3 * n));
}

static void at_every_size(void (*check)(enum wall wall, size_t n))
{
	for (int wall = 0; wall < WALL_CNT; wall++)
		for (size_t i = 0; i < SIZES; i++)
			check((enum wall)wall, sizes[i]);
}

#define BOUNDS_TEST(check)                                                                         \
	static void check##_stay_within(void **state)                                              \
	{                                                                                          \
		(void)state;                                                                       \
		at_every_size(check);                                                              \
	}

BOUNDS_TEST(summaries)
BOUNDS_TEST(orders)
BOUNDS_TEST(ratios)
BOUNDS_TEST(stages)
BOUNDS_TEST(resamples)
BOUNDS_TEST(endpoints)
BOUNDS_TEST(growth)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries_stay_within), cmocka_unit_test(orders_stay_within),
		cmocka_unit_test(ratios_stay_within),	 cmocka_unit_test(stages_stay_within),
		cmocka_unit_test(resamples_stay_within), cmocka_unit_test(endpoints_stay_within),
		cmocka_unit_test(growth_stay_within),
	};

	return cmocka_run_group_tests_name("stats/bounds", tests, NULL, NULL);
}
