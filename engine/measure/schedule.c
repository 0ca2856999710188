/* SPDX-License-Identifier: BSD-2-Clause */
#include "schedule.h"

#include <stdio.h>
#include "../../stats/prng.h"

#define SLOTS_PER_STAGE 4096
#define COINS_PER_BLOCK 16
#define BALANCED_MAX	64

static uint64_t stream_key(uint64_t seed, const char *stream, const char *name)
{
	char label[sizeof("environment/") + 256]; /* names have at most 256 bytes */

	(void)snprintf(label, sizeof(label), "%s/%s", stream, name);
	return prng_key(seed, label);
}

static enum side coin(uint64_t key, uint64_t counter)
{
	return prng_index(key, counter, SIDE_CNT) ? SIDE_CANDIDATE : SIDE_BASELINE;
}

struct rec_coins schedule_coins(uint64_t seed, const char *name, unsigned stage, unsigned slot,
				size_t m)
{
	uint64_t key = stream_key(seed, "schedule", name);
	uint64_t c = ((uint64_t)stage * SLOTS_PER_STAGE + slot) * COINS_PER_BLOCK;

	return (struct rec_coins){
		.spawned_first = coin(key, c),
		.majority = coin(key, c + 1),
		.arrangement = (uint32_t)prng_index(key, c + 2, schedule_arrangements(m)),
		.slot0 = coin(key, c + 3),
		.leaf0 = coin(key, c + 4),
		.low_fds = coin(key, c + 5),
	};
}

enum side schedule_balanced(uint64_t seed, const char *name, unsigned stage, unsigned slot,
			    size_t blocks)
{
	uint32_t items[BALANCED_MAX];
	size_t n = blocks < BALANCED_MAX ? blocks : BALANCED_MAX;

	for (size_t i = 0; i < n; i++)
		items[i] = (uint32_t)i;
	prng_shuffle(stream_key(seed, "schedule", name), 1ull << 40 | (uint64_t)stage << 32, items,
		     n);
	return slot < n && items[slot] < n / 2 ? SIDE_CANDIDATE : SIDE_BASELINE;
}

uint64_t schedule_resamples(uint64_t seed, const char *name)
{
	return stream_key(seed, "max-t", name);
}

size_t schedule_environment(uint64_t seed, const char *name, unsigned stage, unsigned slot)
{
	uint64_t c = (uint64_t)stage * SLOTS_PER_STAGE + slot;

	return prng_index(stream_key(seed, "environment", name), c, ENVIRONMENT_STEPS) *
	       ENVIRONMENT_STEP;
}

/* C(n, k); exact: every intermediate product is itself a binomial coefficient times i. */
static uint64_t choose(size_t n, size_t k)
{
	uint64_t c = 1;

	if (k > n)
		return 0;
	if (k > n - k)
		k = n - k;
	for (size_t i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return c;
}

uint64_t schedule_arrangements(size_t m)
{
	return choose(m, (m + 1) / 2);
}

void schedule_first(const struct rec_coins *coins, size_t m, enum side *ret_first)
{
	enum side minority = coins->majority == SIDE_BASELINE ? SIDE_CANDIDATE : SIDE_BASELINE;
	uint64_t rank = coins->arrangement;
	size_t left = (m + 1) / 2; /* places of the majority that are still to be given */

	for (size_t i = 0; i < m; i++) {
		/* the arrangements that go on with the majority here come first */
		uint64_t here = left ? choose(m - i - 1, left - 1) : 0;

		if (rank < here) {
			ret_first[i] = coins->majority;
			left--;
		} else {
			ret_first[i] = minority;
			rank -= here;
		}
	}
}

void schedule_round(uint64_t seed, unsigned stage, unsigned round, size_t cnt, uint32_t *ret_order)
{
	uint64_t counter = (uint64_t)stage << 56 | (uint64_t)round << 32;

	for (size_t i = 0; i < cnt; i++)
		ret_order[i] = (uint32_t)i;
	prng_shuffle(prng_key(seed, "schedule"), counter, ret_order, cnt);
}
