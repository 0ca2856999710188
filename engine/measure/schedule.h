/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The coins of a block and the order of benchmarks in a round (design.md, Judging 1). All are pure
 * functions of the seed, so that a block taken again keeps its coins and a record can be checked.
 */
#include <stddef.h>
#include <stdint.h>
#include "../../report/record.h"

/*
 * Coins of block `slot` of `stage` of benchmark `name`: stream "schedule/NAME", counter
 * ((stage * 4096 + slot) * 16 + j). m is odd, slot < 4096.
 */
struct rec_coins schedule_coins(uint64_t seed, const char *name, unsigned stage, unsigned slot,
				size_t m);

/*
 * Who goes first in each of the m pairs. Function benchmarks: the majority side in (m+1)/2 pairs,
 * at the places of arrangement number `coins->arrangement` in lexicographic order. Commands: the
 * same coins give the spawn order of each pair.
 */
void schedule_first(const struct rec_coins *coins, size_t m, enum side *ret_first);

/* C(m, (m+1)/2): number of arrangements of an odd m; m <= 61. */
uint64_t schedule_arrangements(size_t m);

/* Order of `cnt` benchmarks in a round: stream "schedule", label of stage and round. */
void schedule_round(uint64_t seed, unsigned stage, unsigned round, size_t cnt, uint32_t *ret_order);
