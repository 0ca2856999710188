/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t); /* cannot fail for the clocks joust uses */
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Nanoseconds that the host has slept so far: BOOTTIME minus MONOTONIC. Whoever is preempted between
 * two readings would see a sleep of that length, so the closest of a few brackets is taken.
 */
static inline int64_t clock_slept_ns(void)
{
	uint64_t narrowest = UINT64_MAX;
	int64_t slept = 0;

	for (int i = 0; i < 16 && narrowest > 100000; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC);
		uint64_t boot = clock_ns(CLOCK_BOOTTIME);
		uint64_t width = clock_ns(CLOCK_MONOTONIC) - before;

		if (width >= narrowest)
			continue;
		narrowest = width;
		slept = (int64_t)(boot - before);
	}
	return slept;
}
