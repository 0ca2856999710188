/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* FNV-1a, 64 bits: names and labels, and nothing that an adversary chooses. */
#include <stdint.h>

#define FNV1A64_BASIS 0xCBF29CE484222325u
#define FNV1A64_PRIME 0x100000001B3u

static inline uint64_t fnv1a64_add(uint64_t h, unsigned char byte)
{
	return (h ^ byte) * FNV1A64_PRIME;
}

/* Of the text without its end. */
static inline uint64_t fnv1a64(const char *text)
{
	uint64_t h = FNV1A64_BASIS;

	for (; *text; text++)
		h = fnv1a64_add(h, (unsigned char)*text);
	return h;
}
