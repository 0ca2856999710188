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

/* Nanoseconds that the host has slept so far: BOOTTIME minus MONOTONIC. */
static inline int64_t clock_slept_ns(void)
{
	return (int64_t)(clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC));
}
