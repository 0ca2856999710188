/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/measure/schedule.h"
#include "stats/prng.h"

#define SLOTS 4096

static const size_t odd[] = {1, 3, 5, 9};

/* Counts of a fair coin lie within 4.5 standard deviations but once in 150,000 times. */
static void assert_share(size_t hits, size_t n, double p)
{
	double sd = sqrt((double)n * p * (1 - p));

	assert_true(fabs((double)hits - (double)n * p) < 4.5 * sd);
}

static unsigned coin_bits(const struct rec_coins *c)
{
	return (unsigned)c->spawned_first | (unsigned)c->majority << 1 | (unsigned)c->slot0 << 2 |
	       (unsigned)c->leaf0 << 3 | (unsigned)c->low_fds << 4;
}

static void coins_are_fair_and_unrelated(void **state)
{
	size_t joint[5][5] = {{0}}, follows[5] = {0};
	unsigned before = 0;

	(void)state;
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		struct rec_coins c = schedule_coins(7421, "parse: large", 1, slot, 3);
		unsigned bits = coin_bits(&c);

		for (size_t i = 0; i < 5; i++) {
			follows[i] += (bits >> i & 1) == (before >> i & 1);
			for (size_t j = 0; j < 5; j++)
				joint[i][j] += (bits >> i & 1) && (bits >> j & 1);
		}
		before = bits;
	}
	for (size_t i = 0; i < 5; i++) {
		assert_share(follows[i], SLOTS, .5);
		for (size_t j = 0; j < 5; j++)
			assert_share(joint[i][j], SLOTS, i == j ? .5 : .25);
	}
}

static void arrangements_are_uniform_and_unrelated_to_the_majority(void **state)
{
	size_t seen[2][10] = {{0}};

	(void)state;
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		struct rec_coins c = schedule_coins(1, "a", 2, slot, 5);

		assert_in_range(c.arrangement, 0, 9);
		seen[c.majority][c.arrangement]++;
	}
	for (size_t side = 0; side < 2; side++)
		for (size_t a = 0; a < 10; a++)
			assert_share(seen[side][a], SLOTS, 1 / 20.);
}

static void every_pair_is_fair(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(odd) / sizeof(odd[0]); k++) {
		size_t m = odd[k], candidate_first[9] = {0};
		enum side first[9];

		for (unsigned slot = 0; slot < SLOTS; slot++) {
			struct rec_coins c = schedule_coins(5, "b", 1, slot, m);

			schedule_first(&c, m, first);
			for (size_t i = 0; i < m; i++)
				candidate_first[i] += first[i] == SIDE_CANDIDATE;
		}
		for (size_t i = 0; i < m; i++)
			assert_share(candidate_first[i], SLOTS, .5);
	}
}

static void coins_stand_where_the_design_says(void **state)
{
	uint64_t key = prng_key(7421, "schedule/write: pretty");
	uint64_t at = (2 * 4096 + 17) * 16;
	struct rec_coins c = schedule_coins(7421, "write: pretty", 2, 17, 3);

	(void)state;
	assert_int_equal(c.spawned_first, prng_index(key, at, 2));
	assert_int_equal(c.majority, prng_index(key, at + 1, 2));
	assert_int_equal(c.arrangement, prng_index(key, at + 2, 3));
	assert_int_equal(c.slot0, prng_index(key, at + 3, 2));
	assert_int_equal(c.leaf0, prng_index(key, at + 4, 2));
	assert_int_equal(c.low_fds, prng_index(key, at + 5, 2));
}

/* Records that exist can be checked against their seed only while this holds. */
static void the_stream_never_changes(void **state)
{
	char got[8 * 8 + 1] = "";

	(void)state;
	for (unsigned slot = 0; slot < 8; slot++) {
		struct rec_coins c = schedule_coins(7421, "parse", 1, slot, 9);
		char one[16];

		(void)snprintf(one, sizeof(one), "%02x:%03u ", coin_bits(&c), c.arrangement);
		strncat(got, one, sizeof(got) - strlen(got) - 1);
	}
	assert_string_equal(got, "19:062 01:105 07:120 07:039 18:039 06:047 1d:099 0f:046 ");
}

static size_t majority_places(const enum side *first, size_t m, char *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < m; i++)
		if (first[i] == SIDE_CANDIDATE)
			ret[n++] = (char)('a' + i);
	ret[n] = 0;
	return n;
}

