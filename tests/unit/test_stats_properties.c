/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What must hold for any data: 10,000 random samples each. Values are multiples of 2^-20 in 1/2..2,
 * so that shifts and scales by powers of two are exact and equality can be asked for.
 */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/across.h"
#include "stats/boundary.h"
#include "stats/describe.h"
#include "stats/maxt.h"
#include "stats/median.h"
#include "stats/moments.h"
#include "stats/prng.h"
#include "stats/serial.h"
#include "stats/stage.h"
#include "stats/tost.h"
#include "stats/trend.h"

#define INPUTS 10000
#define N_MAX  60

struct sample {
	size_t n;
	uint64_t key;
	double x[N_MAX];
};

struct summary {
	struct median_interval interval;
	struct description d;
	double mad;
};

/* Every third sample has few distinct values, hence ties. */
static struct sample sample_of(uint64_t input)
{
	struct sample s = {.key = prng_key(input, "properties")};
	uint64_t steps = input % 3 ? (1u << 20) + (1u << 19) : 7;

	s.n = 1 + prng_index(s.key, 0, N_MAX);
	for (size_t i = 0; i < s.n; i++)
		s.x[i] = 0.5 + (double)prng_index(s.key, 1 + i, steps + 1) / (1u << 20);
	return s;
}

static struct summary summary_of(const double *x, size_t n)
{
	double scratch[2 * N_MAX];
	struct summary s;

	memset(&s, 0, sizeof(s));
	assert_int_equal(median_interval(x, n, .95, INTERVAL_TWO, scratch, &s.interval), STATS_OK);
	assert_int_equal(describe(x, n, scratch, &s.d), STATS_OK);
	assert_int_equal(mad_of(x, n, scratch, &s.mad), STATS_OK);
	return s;
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool near(double a, double b, double tolerance)
{
	return same(a, b) || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static void permute(const struct sample *s, double *ret)
{
	uint32_t order[N_MAX];

	for (uint32_t i = 0; i < s->n; i++)
		order[i] = i;
	prng_shuffle(s->key, 1000, order, s->n);
	for (size_t i = 0; i < s->n; i++)
		ret[i] = s->x[order[i]];
}

static void order_does_not_matter(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX];
		struct summary a, b;

		permute(&s, y);
		a = summary_of(s.x, s.n);
		b = summary_of(y, s.n);
		assert_memory_equal(&a.interval, &b.interval, sizeof(a.interval));
		assert_true(near(a.d.mean, b.d.mean, 1e-14) && near(a.d.sd, b.d.sd, 1e-12));
		assert_true(a.d.mad == b.d.mad && a.d.iqr == b.d.iqr && a.mad == b.mad);
		assert_int_equal(a.d.outlier_count, b.d.outlier_count);
	}
}

static void check_shift(const struct sample *s, double shift)
{
	double y[N_MAX];
	struct summary a = summary_of(s->x, s->n), b;

	for (size_t i = 0; i < s->n; i++)
		y[i] = s->x[i] + shift;
	b = summary_of(y, s->n);
	assert_true(a.interval.median + shift == b.interval.median);
	assert_true(same(a.interval.lo + shift, b.interval.lo));
	assert_true(same(a.interval.hi + shift, b.interval.hi));
	assert_int_equal(a.interval.rank_lo, b.interval.rank_lo);
	assert_true(near(a.d.sd, b.d.sd, 1e-12) && near(a.d.mean + shift, b.d.mean, 1e-15));
	assert_true(a.mad == b.mad && a.d.mad == b.d.mad);
}

static void shift_moves_and_does_not_spread(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);

		check_shift(&s, (double)prng_index(s.key, 2000, 2000) - 1000);
	}
}

/* Whole values: beside 1e15 a double still has steps of 1/8. */
static void offset_of_1e15_costs_no_digits(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);

		for (size_t i = 0; i < s.n; i++)
			s.x[i] *= 1u << 20;
		check_shift(&s, 1e15);
	}
}

