/* SPDX-License-Identifier: BSD-2-Clause */
#include "canary.h"
#include <math.h>
#include <time.h>
#include "../util/clock.h"

#define TRIES	  16
#define TRY_TURNS 4096

/* Each turn needs the one before: neither a wider nor an idle neighbour makes it faster. */
static void spin(uint64_t turns)
{
	uint64_t x = turns | 1;

	for (; turns > 0; turns--) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x)); /* the compiler must not do them all at once */
	}
}

double canary_ns(uint64_t turns)
{
	uint64_t from = clock_ns(CLOCK_MONOTONIC);

	spin(turns);
	return (double)(clock_ns(CLOCK_MONOTONIC) - from);
}

uint64_t canary_turns(void)
{
	double least = INFINITY;

	for (int i = 0; i < TRIES; i++)
		least = fmin(least, canary_ns(TRY_TURNS));
	/* a clock that stands still: any number will do, the canary is dead anyway */
	return least >= 1 ? (uint64_t)(CANARY_NS * (double)TRY_TURNS / least) : TRY_TURNS;
}
