/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/boundary.h"
#include "stats/prng.h"
#include "stats/sort.h"
#include "stats/stage.h"

#define N_MAX 200

static uint32_t slower[N_MAX], latch[N_MAX];
static double scratch[2 * (N_MAX + 2)];

static struct stage_rule rule_of(size_t n_max, double alpha, double rho, double beta,
				 double rho_beta)
{
	struct stage_rule rule = {n_max, 0, slower, latch};

	assert_int_equal(boundary_compute(n_max, alpha, rho, slower, scratch), STATS_OK);
	assert_int_equal(boundary_compute(n_max, beta, rho_beta, latch, scratch), STATS_OK);
	rule.n_min = boundary_first(slower, n_max);
	return rule;
}

static struct stage_rule default_rule(size_t n_max)
{
	return rule_of(n_max, 0.01, 2, 0.05, 0.5);
}

static struct stage_result judge(const struct stage_rule *rule, const double *r, size_t n,
				 double limit)
{
	struct stage_result s;

	assert_int_equal(stage_judge(rule, r, n, limit, 1 / limit, scratch, &s), STATS_OK);
	return s;
}

static void stages_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_stage");
}

static void rules_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_stage_rule");
}

static void fill(double *r, size_t n, double centre, double spread, uint64_t key)
{
	for (size_t i = 0; i < n; i++)
		r[i] = centre * exp(spread * (2 * prng_double(key, i) - 1));
}

/* Powers of two have exact inverses, so that the swap is the same data and not nearly the same. */
static void swapped_sides_swap_slower_and_faster(void **state)
{
	struct stage_rule rule = default_rule(60);
	size_t seen[5] = {0};

	(void)state;
	for (uint64_t key = 0; key < 400; key++) {
		struct stage_result a, b;
		double r[60], swapped[60];
		double low = -4 + (double)(key % 9);

		for (size_t i = 0; i < 60; i++) {
			r[i] = exp2(floor(low + prng_double(key, i) * 5 - 2));
			swapped[i] = 1 / r[i];
		}
		a = judge(&rule, r, 60, 2);
		b = judge(&rule, swapped, 60, 2);
		seen[a.verdict]++;
		if (a.verdict == STAGE_SLOWER || a.verdict == STAGE_FASTER) {
			assert_int_equal(b.verdict,
					 a.verdict == STAGE_SLOWER ? STAGE_FASTER : STAGE_SLOWER);
			assert_int_equal(a.blocks, b.blocks);
			assert_int_equal(a.s, b.g);
			assert_int_equal(a.g, b.s);
			assert_true(a.lo == 1 / b.hi && a.hi == 1 / b.lo);
		}
	}
	assert_true(seen[STAGE_SLOWER] > 9 && seen[STAGE_FASTER] > 9 && seen[STAGE_SAME] > 9);
}

static void scale_of_values_and_limit_does_not_matter(void **state)
{
	struct stage_rule rule = default_rule(60);

	(void)state;
	for (uint64_t key = 0; key < 100; key++) {
		struct stage_result a, b;
		double r[60], scaled[60];

		fill(r, 60, 1 + (double)(key % 7) / 100, 0.03, key);
		for (size_t i = 0; i < 60; i++)
			scaled[i] = 1024 * r[i];
		a = judge(&rule, r, 60, 1.02);
		assert_int_equal(
			stage_judge(&rule, scaled, 60, 1024 * 1.02, 1024 * (1 / 1.02), scratch, &b),
			STATS_OK);
		assert_int_equal(a.verdict, b.verdict);
		assert_int_equal(a.blocks, b.blocks);
		assert_true(1024 * a.median == b.median);
		assert_true(1024 * a.lo == b.lo || (isnan(a.lo) && isnan(b.lo)));
	}
}

