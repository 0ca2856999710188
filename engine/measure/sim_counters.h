/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the simulator's counters say, and how they fail. A simulated window becomes the frame that a
 * worker would send, which becomes values by the same code.
 */
#include "simulator.h"

/* What the host has: a PMU of 4 counters and BPF. */
void sim_counters_plan(struct rec_bench *b);

/*
 * Fills the counted values of pair `i` of a side whose slices are there. 0 or -ENOMEM.
 */
int sim_counters_fill(const struct simulator *sim, const struct sim_bench *sb, struct rec_bench *b,
		      const struct rec_block *blk, size_t i, enum side side) MUST_CHECK;
