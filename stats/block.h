/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What a block of pairs is worth: the one number that a stage is judged by. Swapping the sides gives its
 * inverse, up to rounding: m is odd, and of an even number the last pair is left out.
 */
#include <stddef.h>

enum block_value {
	BLOCK_MEDIAN, /* of the pairs' ratios: blind to what befalls fewer than half of them */
	BLOCK_SUM,    /* the sides' sums: rare costs count */
};

/*
 * base and cand: m values each, pair by pair, in one unit. NaN for m = 0, and where a value is not
 * above 0 or not finite. scratch: 2 m doubles. O(m log m).
 */
double block_ratio(enum block_value how, const double *base, const double *cand, size_t m,
		   double *scratch);