static void more_data_never_change_a_verdict(void **state)
{
	struct stage_rule rule = default_rule(60);

	(void)state;
	for (uint64_t key = 0; key < 60; key++) {
		struct stage_result whole, part;
		double r[60];

		fill(r, 60, 1 + (double)(key % 6) / 100, 0.06, key);
		whole = judge(&rule, r, 60, 1.02);
		for (size_t n = 0; n <= 60; n++) {
			part = judge(&rule, r, n, 1.02);
			if (n < whole.blocks)
				assert_int_equal(part.verdict, STAGE_OPEN);
			else
				assert_int_equal(part.verdict, whole.verdict);
			assert_int_equal(part.blocks, n < whole.blocks ? n : whole.blocks);
		}
	}
}

/* What a stage has looked at may come in any order as long as no earlier look settles it. */
static void order_within_the_first_looks_does_not_matter(void **state)
{
	struct stage_rule rule = default_rule(60);
	uint32_t order[11];
	double r[11], shuffled[11];
	struct stage_result a, b;

	(void)state;
	fill(r, 11, 1, 0.05, 3);
	for (uint32_t i = 0; i < 11; i++)
		order[i] = i;
	prng_shuffle(1, 0, order, 11);
	for (size_t i = 0; i < 11; i++)
		shuffled[i] = r[order[i]];
	a = judge(&rule, r, 11, 1.02);
	b = judge(&rule, shuffled, 11, 1.02);
	assert_true(a.median == b.median && a.s == b.s && a.g == b.g && a.f == b.f);
}

static void no_block_is_open(void **state)
{
	struct stage_rule rule = default_rule(60);
	struct stage_result s = judge(&rule, NULL, 0, 1.02);

	(void)state;
	assert_int_equal(s.verdict, STAGE_OPEN);
	assert_int_equal(s.blocks, 0);
	assert_true(isnan(s.median) && isnan(s.lo) && isnan(s.hi));
}

static void one_and_two_blocks_are_open(void **state)
{
	struct stage_rule rule = default_rule(60);
	double r[] = {2, 1};
	struct stage_result s = judge(&rule, r, 1, 1.02);

	(void)state;
	assert_int_equal(s.verdict, STAGE_OPEN);
	assert_true(s.median == 2 && isnan(s.lo));
	s = judge(&rule, r, 2, 1.02);
	assert_int_equal(s.verdict, STAGE_OPEN);
	assert_true(s.median == 1.5 && s.s == 1 && s.f == 1);
}

static void a_minimum_delays_same_but_not_slower(void **state)
{
	struct stage_rule rule = default_rule(60);
	double quiet[60], slow[60];

	(void)state;
	fill(quiet, 60, 1, 0.001, 1);
	fill(slow, 60, 1.1, 0.001, 1);
	rule.n_min = 40;
	assert_int_equal(judge(&rule, quiet, 60, 1.02).blocks, 40);
	assert_int_equal(judge(&rule, slow, 60, 1.02).blocks, 12);
	rule.n_min = 0;
	assert_int_equal(judge(&rule, quiet, 60, 1.02).blocks, 6);
	rule.n_min = 1000; /* the last look settles it in any case */
	assert_int_equal(judge(&rule, quiet, 60, 1.02).verdict, STAGE_SAME);
	assert_int_equal(judge(&rule, quiet, 60, 1.02).blocks, 60);
}

static void values_on_the_limits_count_for_no_side(void **state)
{
	struct stage_rule rule = default_rule(60);
	double r[60];
	struct stage_result s;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		r[i] = 1 / 1.02;
	s = judge(&rule, r, 60, 1.02);
	assert_int_equal(s.verdict, STAGE_SAME); /* the median is not below 1/limit */
	assert_int_equal(s.blocks, 12);
	assert_int_equal(s.g, 0);
	for (size_t i = 0; i < 60; i++)
		r[i] = 1.02;
	s = judge(&rule, r, 60, 1.02);
	assert_int_equal(s.verdict, STAGE_UNDECIDED);
	assert_int_equal(s.s + s.g + s.f, 0);
	assert_true(s.lo == s.hi);
}

