/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Mean and standard deviation (n - 1 in the denominator) in two passes over differences from the
 * first value, scaled by the largest: an offset of 1e15 or values near the ends of the doubles cost
 * no digits. Equal values give exactly that mean and exactly 0. Any n >= 1, finite values. O(n).
 */
#include <stddef.h>

struct moments {
	double mean;
	double sd; /* NaN for n = 1 */
};

struct moments moments_of(const double *x, size_t n);
