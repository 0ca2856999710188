/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include "stats/prng.h"

static uint64_t key_of(const struct vector *v)
{
	return prng_key(vector_u64(vector_item(v->in, "seed")), vector_text(v->in, "label"));
}

static void check_words(const struct vector *v, uint64_t key)
{
	const cJSON *word;
	uint64_t counter = 0;

	cJSON_ArrayForEach(word, vector_item(v->out, "u64"))
		assert_int_equal(prng_u64(key, counter++), vector_u64(word));
}

static void check_u64(const struct vector *v)
{
	check_words(v, vector_u64(vector_item(v->in, "key")));
}

static void check_key(const struct vector *v)
{
	/* the counters that the words of this group belong to */
	static const uint64_t counters[] = {0, 1, 2, 99999, 1ull << 33};
	const cJSON *words = vector_item(v->out, "u64");
	uint64_t key = key_of(v);

	assert_int_equal(prng_fnv1a64(vector_text(v->in, "label")),
			 vector_u64(vector_item(v->out, "fnv1a")));
	assert_int_equal(key, vector_u64(vector_item(v->out, "key")));
	assert_int_equal(cJSON_GetArraySize(words), 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(prng_u64(key, counters[i]),
				 vector_u64(cJSON_GetArrayItem(words, i)));
}

static void check_index(const struct vector *v)
{
	uint64_t n = vector_u64(vector_item(v->in, "n")), counter = 0;
	const cJSON *want;

	cJSON_ArrayForEach(want, vector_item(v->out, "index"))
		assert_int_equal(prng_index(key_of(v), counter++, n), vector_u64(want));
}

static void check_double(const struct vector *v)
{
	uint64_t counter = 0;
	const cJSON *want;

	cJSON_ArrayForEach(want, vector_item(v->out, "u01"))
		vector_close(v, "u01", prng_double(key_of(v), counter++), want->valuedouble, 0, 0);
}

static void check_shuffle(const struct vector *v)
{
	size_t n = vector_count(v->in, "n"), at = 0;
	uint32_t *items = calloc(n, sizeof(*items));
	const cJSON *want;

	assert_non_null(items);
	for (uint32_t i = 0; i < n; i++)
		items[i] = i;
	prng_shuffle(key_of(v), 0, items, n);
	cJSON_ArrayForEach(want, vector_item(v->out, "order"))
		assert_int_equal(items[at++], want->valueint);
	assert_int_equal(at, n);
	free(items);
}

static void words_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("k_prng_u64", check_u64);
}

static void keys_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("k_prng_key", check_key);
}

static void indices_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("k_prng_index", check_index);
}

static void doubles_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("k_prng_double", check_double);
}

static void shuffles_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("k_prng_shuffle", check_shuffle);
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
