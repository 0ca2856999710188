/* SPDX-License-Identifier: BSD-2-Clause */
#include "prng.h"
#include "fnv.h"

static const uint64_t golden = 0x9E3779B97F4A7C15u;

uint64_t prng_mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

uint64_t prng_fnv1a64(const char *label)
{
	return fnv1a64(label);
}

uint64_t prng_key(uint64_t seed, const char *label)
{
	return prng_mix64(prng_mix64(seed + golden) ^ prng_fnv1a64(label));
}

uint64_t prng_u64(uint64_t key, uint64_t counter)
{
	return prng_mix64(key + (counter + 1) * golden);
}

/* By halves: a 128-bit integer type does not exist on every target. */
static uint64_t high_product(uint64_t a, uint64_t b)
{
	uint64_t a_lo = (uint32_t)a, a_hi = a >> 32;
	uint64_t b_lo = (uint32_t)b, b_hi = b >> 32;
	uint64_t mid = a_hi * b_lo + ((a_lo * b_lo) >> 32);
	uint64_t low = a_lo * b_hi + (uint32_t)mid;

	return a_hi * b_hi + (mid >> 32) + (low >> 32);
}

uint64_t prng_index(uint64_t key, uint64_t counter, uint64_t n)
{
	return high_product(prng_u64(key, counter), n);
}

void prng_indices(uint64_t key, uint64_t counter, uint32_t n, uint32_t *ret, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		uint64_t u = prng_u64(key, counter + i);

		/* high_product, whose second half is 0 and which does not overflow */
		ret[i] = (uint32_t)(((u >> 32) * n + (((uint32_t)u * (uint64_t)n) >> 32)) >> 32);
	}
}

double prng_double(uint64_t key, uint64_t counter)
{
	return (double)(prng_u64(key, counter) >> 11) * 0x1p-53;
}

void prng_shuffle(uint64_t key, uint64_t counter, uint32_t *items, size_t n)
{
	for (size_t i = n; i-- > 1;) {
		size_t j = (size_t)prng_index(key, counter + (n - 1 - i), i + 1);
		uint32_t held = items[i];

		items[i] = items[j];
		items[j] = held;
	}
}