static void arrangements_are_numbered_lexicographically(void **state)
{
	static const size_t expected[] = {1, 3, 10, 126};

	(void)state;
	for (size_t k = 0; k < sizeof(odd) / sizeof(odd[0]); k++) {
		size_t m = odd[k];
		char places[16], before[16] = "";
		enum side first[9];

		assert_int_equal(schedule_arrangements(m), expected[k]);
		for (uint32_t a = 0; a < expected[k]; a++) {
			struct rec_coins c = {.majority = SIDE_CANDIDATE, .arrangement = a};

			schedule_first(&c, m, first);
			assert_int_equal(majority_places(first, m, places), (m + 1) / 2);
			assert_true(strcmp(places, before) > 0);
			strcpy(before, places);
		}
	}
	assert_int_equal(schedule_arrangements(33), 1166803110);
	assert_true(schedule_arrangements(61) == 232714176627630544u);
}

static void flipping_the_coins_turns_every_pair_round(void **state)
{
	(void)state;
	for (unsigned slot = 0; slot < 200; slot++) {
		size_t m = odd[slot % 4];
		struct rec_coins c = schedule_coins(slot, "x", 3, slot, m), flipped = c;
		enum side first[9], other[9];

		flipped.majority = !c.majority;
		schedule_first(&c, m, first);
		schedule_first(&flipped, m, other);
		for (size_t i = 0; i < m; i++)
			assert_int_equal(other[i], !first[i]);
	}
}

static void blocks_stages_and_names_have_coins_of_their_own(void **state)
{
	size_t name = 0, stage = 0, seed = 0;

	(void)state;
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		enum side here = schedule_coins(1, "a", 1, slot, 3).majority;

		name += here == schedule_coins(1, "b", 1, slot, 3).majority;
		stage += here == schedule_coins(1, "a", 2, slot, 3).majority;
		seed += here == schedule_coins(2, "a", 1, slot, 3).majority;
	}
	assert_share(name, SLOTS, .5);
	assert_share(stage, SLOTS, .5);
	assert_share(seed, SLOTS, .5);
}

static void a_round_is_a_uniform_order(void **state)
{
	size_t at[4][4] = {{0}};
	uint32_t order[4];

	(void)state;
	for (unsigned round = 0; round < SLOTS; round++) {
		unsigned seen = 0;

		schedule_round(9, 1 + round % 3, round, 4, order);
		for (size_t i = 0; i < 4; i++) {
			seen |= 1u << order[i];
			at[i][order[i]]++;
		}
		assert_int_equal(seen, 15);
	}
	for (size_t i = 0; i < 16; i++)
		assert_share(at[i / 4][i % 4], SLOTS, .25);
	schedule_round(9, 1, 0, 0, order); /* nothing to order */
}

/* Sizes of the environment: every step of a page about as often, and another in nearly every block. */
static void environments_are_of_every_size(void **state)
{
	size_t seen[ENVIRONMENT_STEPS] = {0}, equal = 0, last = 0;

	(void)state;
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		size_t bytes = schedule_environment(7421, "parse: large", 1, slot);

		assert_int_equal(bytes % ENVIRONMENT_STEP, 0);
		assert_true(bytes / ENVIRONMENT_STEP < ENVIRONMENT_STEPS);
		assert_int_equal(bytes, schedule_environment(7421, "parse: large", 1, slot));
		seen[bytes / ENVIRONMENT_STEP]++;
		equal += slot && bytes == last;
		last = bytes;
	}
	for (size_t i = 0; i < ENVIRONMENT_STEPS; i++)
		assert_true(seen[i] > 0 && seen[i] < 45); /* 16 expected */
	assert_true(equal < 40);
	for (unsigned stage = 0, same = 0; stage < 4; stage++) {
		same += schedule_environment(1, "a", stage, 0) ==
			schedule_environment(1, "a", stage + 1, 0);
		same += schedule_environment(1, "a", stage, 0) ==
			schedule_environment(1, "b", stage, 0);
		assert_true(same < 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coins_are_fair_and_unrelated),
		cmocka_unit_test(arrangements_are_uniform_and_unrelated_to_the_majority),
		cmocka_unit_test(every_pair_is_fair),
		cmocka_unit_test(coins_stand_where_the_design_says),
		cmocka_unit_test(the_stream_never_changes),
		cmocka_unit_test(arrangements_are_numbered_lexicographically),
		cmocka_unit_test(flipping_the_coins_turns_every_pair_round),
		cmocka_unit_test(blocks_stages_and_names_have_coins_of_their_own),
		cmocka_unit_test(a_round_is_a_uniform_order),
		cmocka_unit_test(environments_are_of_every_size),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
