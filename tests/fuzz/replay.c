/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stands in for libFuzzer: gives a fuzz target every file that is named, cut short at each of its first
 * bytes, and with a few bytes changed, the same ones every time. It knows nothing of coverage: what
 * `make fuzz` searches, this holds.
 *
 * usage: fuzz_X COUNT FILE...	COUNT changed copies of each file
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stats/prng.h"

#define BYTES_MAX (1 << 16)
#define CUTS_MAX  256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes that parsers look for. */
static const uint8_t special[] = "\0\n\r\t \"'\\/=:,;-.()[]{}#09x\x7f\x80\xc3\xff";

/* A copy of exact length, so that a sanitizer sees what is read behind it. */
static void give(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

struct rng {
	uint64_t key, counter;
};

static size_t below(struct rng *rng, size_t n)
{
	return n ? (size_t)prng_index(rng->key, rng->counter++, n) : 0;
}

static size_t change(struct rng *rng, uint8_t *data, size_t size)
{
	size_t at = below(rng, size), other = below(rng, size), len;

	switch (below(rng, 5)) {
	case 0:
		if (size)
			data[at] ^= (uint8_t)(1u << below(rng, 8));
		break;
	case 1:
		if (size)
			data[at] = special[below(rng, sizeof(special) - 1)];
		break;
	case 2: /* one more byte */
		if (size == BYTES_MAX)
			break;
		memmove(data + at + 1, data + at, size - at);
		data[at] = special[below(rng, sizeof(special) - 1)];
		return size + 1;
	case 3: /* a few less */
		len = below(rng, size - at < 9 ? size - at : 9);
		memmove(data + at, data + at + len, size - at - len);
		return size - len;
	default: /* a piece of it in another place */
		len = below(rng, size - (at > other ? at : other));
		memmove(data + at, data + other, len);
	}
	return size;
}

static void give_all(const uint8_t *seed, size_t size, unsigned long cnt, struct rng *rng)
{
	static uint8_t data[BYTES_MAX];

	give(seed, size);
	for (size_t cut = 0; cut < size && cut < CUTS_MAX; cut++)
		give(seed, cut);
	for (unsigned long i = 0; i < cnt; i++) {
		size_t len = size, changes = 1 + below(rng, 4);

		memcpy(data, seed, size);
		for (size_t c = 0; c < changes; c++)
			len = change(rng, data, len);
		give(data, len);
	}
}

int main(int argc, char **argv)
{
	static uint8_t seed[BYTES_MAX];
	struct rng rng = {.key = prng_key(1, "replay")};

	if (argc < 3)
		return 64;
	for (int i = 2; i < argc; i++) {
		FILE *f = fopen(argv[i], "re");
		size_t size = f ? fread(seed, 1, sizeof(seed), f) : 0;

		if (!f || ferror(f)) {
			perror(argv[i]);
			return 1;
		}
		(void)fclose(f);
		rng.counter = 0;
		give_all(seed, size, strtoul(argv[1], NULL, 10), &rng);
	}
	return 0;
}
