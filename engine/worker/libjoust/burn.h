/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A slowdown of a known size, for `joust aa --inject`. What a slice takes is known from the windows before
 * it, and is burnt by counting: to read the clock within the slice costs 1 % of one of 0.1 ms.
 */
#include <stdint.h>
#include "protocol.h"

#pragma GCC visibility push(hidden)

struct joust_burn {
	double iteration_ns; /* CPU time without what was burnt; 0: not known yet */
	double steps_per_ns; /* of this process: 0: not known yet */
};

/* From a window of n iterations a slice, of each of which ppm millionths were burnt on top. */
void joust_burn__learn(struct joust_burn *burn, const struct frame_sample *s, uint32_t ppm);

/* What is to be counted in a slice of n iterations; 0 where that is not known yet. */
uint64_t joust_burn__steps(const struct joust_burn *burn, uint64_t n, uint32_t ppm);

void joust_burn_count(uint64_t steps);

#pragma GCC visibility pop
