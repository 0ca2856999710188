/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * How many pairs a block should have, from a few blocks measured beforehand. Model: the log ratio of a
 * pair is block + pair, both about normal; the value of a block is the median of its m pairs, m odd:
 *   s(m)^2 = between^2 + V(m) within^2,  V(m) the variance of the median of m standard normals.
 * within and between are Shamos's (1976): the median of all |x_i - x_j|, i < j, scaled; of pairs within
 * their blocks, and of the blocks' medians, whose share of the pairs is taken off. Few blocks spread by
 * chance: between is 0 unless the variance of the medians is 6 times what the pairs account for (the 1 %
 * point of F with 3 and 8 degrees is 7.6). Units: logs.
 */
#include <stddef.h>
#include "error.h"

#define PAIRS_MOST 9 /* more are never planned */

struct pairs_spread {
	double within, between;
};

/* Doubles that pairs_spread needs as scratch. */
size_t pairs_scratch(size_t blocks, size_t m);

/*
 * y: the log ratios of `blocks` >= 2 blocks of m pairs each, block by block; m odd, 3 to PAIRS_MOST.
 * Errors: RANGE, NONFINITE. O(n log n) in the number of differences.
 */
enum stats_error pairs_spread(const double *y, size_t blocks, size_t m, double *scratch,
			      struct pairs_spread *ret);

/* s(m); NaN where m is even or above PAIRS_MOST. */
double pairs_predict(const struct pairs_spread *s, size_t m);

/*
 * The smallest odd m from `least` to PAIRS_MOST with s(m) <= wanted. Where there is none, the smallest
 * that comes within a tenth of s(PAIRS_MOST): what lies between blocks is not paid for in pairs. A
 * `least` above PAIRS_MOST or even stays.
 */
size_t pairs_choose(const struct pairs_spread *s, size_t least, double wanted);
