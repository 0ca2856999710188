/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include "stats/prng.h"

static void words_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("k_prng_u64");
}

static void keys_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("k_prng_key");
}

static void indices_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("k_prng_index");
}

static void doubles_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("k_prng_double");
}

static void shuffles_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("k_prng_shuffle");
}

static void index_is_the_high_half_of_the_product(void **state)
{
	static const uint64_t sizes[] = {
		1, 2, 3, 0xFFFFFFFFu, 1ull << 32, 1ull << 63, 0xFFFFFFFFFFFFFFFFu};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (uint64_t c = 0; c < 200; c++) {
			unsigned __int128 product = (unsigned __int128)prng_u64(5, c) * sizes[i];

			assert_int_equal(prng_index(5, c, sizes[i]), (uint64_t)(product >> 64));
		}
}

static void shuffle_of_none_or_one_changes_nothing(void **state)
{
	uint32_t item = 7;

	(void)state;
	prng_shuffle(1, 0, NULL, 0);
	prng_shuffle(1, 0, &item, 1);
	assert_int_equal(item, 7);
}

static void shuffle_starts_at_its_counter(void **state)
{
	uint32_t items[2] = {0, 1};

	(void)state;
	for (uint64_t c = 0; c < 64; c++) {
		uint32_t low = items[0], high = items[1];
		bool keep = prng_index(3, c, 2) == 1;

		prng_shuffle(3, c, items, 2);
		assert_int_equal(items[0], keep ? low : high);
		assert_int_equal(items[1], keep ? high : low);
	}
}

static void double_stays_below_one(void **state)
{
	(void)state;
	for (uint64_t c = 0; c < 10000; c++) {
		double u = prng_double(11, c);

		assert_true(u >= 0 && u < 1);
	}
}

static void indices_in_one_call_are_the_same(void **state)
{
	const uint32_t n[] = {1, 10, 1u << 31, UINT32_MAX};
	uint32_t got[1000];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		prng_indices(5, 77, n[i], got, 1000);
		for (size_t j = 0; j < 1000; j++)
			assert_int_equal(got[j], prng_index(5, 77 + j, n[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_match_the_vectors),
		cmocka_unit_test(keys_match_the_vectors),
		cmocka_unit_test(indices_match_the_vectors),
		cmocka_unit_test(doubles_match_the_vectors),
		cmocka_unit_test(shuffles_match_the_vectors),
		cmocka_unit_test(index_is_the_high_half_of_the_product),
		cmocka_unit_test(shuffle_of_none_or_one_changes_nothing),
		cmocka_unit_test(shuffle_starts_at_its_counter),
		cmocka_unit_test(double_stays_below_one),
		cmocka_unit_test(indices_in_one_call_are_the_same),
	};

	return cmocka_run_group_tests_name("stats/prng", tests, NULL, NULL);
}
