/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * SplitMix64 in counter mode: a word is a pure function of (seed, label, counter), so that any
 * thread may compute any draw and a resumed run draws the same. No state.
 *   mix64: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", finalizer 13
 *   key   = mix64(mix64(seed + G) ^ fnv1a64(label)),  G = 0x9E3779B97F4A7C15
 *   u(c)  = mix64(key + (c + 1) G)
 */
#include <stddef.h>
#include <stdint.h>

uint64_t prng_mix64(uint64_t z);
uint64_t prng_fnv1a64(const char *label);

/* Key of the stream `label` under `seed`. One label per analysis and benchmark. */
uint64_t prng_key(uint64_t seed, const char *label);

/* Word number `counter` of the stream. */
uint64_t prng_u64(uint64_t key, uint64_t counter);

/* Uniform in 0..n-1, n >= 1: the high 64 bits of u * n (bias < n / 2^64, one word consumed). */
uint64_t prng_index(uint64_t key, uint64_t counter, uint64_t n);

/* The same for words counter..counter + cnt - 1, in one call: ret[0..cnt). */
void prng_indices(uint64_t key, uint64_t counter, uint32_t n, uint32_t *ret, size_t cnt);

/* Uniform in [0, 1): (u >> 11) 2^-53. */
double prng_double(uint64_t key, uint64_t counter);

/* Fisher-Yates over items[0..n), from the end; draw for position i uses counter + (n - 1 - i). */
void prng_shuffle(uint64_t key, uint64_t counter, uint32_t *items, size_t n);
