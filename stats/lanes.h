/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Two doubles at a time, what every x86-64 (SSE2) and AArch64 has: each operation rounds each lane as
 * it would a double, so that no result depends on the width of the machine. gcc and clang.
 */
#include <math.h>
#include <stdint.h>

#define LANES 2

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t lane_masks __attribute__((vector_size(LANES * sizeof(double))));
/* The same at the address of any double. */
typedef double loose_lanes
	__attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/*
 * Loops over parts of an array of lanes: unrolled, the array is in registers; -O2 by itself does not
 * unroll, and then it is in memory (2.7 times slower).
 */
#define FOR_EACH_LANES(k, cnt) _Pragma("GCC unroll 8") for (unsigned k = 0; k < (cnt); k++)

static inline __attribute__((always_inline)) lanes lanes_where(lane_masks m, lanes a, lanes b)
{
	return (lanes)(((lane_masks)a & m) | ((lane_masks)b & ~m));
}

static inline __attribute__((always_inline)) lanes lanes_abs(lanes a)
{
	return (lanes)((lane_masks)a & INT64_MAX);
}

static inline __attribute__((always_inline)) lanes lanes_max(lanes a, lanes b)
{
	return lanes_where(a > b, a, b);
}

static inline __attribute__((always_inline)) lanes lanes_sqrt(lanes a)
{
#ifdef __SSE2__
	return __builtin_ia32_sqrtpd(
		a); /* two calls of sqrt are not made one: they may set errno */
#else
	return (lanes){sqrt(a[0]), sqrt(a[1])};
#endif
}
