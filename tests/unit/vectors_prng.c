/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

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

void check_k_prng_u64(const struct vector *v)
{
	check_words(v, vector_u64(vector_item(v->in, "key")));
}

void check_k_prng_key(const struct vector *v)
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

void check_k_prng_index(const struct vector *v)
{
	uint64_t n = vector_u64(vector_item(v->in, "n")), counter = 0;
	const cJSON *want;

	cJSON_ArrayForEach(want, vector_item(v->out, "index"))
		assert_int_equal(prng_index(key_of(v), counter++, n), vector_u64(want));
}

void check_k_prng_double(const struct vector *v)
{
	uint64_t counter = 0;
	const cJSON *want;

	cJSON_ArrayForEach(want, vector_item(v->out, "u01"))
		vector_close(v, "u01", prng_double(key_of(v), counter++), want->valuedouble, 0, 0);
}

void check_k_prng_shuffle(const struct vector *v)
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
