/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "watch.h"
#include "watch_private.h"

/*
 * Empties a lane's table of those who had the CPU, while the programs may be writing to it, and
 * keeps the `max` that had it longest in `ret`, worst first; how many. `ret` may be NULL with max 0.
 */
size_t watch_take_culprits(struct watch_culprit all[static WATCH_PREEMPTORS],
			   struct watch_preemptor *ret, size_t max);
