/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include "stats/pairs.h"
#include "stats/prng.h"

#define SCRATCH_MAX 40000

static double scratch[SCRATCH_MAX];

static bool near(double x, double want, double share)
{
	return fabs(x - want) <= share * want;
}

/* Box and Muller: one normal of each counter. */
static double normal(uint64_t key, uint64_t c)
{
	double u = prng_double(key, 2 * c) + 0x1p-54, v = prng_double(key, 2 * c + 1);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static struct pairs_spread spread(const double *y, size_t blocks, size_t m)
{
	struct pairs_spread s = {NAN, NAN};

	assert_true(pairs_scratch(blocks, m) <= SCRATCH_MAX);
	assert_int_equal(pairs_spread(y, blocks, m, scratch, &s), STATS_OK);
	return s;
}

/* By hand: within their blocks the pairs differ by 1, 2, 3, 2, 4, 6; the medians by 10. */
static void a_small_case_by_hand(void **state)
{
	static const double y[] = {0, 1, 3, 9, 11, 15};
	struct pairs_spread s = spread(y, 2, 3);
	double within = 1.0483580825075305 * 2.5, medians = 1.0483580825075305 * 10;

	(void)state;
	assert_true(near(s.within, within, 1e-14));
	assert_true(near(s.between,
			 sqrt(medians * medians - (1 - sqrt(3) / M_PI) * within * within), 1e-12));
	assert_true(near(pairs_predict(&s, 3), medians, 1e-12));
}

/* What it is predicted from is what it predicts: medians of m normals are counted for every m. */
static void the_prediction_is_that_of_medians_of_normals(void **state)
{
	const struct pairs_spread s = {.within = 1, .between = 0};
	uint64_t key = prng_key(1, "pairs");

	(void)state;
	for (size_t m = 1; m <= PAIRS_MOST; m += 2) {
		double squares = 0;

		for (size_t i = 0; i < 40000; i++) {
			double x[PAIRS_MOST];

			for (size_t j = 0; j < m; j++) { /* insertion: the middle is the median */
				double v = normal(key, i * PAIRS_MOST + j);
				size_t at = j;

				for (; at > 0 && x[at - 1] > v; at--)
					x[at] = x[at - 1];
				x[at] = v;
			}
			squares += x[m / 2] * x[m / 2];
		}
		assert_true(near(pairs_predict(&s, m), sqrt(squares / 40000), .02));
	}
}

static void what_was_put_in_is_found(void **state)
{
	static const struct {
		double within, between;
	} truths[] = {{.01, 0}, {.01, .003}, {.01, .03}, {.001, .03}};
	uint64_t key = prng_key(2, "pairs");
	static double y[100 * 3];

	(void)state;
	for (size_t t = 0; t < 4; t++) {
		struct pairs_spread s;

		for (size_t i = 0; i < 100; i++)
			for (size_t j = 0; j < 3; j++)
				y[3 * i + j] = truths[t].between * normal(key, i) +
					       truths[t].within * normal(key, 1000 + 3 * i + j);
		s = spread(y, 100, 3);
		assert_true(near(s.within, truths[t].within, .2));
		if (truths[t].between > .01)
			assert_true(near(s.between, truths[t].between, .2));
		else /* no more than chance could do */
			assert_true(s.between == 0);
	}
}

/* One wild pair in four blocks is not what a block is like. */
static void one_wild_pair_changes_little(void **state)
{
	double y[] = {0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 2, 1};
	struct pairs_spread calm = spread(y, 4, 3), wild;

	(void)state;
	y[4] = 1000;
	wild = spread(y, 4, 3);
	assert_true(wild.within <= 2 * calm.within);
	assert_true(wild.between <= 2 * calm.within);
}

static void the_fewest_pairs_that_will_do_are_chosen(void **state)
{
	static const struct pairs_spread pure = {.within = 1, .between = 0};
	static const struct pairs_spread blocks = {.within = .1, .between = 1};
	static const struct pairs_spread both = {.within = .8, .between = 1};

	(void)state;
	assert_int_equal(pairs_choose(&pure, 1, 1), 1);
	assert_int_equal(pairs_choose(&pure, 3, 1), 3); /* never lowered */
	assert_int_equal(pairs_choose(&pure, 3, .67), 3);
	assert_int_equal(pairs_choose(&pure, 3, .66), 5);
	assert_int_equal(pairs_choose(&pure, 3, .5), 7);
	assert_int_equal(pairs_choose(&pure, 3, .45), 9);
	assert_int_equal(pairs_choose(&pure, 3, .1), 9); /* too much, but the best there is */
	assert_int_equal(pairs_choose(&blocks, 3, .1), 3);
	assert_int_equal(pairs_choose(&both, 1, 0), 3);
	assert_int_equal(pairs_choose(&pure, 11, .1), 11);
	assert_int_equal(pairs_choose(&pure, 4, .1), 4);
	assert_true(isnan(pairs_predict(&pure, 2)));
	assert_true(isnan(pairs_predict(&pure, 11)));
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const double y[] = {0, 1, 2, 0, 1, INFINITY, 0, 0, 0, 0, 0, 0};
	struct pairs_spread s = {7, 7};

	(void)state;
	assert_int_equal(pairs_spread(y, 1, 3, scratch, &s), STATS_RANGE);
	assert_int_equal(pairs_spread(y, 2, 1, scratch, &s), STATS_RANGE);
	assert_int_equal(pairs_spread(y, 2, 4, scratch, &s), STATS_RANGE);
	assert_int_equal(pairs_spread(y, 2, 11, scratch, &s), STATS_RANGE);
	assert_int_equal(pairs_spread(y, 2, 3, scratch, &s), STATS_NONFINITE);
	assert_true(s.within == 7 && s.between == 7);
	s = spread(y + 6, 2, 3);
	assert_true(s.within == 0 && s.between == 0); /* all equal: nothing spreads */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_case_by_hand),
		cmocka_unit_test(the_prediction_is_that_of_medians_of_normals),
		cmocka_unit_test(what_was_put_in_is_found),
		cmocka_unit_test(one_wild_pair_changes_little),
		cmocka_unit_test(the_fewest_pairs_that_will_do_are_chosen),
		cmocka_unit_test(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests_name("stats pairs", tests, NULL, NULL);
}
