/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks that the host spoiled: how many a stage may have before nothing is said of what is open. */
#include "judge_parts.h"

#define LOST_LEAST  3  /* so many are forgiven in any stage ... */
#define LOST_ONE_IN 10 /* ... or this share of the blocks taken */

size_t blocks_before_too_many_lost(const struct rec_bench *b, unsigned stage)
{
	size_t kept = 0, lost = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) { /* in the order in which they were taken */
		if (b->blocks[i].stage != stage)
			continue;
		if (b->blocks[i].lost == REASON_NONE)
			kept++;
		else if (++lost > LOST_LEAST && lost * LOST_ONE_IN > kept + lost)
			return kept;
	}
	return SIZE_MAX;
}

bool judge_too_many_lost(const struct rec_bench *b)
{
	for (unsigned stage = 1; stage <= STAGES_MAX; stage++)
		if (blocks_before_too_many_lost(b, stage) != SIZE_MAX)
			return true;
	return false;
}

void judge_lost(struct rec_bench *b)
{
	if (judge_too_many_lost(b))
		leave_undecided(b, REASON_TOO_MANY_LOST);
}
