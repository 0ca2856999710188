/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Twenty small benchmarks of different kinds, each with its set-up, for the tables of `table` beside
 * this file; and `many`, a hundred more, for what a suite costs by the number of its benchmarks.
 */
#include <joust.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void *must_alloc(struct joust *b, size_t len)
{
	void *p = calloc(1, len);

	if (!p)
		joust_fail(b, "out of memory");
	return p;
}

JOUST_BENCH(add, "add: a chain of additions")
{
	uint64_t x = random64();

	JOUST_LOOP(b) {
		for (int i = 0; i < 300; i++) {
			x += (uint64_t)i;
			joust_keep(x);
		}
	}
}

JOUST_BENCH(multiply, "multiply: a chain of products")
{
	uint64_t x = random64() | 1;

	JOUST_LOOP(b) {
		for (int i = 0; i < 200; i++)
			x *= 6364136223846793005u;
		joust_keep(x);
	}
}

JOUST_BENCH(divide, "divide: a chain of quotients")
{
	uint64_t x = random64();

	JOUST_LOOP(b) {
		for (int i = 1; i < 60; i++)
			x = x / (uint64_t)i + 977777777777777777u;
		joust_keep(x);
	}
}

JOUST_BENCH(shift, "shift: random numbers")
{
	JOUST_LOOP(b) {
		for (int i = 0; i < 100; i++)
			joust_keep(random64());
	}
}

static int by_value(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

JOUST_BENCH(sort, "sort: 64 random numbers")
{
	int from[64], copy[64];

	for (size_t i = 0; i < 64; i++)
		from[i] = (int)(random64() % 1000);
	JOUST_LOOP(b) {
		memcpy(copy, from, sizeof(copy));
		qsort(copy, 64, sizeof(*copy), by_value);
		joust_keep_at(&copy);
	}
}

JOUST_BENCH(bisect, "bisect: 16 of 4096")
{
	int table[4096];

	for (int i = 0; i < 4096; i++)
		table[i] = 3 * i;
	JOUST_LOOP(b) {
		for (int i = 0; i < 16; i++) {
			int key = (int)(random64() % 12288);

			joust_keep(bsearch(&key, table, 4096, sizeof(*table), by_value));
		}
	}
}

static uint32_t hash(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 16777619u;
	return h;
}

JOUST_BENCH(hash_page, "hash: 1 KiB")
{
	char text[1024];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)random64();
	JOUST_LOOP(b) {
		joust_keep_at(&text);
		joust_keep(hash(text, sizeof(text)));
	}
}

static void copy(struct joust *b, size_t len)
{
	char *from = must_alloc(b, len), *to = must_alloc(b, len);

	if (from && to) {
		JOUST_LOOP(b) {
			memcpy(to, from, len);
			joust_clobber();
		}
	}
	free(from);
	free(to);
}

JOUST_BENCH(copy_small, "copy: 4 KiB")
{
	copy(b, 4096);
}

JOUST_BENCH(copy_large, "copy: 1 MiB")
{
	copy(b, 1 << 20);
}

JOUST_BENCH(text_length, "text: length of 2,000")
{
	char text[2001];

	memset(text, 'a', 2000);
	text[2000] = 0;
	JOUST_LOOP(b) {
		joust_keep_at(&text);
		joust_keep(strlen(text));
	}
}

/* A cycle through all of cnt places, in random order. */
static void walk(struct joust *b, size_t cnt, size_t steps)
{
	size_t *next = must_alloc(b, cnt * sizeof(*next)), at = 0;

	for (size_t i = 0; next && i < cnt; i++)
		next[i] = i;
	for (size_t i = cnt - 1; next && i > 0; i--) { /* Sattolo's algorithm */
		size_t j = random64() % i, swap = next[i];

		next[i] = next[j];
		next[j] = swap;
	}
	if (next) {
		JOUST_LOOP(b) {
			for (size_t i = 0; i < steps; i++)
				at = next[at];
			joust_keep(at);
		}
	}
	free(next);
}

JOUST_BENCH(walk_small, "walk: 4 KiB")
{
	walk(b, 512, 200);
}

