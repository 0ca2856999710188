/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/boundary.h"

static uint32_t slower[BOUNDARY_N_MAX], latch[BOUNDARY_N_MAX];
static double scratch[2 * (BOUNDARY_N_MAX + 2)];

static void plan(size_t n_max)
{
	assert_int_equal(boundary_compute(n_max, 0.01, 2, slower, scratch), STATS_OK);
	assert_int_equal(boundary_compute(n_max, 0.05, 0.5, latch, scratch), STATS_OK);
}

static void bounds_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_gs_bounds");
}

static void operating_matches_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_gs_operating");
}

static void ranks_for_60_are_those_of_the_specification(void **state)
{
	static const unsigned char k[] = {1,  1,  1,  2,  2,  2,  2,  3,  3,  4,  4,  4,  5,
					  5,  5,  6,  6,  7,  7,  7,  8,  8,  9,  9,  9,  10,
					  10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 16,
					  16, 16, 17, 17, 18, 18, 19, 19, 20, 20};

	(void)state;
	plan(60);
	assert_int_equal(boundary_first(slower, 60), 12);
	assert_int_equal(boundary_first(latch, 60), 6);
	assert_int_equal(sizeof(k), 49);
	for (size_t n = 12; n <= 60; n++)
		assert_int_equal(boundary_rank(slower, n), k[n - 12]);
}

/* Enumerates every sequence of signs, which no recurrence can get wrong. */
static void error_is_exact_by_enumeration(void **state)
{
	size_t stopped = 0, n_max = 14;
	struct operating at;

	(void)state;
	assert_int_equal(boundary_compute(n_max, 0.05, 1, slower, scratch), STATS_OK);
	for (unsigned path = 0; path < 1u << n_max; path++) {
		unsigned s = 0, hit = 0;

		for (size_t n = 1; n <= n_max; n++) {
			s += path >> (n - 1) & 1;
			hit |= s >= slower[n - 1];
		}
		stopped += hit;
	}
	assert_int_equal(boundary_operating(n_max, slower, NULL, 0.5, scratch, &at), STATS_OK);
	assert_true(at.slower == (double)stopped / (1u << n_max));
	assert_true(at.slower <= 0.05);
}

static void error_never_exceeds_what_was_asked(void **state)
{
	static const double alphas[] = {1e-6, 0.01, 0.2, 0.6, 0.99};

	(void)state;
	for (size_t n_max = 1; n_max <= 300; n_max = n_max * 2 + 1)
		for (size_t i = 0; i < sizeof(alphas) / sizeof(*alphas); i++) {
			struct operating at;

			assert_int_equal(boundary_compute(n_max, alphas[i], 0.5, slower, scratch),
					 STATS_OK);
			assert_int_equal(boundary_operating(n_max, slower, NULL, 0.5, scratch, &at),
					 STATS_OK);
			assert_true(at.slower <= alphas[i] + 1e-12);
		}
}

/* .95 * 5 / 152 is 2^-5, and a little less in doubles: the fifth look may reject all the same. */
static void equality_survives_rounding(void **state)
{
	(void)state;
	assert_int_equal(boundary_compute(152, 0.95, 1, slower, scratch), STATS_OK);
	assert_int_equal(slower[3], 5);
	assert_int_equal(slower[4], 5);
}

static void largest_plan_works(void **state)
{
	struct operating at;

	(void)state;
	plan(BOUNDARY_N_MAX);
	assert_int_equal(boundary_operating(BOUNDARY_N_MAX, slower, latch, 0.5, scratch, &at),
			 STATS_OK);
	assert_true(at.slower > 0.009 && at.slower <= 0.01);
	assert_true(at.not_slower > 0.049 && at.not_slower <= 0.05);
	assert_true(fabs(at.slower + at.not_slower + at.undecided - 1) < 1e-12);
}

static void swapped_sides_swap_the_probabilities(void **state)
{
	struct operating a, b;

	(void)state;
	assert_int_equal(boundary_compute(40, 0.02, 1, slower, scratch), STATS_OK);
	for (int i = 0; i <= 20; i++) {
		assert_int_equal(boundary_operating(40, slower, slower, i / 20.0, scratch, &a),
				 STATS_OK);
		assert_int_equal(boundary_operating(40, slower, slower, 1 - i / 20.0, scratch, &b),
				 STATS_OK);
		assert_true(fabs(a.slower - b.not_slower) < 1e-13);
		assert_true(fabs(a.expected_blocks - b.expected_blocks) < 1e-11);
		assert_true(fabs(a.slower + a.not_slower + a.undecided - 1) < 1e-13);
	}
}

static void needed_p_is_that_of_the_specification(void **state)
{
	static const struct {
		size_t n_max;
		double p;
	} rows[] = {{12, .922}, {16, .892}, {20, .837}, {30, .795},
		    {40, .756}, {60, .712}, {120, .650}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct operating at;
		double p = 0;

		plan(rows[i].n_max);
		assert_int_equal(boundary_needed_p(rows[i].n_max, slower, latch, 0.8, scratch, &p),
				 STATS_OK);
		assert_true(fabs(p - rows[i].p) <= 0.0005);
		assert_int_equal(boundary_operating(rows[i].n_max, slower, latch, p, scratch, &at),
				 STATS_OK);
		assert_true(at.slower >= 0.8 && at.slower < 0.8 + 1e-7);
	}
}

static void ignoring_the_latch_needs_no_larger_p(void **state)
{
	double with, without;

	(void)state;
	plan(60);
	assert_int_equal(boundary_needed_p(60, slower, latch, 0.8, scratch, &with), STATS_OK);
	assert_int_equal(boundary_needed_p(60, slower, NULL, 0.8, scratch, &without), STATS_OK);
	assert_true(without <= with && with - without < 0.01);
}

