/* SPDX-License-Identifier: BSD-2-Clause */
/* The pairs of a block. With a gate some are measured more than once, and some are not kept. */
#include "run_parts.h"

#include <stdio.h>

size_t lane_pairs(const struct lane *l)
{
	return rec_bench__pairs(l->b);
}

/* Every pair has one try; what is left of the block's tries is for those that were rejected. */
static bool may_retry(const struct lane *l, const struct rec_block *blk, size_t i, unsigned attempt)
{
	size_t slots = lane_pairs(l), to_come = slots - 1 - i;
	size_t used = blk->pairs_cnt + blk->rejected_cnt;

	return attempt < GATE_RETRIES && used + to_come < gate_tries_max(slots);
}

/* What the gate let pass stands side by side, in the order of the schedule. */
static void keep(struct rec_block *blk, size_t i)
{
	struct rec_pair *to = &blk->pairs[blk->pairs_cnt++], *from = &blk->pairs[i];

	if (to == from)
		return;
	*to = *from;
	rec_pair__forget(from);
}

static enum source_status reject(struct runner *r, struct rec_block *blk, size_t i,
				 unsigned attempt, const struct rec_rejected *found)
{
	struct rec_rejected *to;

	if (rec_block__reject(blk, &to) != 0) {
		(void)snprintf(r->src->error, sizeof(r->src->error),
			       "cannot record a rejected pair: no memory");
		return SOURCE_BROKEN;
	}
	*to = (struct rec_rejected){
		.pair = i,
		.attempt = attempt,
		.why = found->why,
		.side = found->side,
		.values = blk->pairs[i],
	};
	rec_pair__forget(&blk->pairs[i]);
	return SOURCE_OK;
}

/* What is planned by is measured as it comes, and what has sizes is judged block by block. */
static enum reason look(struct runner *r, const struct lane *l, const struct rec_pair *p,
			enum side *ret)
{
	enum reason why = gate_look(&r->gate, l->b, p, ret);

	return r->stage == 0 || l->b->sizes_cnt ? REASON_NONE : why;
}

static enum source_status take_pair(struct runner *r, struct lane *l, struct rec_block *blk,
				    size_t i)
{
	for (unsigned attempt = 0;; attempt++) {
		struct rec_rejected found = {.side = SIDE_CNT};
		enum source_status st;

		if (i + attempt > 0 && run_interrupted(r))
			return SOURCE_INTERRUPTED;
		st = r->src->ops->pair(r->src, l->b, blk, i);
		if (st != SOURCE_OK)
			return st;
		found.why = look(r, l, &blk->pairs[i], &found.side);
		if (found.why == REASON_NONE) {
			keep(blk, i);
			return SOURCE_OK;
		}
		st = reject(r, blk, i, attempt, &found);
		if (st != SOURCE_OK || !may_retry(l, blk, i, attempt))
			return st;
	}
}

enum source_status lane_measure_pairs(struct runner *r, struct lane *l, struct rec_block *blk)
{
	for (size_t i = 0; i < lane_pairs(l); i++) {
		enum source_status st = take_pair(r, l, blk, i);

		if (st != SOURCE_OK)
			return st;
	}
	if (blk->pairs_cnt)
		return SOURCE_OK;
	blk->lost = REASON_GATED;
	blk->lost_side = SIDE_CNT;
	return SOURCE_LOST;
}
