/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The speed canary: a fixed spin of the caller, on whatever CPU it is pinned to. On a virtual machine
 * it sees what no counter does: time that the host took without a switch, a late tick or a
 * count of stolen time (kernel.md 6.3). It is recorded and shown, and judges nothing.
 */
#include <stdint.h>

#define CANARY_NS 45000 /* about: the number of turns is fixed once for a run */

/* The turns that take CANARY_NS here: by the fastest of several tries. Takes about 1 ms. */
uint64_t canary_turns(void);

/* How long so many turns take now; nanoseconds of CLOCK_MONOTONIC. */
double canary_ns(uint64_t turns);