static void limit_one_is_allowed(void **state)
{
	struct stage_rule rule = default_rule(60);
	double r[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		r[i] = 1.001;
	assert_int_equal(judge(&rule, r, 60, 1).verdict, STAGE_SLOWER);
	for (size_t i = 0; i < 60; i++)
		r[i] = 1;
	assert_int_equal(judge(&rule, r, 60, 1).verdict, STAGE_UNDECIDED);
}

static void surplus_is_not_looked_at(void **state)
{
	struct stage_rule rule = default_rule(20);
	double r[22];

	(void)state;
	for (size_t i = 0; i < 22; i++)
		r[i] = 1.02;
	r[20] = NAN;
	assert_int_equal(judge(&rule, r, 22, 1.02).verdict, STAGE_UNDECIDED);
	assert_int_equal(judge(&rule, r, 22, 1.02).blocks, 20);
}

static void refusals_leave_the_result_alone(void **state)
{
	struct stage_rule rule = default_rule(20), empty = {0, 0, slower, latch};
	struct stage_result s = {.blocks = 77};
	double good[] = {1, 1}, nan[] = {1, NAN}, inf[] = {INFINITY};

	(void)state;
	assert_int_equal(stage_judge(&empty, good, 2, 1.02, 1 / 1.02, scratch, &s), STATS_EMPTY);
	assert_int_equal(stage_judge(&rule, nan, 2, 1.02, 1 / 1.02, scratch, &s), STATS_NONFINITE);
	assert_int_equal(stage_judge(&rule, inf, 1, 1.02, 1 / 1.02, scratch, &s), STATS_NONFINITE);
	assert_int_equal(stage_judge(&rule, good, 2, NAN, 1, scratch, &s), STATS_NONFINITE);
	assert_int_equal(stage_judge(&rule, good, 2, 1.02, NAN, scratch, &s), STATS_NONFINITE);
	assert_int_equal(s.blocks, 77);
}

/* With alpha above 1/2 the ranks cross: there is no interval to show. */
static void crossed_ranks_give_no_interval(void **state)
{
	struct stage_rule rule = rule_of(3, 0.99, 0.1, 0.99, 0.1);
	double r[] = {1, 1.01};
	struct stage_result s;

	(void)state;
	rule.n_min = 3;
	s = judge(&rule, r, 2, 1.02);
	assert_int_equal(s.blocks, 2);
	assert_int_equal(boundary_rank(slower, 2), 2);
	assert_true(isnan(s.lo) && isnan(s.hi));
}

/* What the judge does to data must be what the recurrence says about probabilities. */
static void simulated_stages_meet_the_exact_probabilities(void **state)
{
	enum { RUNS = 20000 };
	static const double ps[] = {0.3, 0.5, 0.65, 0.7};
	struct stage_rule rule = default_rule(60);

	(void)state;
	rule.n_min = 1;
	for (size_t i = 0; i < 4; i++) {
		double n = RUNS, counts[5] = {0}, blocks = 0, r[60];
		struct operating at;

		for (uint64_t run = 0; run < RUNS; run++) {
			struct stage_result s;

			for (size_t b = 0; b < 60; b++)
				r[b] = prng_double(run, b) < ps[i] ? 2 : 1;
			assert_int_equal(stage_judge(&rule, r, 60, 1.5, 0.1, scratch, &s),
					 STATS_OK);
			counts[s.verdict]++;
			blocks += (double)s.blocks;
		}
		assert_int_equal(boundary_operating(60, slower, latch, ps[i], scratch, &at),
				 STATS_OK);
		assert_true(fabs(counts[STAGE_SLOWER] / n - at.slower) <
			    4.5 * sqrt(at.slower * (1 - at.slower) / n) + 2 / n);
		assert_true(fabs(counts[STAGE_SAME] / n - at.not_slower) <
			    4.5 * sqrt(at.not_slower * (1 - at.not_slower) / n) + 2 / n);
		assert_true(fabs(blocks / n - at.expected_blocks) < 4.5 * 30 / sqrt(n));
	}
}

static enum run_verdict run_of(const char *letters, size_t stages_needed)
{
	static const char alphabet[] = {'o', 's', 'f', '=', 'u'}; /* as in enum stage_verdict */
	enum stage_verdict stages[8];
	size_t n = strlen(letters);

	for (size_t i = 0; i < n; i++) {
		const char *at = memchr(alphabet, letters[i], sizeof(alphabet));

		assert_non_null(at);
		stages[i] = (enum stage_verdict)(at - alphabet);
	}
	return run_judge(stages, n, stages_needed);
}

static void runs_follow_the_table(void **state)
{
	static const struct {
		const char *stages;
		enum run_verdict want;
	} rows[] = {
		{"", RUN_OPEN},		 {"o", RUN_OPEN},	{"s", RUN_OPEN},
		{"=", RUN_SAME},	 {"f", RUN_FASTER},	{"u", RUN_UNDECIDED},
		{"ss", RUN_OPEN},	 {"so", RUN_OPEN},	{"s=", RUN_SAME},
		{"sf", RUN_SAME},	 {"su", RUN_UNDECIDED}, {"sss", RUN_REGRESSED},
		{"sso", RUN_OPEN},	 {"ss=", RUN_SAME},	{"ssf", RUN_SAME},
		{"ssu", RUN_UNDECIDED},	 {"=ss", RUN_SAME},	{"oss", RUN_OPEN},
		{"sss=", RUN_REGRESSED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(run_of(rows[i].stages, 3), rows[i].want);
	assert_int_equal(run_of("sss", 4), RUN_OPEN);
	assert_int_equal(run_of("s", 1), RUN_REGRESSED);
	assert_int_equal(run_of("", 0), RUN_OPEN);
}

static void corrupt_verdict_is_never_a_pass_or_a_fail(void **state)
{
	enum stage_verdict stages[] = {STAGE_SLOWER, (enum stage_verdict)99, STAGE_SLOWER};

	(void)state;
	assert_int_equal(run_judge(stages, 3, 3), RUN_UNDECIDED);
}

/* Ranks that meet are an interval still: of one value. */
static void ranks_that_meet_give_a_point(void **state)
{
	struct stage_rule rule = rule_of(1, 0.6, 1, 0.6, 1);
	double r[] = {1.01};
	struct stage_result s = judge(&rule, r, 1, 1.02);

	(void)state;
	assert_int_equal(boundary_rank(slower, 1), 1);
	assert_true(s.lo == 1.01 && s.hi == 1.01);
}

static bool bounds(const double *r, size_t n, double *ret_lo, double *ret_hi)
{
	size_t k = boundary_rank(slower, n);
	double sorted[N_MAX];

	if (k == 0 || 2 * k > n + 1)
		return false;
	memcpy(sorted, r, n * sizeof(*r));
	sort_doubles(sorted, n);
	*ret_lo = sorted[k - 1];
	*ret_hi = sorted[n - k];
	return true;
}

/* The first number of blocks, from the verdict on, whose interval is precise; 0: none. */
static size_t first_precise(const double *r, size_t from, size_t n, double precision)
{
	double lo, hi;

	for (; from <= n; from++)
		if (bounds(r, from, &lo, &hi) && sqrt(hi / lo) <= precision)
			return from;
	return 0;
}

static void is_described(const struct stage_result *s, const double *r)
{
	double sorted[N_MAX], lo, hi;

	memcpy(sorted, r, s->blocks * sizeof(*r));
	sort_doubles(sorted, s->blocks);
	assert_true(s->median == sorted_median(sorted, s->blocks));
	assert_true(bounds(r, s->blocks, &lo, &hi) && s->lo == lo && s->hi == hi);
}

static void a_stage_goes_on_until_it_is_precise(void **state)
{
	struct stage_rule rule = default_rule(N_MAX);
	size_t later = 0, never = 0;

	(void)state;
	for (uint64_t key = 0; key < 200; key++) {
		double r[N_MAX], precision = 1.002 + .0005 * (double)(key % 20);
		struct stage_result before, s;
		size_t at;

		fill(r, N_MAX, 1.05, .02, key);
		before = s = judge(&rule, r, N_MAX, 1.02);
		at = first_precise(r, s.blocks, N_MAX, precision);
		stage_until_precise(&rule, precision, r, N_MAX, scratch, &s);
		assert_int_equal(s.verdict, at ? STAGE_SLOWER : STAGE_OPEN);
		assert_int_equal(s.blocks, at ? at : N_MAX);
		assert_int_equal(stage_is_precise(&s, precision), at != 0);
		assert_true(s.s == before.s && s.g == before.g && s.f == before.f);
		is_described(&s, r);
		later += at > before.blocks;
		never += at == 0;
	}
	assert_true(later > 0 && never > 0);
}

static void is_same(const struct stage_result *a, const struct stage_result *b)
{
	assert_true(a->verdict == b->verdict && a->blocks == b->blocks && a->s == b->s);
	assert_memory_equal(&a->median, &b->median, sizeof(a->median)); /* NaN too */
	assert_memory_equal(&a->lo, &b->lo, sizeof(a->lo));
	assert_memory_equal(&a->hi, &b->hi, sizeof(a->hi));
}

static void what_is_precise_or_open_stays(void **state)
{
	struct stage_rule rule = default_rule(60);
	struct stage_result before, s;
	double r[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		r[i] = 1.05;
	before = s = judge(&rule, r, 60, 1.02);
	assert_int_equal(s.verdict, STAGE_SLOWER);
	stage_until_precise(&rule, 1.001, r, 60, scratch, &s);
	is_same(&s, &before);
	before = s = judge(&rule, r, 3, 1.02);
	assert_int_equal(s.verdict, STAGE_OPEN);
	stage_until_precise(&rule, 1.001, r, 3, scratch, &s);
	is_same(&s, &before);
	before = s = (struct stage_result){.verdict = STAGE_UNDECIDED};
	stage_until_precise(&rule, 1.001, r, 3, scratch, &s);
	is_same(&s, &before);
}

static void half_an_interval_may_be_the_precision_itself(void **state)
{
	struct stage_result s = {.lo = .5, .hi = 2};

	(void)state;
	assert_true(stage_is_precise(&s, 2));
	assert_false(stage_is_precise(&s, 1.999999));
	s.lo = NAN;
	assert_false(stage_is_precise(&s, 2));
	s = (struct stage_result){.lo = .5, .hi = NAN};
	assert_false(stage_is_precise(&s, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages_match_the_vectors),
		cmocka_unit_test(rules_match_the_vectors),
		cmocka_unit_test(swapped_sides_swap_slower_and_faster),
		cmocka_unit_test(scale_of_values_and_limit_does_not_matter),
		cmocka_unit_test(more_data_never_change_a_verdict),
		cmocka_unit_test(order_within_the_first_looks_does_not_matter),
		cmocka_unit_test(no_block_is_open),
		cmocka_unit_test(one_and_two_blocks_are_open),
		cmocka_unit_test(a_minimum_delays_same_but_not_slower),
		cmocka_unit_test(values_on_the_limits_count_for_no_side),
		cmocka_unit_test(limit_one_is_allowed),
		cmocka_unit_test(surplus_is_not_looked_at),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(crossed_ranks_give_no_interval),
		cmocka_unit_test(simulated_stages_meet_the_exact_probabilities),
		cmocka_unit_test(runs_follow_the_table),
		cmocka_unit_test(corrupt_verdict_is_never_a_pass_or_a_fail),
		cmocka_unit_test(ranks_that_meet_give_a_point),
		cmocka_unit_test(a_stage_goes_on_until_it_is_precise),
		cmocka_unit_test(what_is_precise_or_open_stays),
		cmocka_unit_test(half_an_interval_may_be_the_precision_itself),
	};

	return cmocka_run_group_tests_name("stats/stage", tests, NULL, NULL);
}
