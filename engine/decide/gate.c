/* SPDX-License-Identifier: BSD-2-Clause */
/* What the gate's rejections did to a verdict: the judge that knows no gate, and the two sides' shares. */
#include "inspect.h"

#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../stats/median.h"
#include "../measure/schedule.h"

static bool has_values(const struct rec_pair *p, enum metric_id id)
{
	return p->half[SIDE_BASELINE].value[id] > 0 && p->half[SIDE_CANDIDATE].value[id] > 0;
}

static const struct rec_pair *first_attempt(const struct rec_block *blk, enum metric_id id,
					    size_t pair)
{
	const struct rec_rejected *first = NULL;

	for (size_t i = 0; i < blk->rejected_cnt; i++) {
		const struct rec_rejected *r = &blk->rejected[i];

		if (r->pair == pair && has_values(&r->values, id) &&
		    (!first || r->attempt < first->attempt))
			first = r;
	}
	if (first)
		return &first->values;
	for (size_t i = 0; i < blk->pairs_cnt; i++)
		if (blk->pairs[i].place == pair)
			return &blk->pairs[i];
	return NULL;
}

double first_attempts_ratio(const struct rec_block *blk, enum metric_id id, size_t m)
{
	struct rec_pair pairs[SCHEDULE_PAIRS_MAX];
	struct rec_block first = {.pairs = pairs, .pairs_cnt = m};

	if (m > SCHEDULE_PAIRS_MAX)
		return NAN;
	for (size_t i = 0; i < m; i++) {
		const struct rec_pair *p = first_attempt(blk, id, i);

		if (!p)
			return NAN;
		pairs[i] = *p; /* what it points to stays the block's */
	}
	return judge_block_ratio(&first, id);
}

/* ret[0..result): of each slot of the stage the first block that has a ratio. */
static size_t first_blocks(const struct evidence *e, unsigned stage, double *ret, double *slots)
{
	size_t n = 0, cnt = e->j->stage[stage - 1].plan->n_max;

	for (size_t i = 0; i < cnt; i++)
		slots[i] = NAN;
	for (size_t i = 0; i < e->b->blocks_cnt; i++) { /* attempts stand in their order */
		const struct rec_block *blk = &e->b->blocks[i];
		bool counts = blk->lost == REASON_NONE || blk->lost == REASON_GATED;

		if (blk->stage == stage && counts && blk->slot < cnt && isnan(slots[blk->slot]))
			slots[blk->slot] = first_attempts_ratio(blk, e->id, e->b->m);
	}
	for (size_t i = 0; i < cnt; i++)
		if (isfinite(slots[i]))
			ret[n++] = slots[i];
	return n;
}

static bool all_slower(const struct rec_metric *m)
{
	for (size_t i = 0; i < m->stages_cnt; i++)
		if (m->stage[i].verdict != STAGE_SLOWER)
			return false;
	return m->stages_cnt > 0;
}

static bool slower_without_gate(const struct evidence *e)
{
	for (size_t i = 0; i < e->m->stages_cnt; i++) {
		struct stage_data data = {.r = e->j->r};
		struct stage_result res;

		data.n = first_blocks(e, (unsigned)i + 1, e->j->r, e->j->scratch);
		if (judge_stage_data(e->j, e->id, i, &data, &res) != 0 ||
		    res.verdict != STAGE_SLOWER)
			return false;
	}
	return e->m->stages_cnt > 0;
}

static bool was_gated(const struct rec_bench *b)
{
	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].rejected_cnt)
			return true;
	return false;
}

bool waits_for_first_attempts(const struct evidence *e, size_t i)
{
	struct stage_data data = {.r = e->j->r};
	struct stage_result res;

	if (e->m->stage[i].verdict != STAGE_SLOWER ||
	    e->j->stage[i].cnt >= e->j->stage[i].plan->n_max || !was_gated(e->b))
		return false;
	data.n = first_blocks(e, (unsigned)i + 1, e->j->r, e->j->scratch);
	return judge_stage_data(e->j, e->id, i, &data, &res) == 0 && res.verdict == STAGE_OPEN;
}

bool is_sensitive(const struct evidence *e)
{
	return was_gated(e->b) && all_slower(e->m) != slower_without_gate(e);
}

void count_rejected(struct rec_bench *b)
{
	memset(b->rejected, 0, sizeof(b->rejected));
	for (size_t i = 0; i < b->blocks_cnt; i++)
		for (size_t k = 0; k < b->blocks[i].rejected_cnt; k++)
			if (b->blocks[i].rejected[k].side < SIDE_CNT)
				b->rejected[b->blocks[i].rejected[k].side]++;
}

bool rejected_unevenly(const struct rec_bench *b)
{
	size_t base = b->rejected[SIDE_BASELINE], cand = b->rejected[SIDE_CANDIDATE];
	size_t fewer = base < cand ? base : cand;

	return 2 * binom_half_cdf((long)fewer, base + cand) < UNEVEN_P;
}