static void scale_carries_over(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX], factor = ldexp(1, (int)prng_index(s.key, 2000, 200) - 100);
		struct summary a = summary_of(s.x, s.n), b;

		for (size_t i = 0; i < s.n; i++)
			y[i] = factor * s.x[i];
		b = summary_of(y, s.n);
		assert_true(factor * a.interval.median == b.interval.median);
		assert_true(same(factor * a.interval.lo, b.interval.lo));
		assert_true(same(factor * a.interval.hi, b.interval.hi));
		assert_true(same(a.interval.attained, b.interval.attained));
		assert_true(factor * a.d.mean == b.d.mean && same(factor * a.d.sd, b.d.sd));
		assert_true(factor * a.mad == b.mad && factor * a.d.p90 == b.d.p90);
		assert_true(a.d.concentration == b.d.concentration);
		assert_true(same(a.d.outlier_max_ratio, b.d.outlier_max_ratio));
	}
}

static void duplicates_keep_the_middle(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[2 * N_MAX], n = (double)s.n;
		struct summary a = summary_of(s.x, s.n), b;

		memcpy(y, s.x, s.n * sizeof(*y));
		memcpy(y + s.n, s.x, s.n * sizeof(*y));
		b = summary_of(y, 2 * s.n);
		assert_true(a.interval.median == b.interval.median && a.mad == b.mad);
		assert_true(near(a.d.mean, b.d.mean, 1e-14));
		assert_true(a.d.concentration == b.d.concentration);
		assert_true(a.d.min == b.d.min && a.d.max == b.d.max);
		if (s.n > 1)
			assert_true(near(b.d.sd, a.d.sd * sqrt(2 * (n - 1) / (2 * n - 1)), 1e-12));
		/* more data of the same spread: never a wider interval */
		if (!a.interval.withheld)
			assert_true(b.interval.lo >= a.interval.lo &&
				    b.interval.hi <= a.interval.hi);
	}
}

static bool within_ulp(double a, double b)
{
	return same(a, b) || nextafter(a, b) == b;
}

/* Ratios of the swapped sides are the inverse ones, and inverting keeps (the reverse of) the order. */
static void swapped_sides_invert_the_interval(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX];
		struct summary a = summary_of(s.x, s.n), b;

		for (size_t i = 0; i < s.n; i++)
			y[i] = 1 / s.x[i];
		b = summary_of(y, s.n);
		assert_true(within_ulp(1 / a.interval.hi, b.interval.lo));
		assert_true(within_ulp(1 / a.interval.lo, b.interval.hi));
		if (s.n % 2)
			assert_true(within_ulp(1 / a.interval.median, b.interval.median));
		assert_int_equal(a.interval.rank_lo, b.interval.rank_lo);
	}
}

static void swapped_sides_invert_a_round(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX], scratch[N_MAX], a, b;

		for (size_t i = 0; i < s.n; i++)
			y[i] = 1 / s.x[i];
		if (s.n < ACROSS_BENCHMARKS_MIN)
			continue;
		assert_int_equal(across_block(s.x, s.n, scratch, &a), STATS_OK);
		assert_int_equal(across_block(y, s.n, scratch, &b), STATS_OK);
		assert_true(fabs(a * b - 1) <= 2 * DBL_EPSILON);
	}
}

struct stage_rig {
	uint32_t u[N_MAX], l[N_MAX];
	struct stage_rule rule;
};

static void stage_rig_init(struct stage_rig *rig)
{
	double scratch[N_MAX + 2];

	assert_int_equal(boundary_compute(N_MAX, .01, 2, rig->u, scratch), STATS_OK);
	assert_int_equal(boundary_compute(N_MAX, .05, .5, rig->l, scratch), STATS_OK);
	rig->rule = (struct stage_rule){N_MAX, boundary_first(rig->u, N_MAX), rig->u, rig->l};
}

static struct stage_result stage_of(const struct stage_rig *rig, const double *r)
{
	double scratch[N_MAX];
	struct stage_result s;

	assert_int_equal(stage_judge(&rig->rule, r, N_MAX, 1.02, 1 / 1.02, scratch, &s), STATS_OK);
	return s;
}