JOUST_BENCH(walk_large, "walk: 4 MiB")
{
	walk(b, 524288, 100);
}

JOUST_BENCH(heap_same, "heap: blocks of one size")
{
	void *block[64];

	JOUST_LOOP(b) {
		for (size_t i = 0; i < 64; i++) {
			block[i] = malloc(48);
			joust_keep(block[i]);
		}
		for (size_t i = 0; i < 64; i++)
			free(block[i]);
	}
}

JOUST_BENCH(heap_mixed, "heap: blocks of random size")
{
	void *block[64] = {0};

	JOUST_LOOP(b) {
		for (size_t i = 0; i < 32; i++) {
			size_t at = random64() % 64;

			free(block[at]);
			block[at] = malloc(16 + random64() % 2000);
			joust_keep(block[at]);
		}
	}
	for (size_t i = 0; i < 64; i++)
		free(block[i]);
}

JOUST_BENCH(matrix, "matrix: 16 x 16")
{
	double x[16][16], y[16][16], z[16][16];

	for (int i = 0; i < 256; i++) {
		x[i / 16][i % 16] = i;
		y[i / 16][i % 16] = 1.0 / (1 + i);
	}
	JOUST_LOOP(b) {
		joust_keep_at(&x);
		for (int i = 0; i < 16; i++) {
			for (int j = 0; j < 16; j++) {
				double sum = 0;

				for (int k = 0; k < 16; k++)
					sum += x[i][k] * y[k][j];
				z[i][j] = sum;
			}
		}
		joust_keep_at(&z);
	}
}

JOUST_BENCH(roots, "roots: sines and roots")
{
	double x = 1;

	JOUST_LOOP(b) {
		for (int i = 0; i < 40; i++)
			x = sin(x) + sqrt(x + i);
		joust_keep(x);
	}
}

JOUST_BENCH(numbers, "numbers: read 20")
{
	static const char text[] = "1 22 333 4444 55555 666666 7777777 88888888 999999999 10 "
				   "11 -2 -33 -444 -5555 -66666 -777777 -8888888 -99999999 0";

	JOUST_LOOP(b) {
		char *rest = (char *)text;
		long sum = 0;

		for (int i = 0; i < 20; i++)
			sum += strtol(rest, &rest, 10);
		joust_keep(sum);
	}
}

JOUST_BENCH(format, "format: 5 lines")
{
	char line[128];

	JOUST_LOOP(b) {
		for (int i = 0; i < 5; i++) {
			(void)snprintf(line, sizeof(line), "%d: %s is %u", i, "a name",
				       1000u * (unsigned)i);
			joust_keep_at(&line);
		}
	}
}

JOUST_BENCH(branches, "branches: one in two")
{
	unsigned char coin[1000];
	long sum = 0;

	for (size_t i = 0; i < sizeof(coin); i++)
		coin[i] = random64() & 1;
	JOUST_LOOP(b) {
		for (size_t i = 0; i < sizeof(coin); i++) {
			if (coin[i])
				sum += 3;
			else
				sum ^= 5;
			joust_keep(sum);
		}
	}
}

JOUST_BENCH(bits, "bits: distance of 1 KiB")
{
	uint64_t x[128], y[128];

	for (size_t i = 0; i < 128; i++) {
		x[i] = random64();
		y[i] = random64();
	}
	JOUST_LOOP(b) {
		int sum = 0;

		joust_keep_at(&x);
		for (size_t i = 0; i < 128; i++)
			sum += __builtin_popcountll(x[i] ^ y[i]);
		joust_keep(sum);
	}
}

JOUST_BENCH_PARAMS(many, "many",
		   JOUST_PARAM("tens", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		   JOUST_PARAM("ones", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"))
{
	uint64_t x = random64(), rounds = 200 + (uint64_t)joust_param_long(b, "tens") * 10 +
					  (uint64_t)joust_param_long(b, "ones");

	JOUST_LOOP(b) {
		for (uint64_t i = 0; i < rounds; i++)
			x = x * 6364136223846793005u + i;
		joust_keep(x);
	}
}
