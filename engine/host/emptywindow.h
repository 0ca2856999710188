/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What a window costs that has nothing in it: the readings of both clocks in the order in which a
 * worker makes them, of which one stands in every slice. It belongs to the host, so that a reader of
 * the record can tell how short a slice may be.
 */
#include "perf_probe.h"

struct empty_window {
	double cpu_ns, wall_ns;
	double instructions; /* NaN: not counted here */
};

/* The least of several, on the caller's CPU. */
void empty_window_measure(const struct perf_tiers *tiers, struct empty_window *ret);
