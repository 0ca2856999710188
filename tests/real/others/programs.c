/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One kernel, of 20 to 50 ms, as a program or (compiled as C++) as a benchmark of Google's library. KERNEL
 * is its name, PERCENT how much more it does.
 */
#include <stdint.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <benchmark/benchmark.h>
#endif

#ifndef PERCENT
#define PERCENT 0
#endif

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t spin(long rounds)
{
	uint64_t x = 1;

	for (long i = 0; i < 100 * rounds; i++)
		x = x * 6364136223846793005u + random64();
	return x;
}

#define PLACES 65536

static uint32_t next[PLACES];

/* A cycle through all places in random order (Sattolo's algorithm). */
static void make_cycle(void)
{
	for (uint32_t i = 0; i < PLACES; i++)
		next[i] = i;
	for (uint32_t i = PLACES - 1; i > 0; i--) {
		uint32_t j = (uint32_t)(random64() % i), swap = next[i];

		next[i] = next[j];
		next[j] = swap;
	}
}

static uint64_t walk(long rounds)
{
	uint32_t at = 0;

	if (!next[0] && !next[1])
		make_cycle();
	for (long i = 0; i < 60 * rounds; i++)
		at = next[at];
	return at;
}

static uint64_t heap(long rounds)
{
	static void *block[256];

	for (long i = 0; i < 4 * rounds; i++) {
		size_t at = random64() % 256;

		free(block[at]);
		block[at] = malloc(16 + random64() % 2000);
	}
	return (uintptr_t)block[0];
}

#define ROUNDS (50 * (100 + PERCENT))

#ifdef __cplusplus
static void run(benchmark::State &s)
{
	(void)spin;
	(void)walk;
	(void)heap;
	for (auto _ : s)
		benchmark::DoNotOptimize(KERNEL(ROUNDS));
}
BENCHMARK(run);
BENCHMARK_MAIN();
#else
int main(void)
{
	volatile uint64_t result;

	(void)spin;
	(void)walk;
	(void)heap;
	for (int i = 0; i < 20; i++)
		result = KERNEL(ROUNDS);
	(void)result;
	return 0;
}
#endif