/* A full stage of ratios about a centre that makes every verdict. */
static void draw_ratios(uint64_t input, double *r)
{
	uint64_t key = prng_key(input, "ratios");
	double centre = exp(.12 * prng_double(key, 0) - .06);

	for (size_t i = 0; i < N_MAX; i++)
		r[i] = centre * exp(.1 * prng_double(key, 1 + i) - .05);
}

static void check_swapped(const struct stage_result *a, const struct stage_result *b)
{
	assert_int_equal(b->verdict, a->verdict == STAGE_SLOWER ? STAGE_FASTER : STAGE_SLOWER);
	assert_int_equal(a->blocks, b->blocks);
	assert_true(a->s == b->g && a->g == b->s);
	assert_true(within_ulp(1 / a->hi, b->lo) && within_ulp(1 / a->lo, b->hi));
}

/*
 * Without `same` the rule is symmetric. With it, only to this: a stage may have ended as the same
 * before the improvement was certain, for `faster` fails nothing and is not waited for.
 */
static void a_slower_stage_is_a_faster_one_swapped(void **state)
{
	struct stage_rig whole, symmetric;
	size_t settled[5] = {0};

	(void)state;
	stage_rig_init(&whole);
	stage_rig_init(&symmetric);
	for (size_t i = 0; i < N_MAX; i++)
		symmetric.l[i] = N_MAX + 1; /* never latched */
	for (uint64_t input = 0; input < INPUTS; input++) {
		double r[N_MAX], swapped[N_MAX];
		struct stage_result a, b;

		draw_ratios(input, r);
		for (size_t i = 0; i < N_MAX; i++)
			swapped[i] = 1 / r[i];
		a = stage_of(&symmetric, r);
		b = stage_of(&symmetric, swapped);
		settled[a.verdict]++;
		if (a.verdict != STAGE_UNDECIDED)
			check_swapped(&a, &b);
		a = stage_of(&whole, r);
		b = stage_of(&whole, swapped);
		if (a.verdict == STAGE_SLOWER && b.verdict == STAGE_SAME)
			assert_true(b.blocks <= a.blocks && b.median >= 1 / 1.02);
		else if (a.verdict == STAGE_SLOWER)
			check_swapped(&a, &b);
	}
	assert_true(settled[STAGE_SLOWER] > INPUTS / 5 && settled[STAGE_FASTER] > INPUTS / 5);
}

/* What holds at a limit holds at every smaller one: a verdict of slower comes no later. */
static void a_lower_limit_is_passed_no_more_easily(void **state)
{
	struct stage_rig rig;

	(void)state;
	stage_rig_init(&rig);
	for (uint64_t input = 0; input < INPUTS; input++) {
		double r[N_MAX], scratch[N_MAX];
		struct stage_result a, b;

		draw_ratios(input, r);
		a = stage_of(&rig, r);
		assert_int_equal(stage_judge(&rig.rule, r, N_MAX, 1.01, 1 / 1.01, scratch, &b),
				 STATS_OK);
		if (a.verdict != STAGE_SLOWER)
			continue;
		assert_true(b.verdict == STAGE_SLOWER || b.verdict == STAGE_SAME);
		assert_true(b.blocks <= a.blocks);
	}
}

static void reversed_time_reverses_a_trend(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX], scratch[2 * N_MAX], r, q;
		struct trend a, b;

		for (size_t i = 0; i < s.n; i++)
			y[i] = s.x[s.n - 1 - i];
		assert_int_equal(trend_test(s.x, s.n, .01, .01, scratch, &a), STATS_OK);
		assert_int_equal(trend_test(y, s.n, .01, .01, scratch, &b), STATS_OK);
		assert_true(a.s == -b.s && same(a.p, b.p) && same(a.var_s, b.var_s));
		for (size_t i = 0; i < s.n; i++)
			y[i] = exp(s.x[i]); /* rising: the ranks stay */
		assert_int_equal(trend_test(y, s.n, .01, .01, scratch, &b), STATS_OK);
		assert_true(a.s == b.s && same(a.p, b.p) && a.method == b.method);
		assert_int_equal(rank_autocorrelation(s.x, s.n, scratch, &r), STATS_OK);
		assert_int_equal(rank_autocorrelation(y, s.n, scratch, &q), STATS_OK);
		assert_true(r == q && fabs(r) <= 1);
	}
}

