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
 * ((stage * 4096 + slot) * 16 + j). A side is index(u, 2): 0 baseline, 1 candidate. The arrangement
 * is index(u, C(m, (m+1)/2)). m is odd and at most PAIRS_MAX, slot < 4096, a name has at
 * most 256 bytes.
 */
struct rec_coins schedule_coins(uint64_t seed, const char *name, unsigned stage, unsigned slot,
				size_t m);

/* Environment blocks differ by 0..ENVIRONMENT_STEPS - 1 times so many bytes: a page of stack addresses. */
#define ENVIRONMENT_STEP  16
#define ENVIRONMENT_STEPS 256

/*
 * By how many bytes the environment of both processes of a block is larger than it has to be: stream
 * "environment/NAME", counter stage * 4096 + slot. The size of the environment moves the stack, which
 * a fresh process of the same program does not by itself.
 */
size_t schedule_environment(uint64_t seed, const char *name, unsigned stage, unsigned slot);

/*
 * Who goes first in each of the m pairs. Function benchmarks: the majority side in (m+1)/2 pairs,
 * at the places of arrangement number `coins->arrangement`: an arrangement is the ascending list of
 * the majority's places, and they are numbered in lexicographic order (m = 3: 01, 02, 12).
 * Commands: the same coins give the spawn order of each pair (m = 1: `majority` alone).
 */
void schedule_first(const struct rec_coins *coins, size_t m, enum side *ret_first);

/*
 * coins.majority of a sized benchmark: over `blocks` slots of a stage either side has half of them
 * (the odd one out is the baseline's), in a random arrangement: a shuffle of the stream "schedule/NAME"
 * that begins at counter 2^40 + stage * 2^32. blocks is at most 64, slot below it.
 */
enum side schedule_balanced(uint64_t seed, const char *name, unsigned stage, unsigned slot,
			    size_t blocks);

/* Key of the resamples of a sized benchmark: stream "max-t/NAME". */
uint64_t schedule_resamples(uint64_t seed, const char *name);

/* C(m, (m+1)/2): number of arrangements of an odd m; exact up to m = 61. */
uint64_t schedule_arrangements(size_t m);

/*
 * Order of `cnt` benchmarks in a round: stream "schedule", a shuffle that begins at counter
 * stage * 2^56 + round * 2^32. It orders all benchmarks of the run, so that the order of those still
 * open does not depend on which others have finished. round < 2^24.
 */
void schedule_round(uint64_t seed, unsigned stage, unsigned round, size_t cnt, uint32_t *ret_order);