static void certain_blocks_stop_at_the_first_look(void **state)
{
	struct operating at;

	(void)state;
	plan(60);
	assert_int_equal(boundary_operating(60, slower, latch, 1, scratch, &at), STATS_OK);
	assert_true(at.slower == 1 && at.not_slower == 0 && at.expected_blocks == 12);
	assert_int_equal(boundary_operating(60, slower, latch, 0, scratch, &at), STATS_OK);
	assert_true(at.slower == 0 && at.not_slower == 1 && at.expected_blocks == 6);
}

static void plan_that_cannot_reject_has_no_first_look(void **state)
{
	double p = 7;

	(void)state;
	assert_int_equal(boundary_compute(5, 0.01, 2, slower, scratch), STATS_OK);
	assert_int_equal(boundary_first(slower, 5), 0);
	assert_int_equal(boundary_needed_p(5, slower, NULL, 0.8, scratch, &p), STATS_RANGE);
	assert_true(p == 7);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	static const struct {
		size_t n_max;
		double alpha, rho;
	} bad[] = {{0, .01, 2},	       {BOUNDARY_N_MAX + 1, .01, 2},
		   {60, 0, 2},	       {60, 1, 2},
		   {60, NAN, 2},       {60, .01, 0},
		   {60, .01, -1},      {60, .01, NAN},
		   {60, .01, INFINITY}};

	(void)state;
	slower[0] = 77;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(
			boundary_compute(bad[i].n_max, bad[i].alpha, bad[i].rho, slower, scratch),
			STATS_RANGE);
	assert_int_equal(slower[0], 77);
}

static void looks_out_of_order_are_refused(void **state)
{
	static const uint32_t bad[][2] = {{0, 3}, {3, 3}, {4, 3}, {3, 11}};

	(void)state;
	slower[0] = 77;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(boundary_compute_looks(10, 0.1, 1, bad[i], 2, slower, scratch),
				 STATS_RANGE);
	assert_int_equal(slower[0], 77);
}

static void operating_refuses_what_is_no_probability(void **state)
{
	struct operating at = {.slower = 7};
	double p = 7;

	(void)state;
	plan(20);
	assert_int_equal(boundary_operating(20, slower, latch, -0.1, scratch, &at), STATS_RANGE);
	assert_int_equal(boundary_operating(20, slower, latch, 1.1, scratch, &at), STATS_RANGE);
	assert_int_equal(boundary_operating(20, slower, latch, NAN, scratch, &at), STATS_RANGE);
	assert_int_equal(boundary_operating(0, slower, latch, 0.5, scratch, &at), STATS_RANGE);
	assert_int_equal(boundary_needed_p(20, slower, latch, 0, scratch, &p), STATS_RANGE);
	assert_int_equal(boundary_needed_p(20, slower, latch, 1, scratch, &p), STATS_RANGE);
	assert_int_equal(boundary_needed_p(20, slower, latch, NAN, scratch, &p), STATS_RANGE);
	assert_true(at.slower == 7 && p == 7);
}

static void the_first_and_the_last_look_may_reject(void **state)
{
	static const uint32_t looks[] = {1, 3};

	(void)state;
	assert_int_equal(boundary_compute(1, 0.6, 1, slower, scratch), STATS_OK);
	assert_int_equal(slower[0], 1);
	assert_int_equal(boundary_first(slower, 1), 1);
	assert_int_equal(boundary_compute(7, 0.01, 2, slower, scratch), STATS_OK);
	assert_int_equal(boundary_first(slower, 7), 7);
	assert_int_equal(boundary_compute_looks(3, 0.9, 0.1, looks, 2, slower, scratch), STATS_OK);
	assert_int_equal(slower[0], 1);
	assert_int_equal(slower[1], 3); /* not looked at */
	assert_int_equal(slower[2], 1); /* A_3 - 1/2 is .4; 3/8 of the paths end in 1 or 2 */
}

static void paths_that_never_stop_are_undecided(void **state)
{
	static const uint32_t never[] = {2, 3, 4};
	struct operating at;

	(void)state;
	for (int i = 0; i <= 2; i++) {
		assert_int_equal(boundary_operating(3, never, NULL, i / 2.0, scratch, &at),
				 STATS_OK);
		assert_true(at.undecided == 1 && at.expected_blocks == 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_match_the_vectors),
		cmocka_unit_test(operating_matches_the_vectors),
		cmocka_unit_test(ranks_for_60_are_those_of_the_specification),
		cmocka_unit_test(error_is_exact_by_enumeration),
		cmocka_unit_test(error_never_exceeds_what_was_asked),
		cmocka_unit_test(equality_survives_rounding),
		cmocka_unit_test(largest_plan_works),
		cmocka_unit_test(swapped_sides_swap_the_probabilities),
		cmocka_unit_test(needed_p_is_that_of_the_specification),
		cmocka_unit_test(ignoring_the_latch_needs_no_larger_p),
		cmocka_unit_test(certain_blocks_stop_at_the_first_look),
		cmocka_unit_test(plan_that_cannot_reject_has_no_first_look),
		cmocka_unit_test(arguments_outside_the_domain_are_refused),
		cmocka_unit_test(looks_out_of_order_are_refused),
		cmocka_unit_test(operating_refuses_what_is_no_probability),
		cmocka_unit_test(the_first_and_the_last_look_may_reject),
		cmocka_unit_test(paths_that_never_stop_are_undecided),
	};

	return cmocka_run_group_tests_name("stats/boundary", tests, NULL, NULL);
}