static void swapped_sides_swap_the_two_tests(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		struct sample s = sample_of(input);
		double y[N_MAX];
		struct tost a, b;

		for (size_t i = 0; i < s.n; i++) {
			s.x[i] -= 1;
			y[i] = -s.x[i];
		}
		assert_int_equal(tost_judge(s.x, s.n, 1.1, .05, &a), STATS_OK);
		assert_int_equal(tost_judge(y, s.n, 1.1, .05, &b), STATS_OK);
		assert_true(a.mean == -b.mean && same(a.sd, b.sd));
		if (a.withheld)
			continue;
		assert_true(a.p1 == b.p2 && a.p2 == b.p1 && a.lo == -b.hi && a.hi == -b.lo);
		assert_int_equal(a.equivalent, b.equivalent);
		assert_int_equal(a.superiority == SUPERIORITY_SLOWER,
				 b.superiority == SUPERIORITY_FASTER);
	}
}

#define COLUMNS	  2
#define RESAMPLES 50

static double crit_of(const double *rows, size_t n)
{
	double buffer[MAXT_BUFFER(N_MAX, COLUMNS)], m[RESAMPLES], t[COLUMNS * RESAMPLES];
	uint32_t scratch[MAXT_SCRATCH(N_MAX)];
	double crit = NAN;
	struct maxt_bounds bounds[COLUMNS];
	unsigned char strata[N_MAX];
	struct maxt_plan plan;

	for (size_t i = 0; i < n; i++)
		strata[i] = i % 2;
	assert_int_equal(maxt_prepare(rows, strata, n, COLUMNS, buffer, &plan), STATS_OK);
	(void)maxt_resample(&plan, 1, RESAMPLES, 0, RESAMPLES, m, t, scratch);
	assert_int_equal(maxt_critical(m, RESAMPLES, .95, &crit), STATS_OK);
	assert_int_equal(maxt_intervals(&plan, crit, RESAMPLES, t, .05, 0, COLUMNS, bounds),
			 STATS_OK);
	for (size_t k = 0; k < COLUMNS; k++)
		assert_true(bounds[k].lo <= plan.estimate[k] && plan.estimate[k] <= bounds[k].hi);
	return crit;
}

/* |T| knows neither the sign nor the unit of a column. */
static void sign_and_unit_of_columns_keep_the_critical_value(void **state)
{
	(void)state;
	for (uint64_t input = 0; input < INPUTS; input++) {
		uint64_t key = prng_key(input, "rows");
		double rows[8 * COLUMNS], other[8 * COLUMNS];

		for (size_t i = 0; i < 8 * COLUMNS; i++) {
			rows[i] = prng_double(key, i) - .5;
			other[i] = i % COLUMNS ? -1024 * rows[i] : rows[i] / 8;
		}
		assert_true(crit_of(rows, 8) == crit_of(other, 8));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(shift_moves_and_does_not_spread),
		cmocka_unit_test(offset_of_1e15_costs_no_digits),
		cmocka_unit_test(scale_carries_over),
		cmocka_unit_test(duplicates_keep_the_middle),
		cmocka_unit_test(swapped_sides_invert_the_interval),
		cmocka_unit_test(swapped_sides_invert_a_round),
		cmocka_unit_test(a_slower_stage_is_a_faster_one_swapped),
		cmocka_unit_test(a_lower_limit_is_passed_no_more_easily),
		cmocka_unit_test(reversed_time_reverses_a_trend),
		cmocka_unit_test(swapped_sides_swap_the_two_tests),
		cmocka_unit_test(sign_and_unit_of_columns_keep_the_critical_value),
	};

	return cmocka_run_group_tests_name("stats/properties", tests, NULL, NULL);
}
