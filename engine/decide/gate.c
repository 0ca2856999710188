/* SPDX-License-Identifier: BSD-2-Clause */
/* What the gate's rejections did to a verdict: the judge that knows no gate, and the two sides' shares. */
#include "inspect.h"

#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../stats/median.h"

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
	struct rec_pair pairs[PAIRS_MAX];
	struct rec_block first = {.pairs = pairs, .pairs_cnt = m};

	if (m > PAIRS_MAX)
		return NAN;
	for (size_t i = 0; i < m; i++) {
		const struct rec_pair *p = first_attempt(blk, id, i);

		if (!p)
			return NAN;
		pairs[i] = *p; /* what it points to stays the block's */
	}
	return judge_block_ratio(&first, id);
}

/* ret[0..result): of each of the first cnt slots of the stage the first block that has a ratio. */
static size_t first_blocks(const struct evidence *e, unsigned stage, size_t cnt, double *ret,
			   double *slots)
{
	size_t n = 0;

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

/*
 * Slots of stage i that had been taken when a timed metric was settled there: what was taken later, for
 * others' sake, tells nothing of its verdict. Where it is slower the judge that knows no gate may have
 * held it open, and stops by itself where it knows.
 */
static size_t slots_until(const struct judge *j, enum metric_id id, size_t i)
{
	const struct view *v = &j->stage[i];
	const struct stage_result *s = &j->b->metric[id].stage[i];
	size_t reach = view_reach(v, id, s->blocks);

	return s->verdict == STAGE_SLOWER || !reach ? v->plan->n_max : v->blk[reach - 1]->slot + 1;
}

static bool slower_without_gate(const struct evidence *e)
{
	for (size_t i = 0; i < e->m->stages_cnt; i++) {
		struct stage_data data = {.r = e->j->r};
		struct stage_result res;

		data.n = first_blocks(e, (unsigned)i + 1, slots_until(e->j, e->id, i), e->j->r,
				      e->j->scratch);
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
	data.n = first_blocks(e, (unsigned)i + 1, e->j->stage[i].plan->n_max, e->j->r,
			      e->j->scratch);
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

/* Slots of stage i that any judged timed metric needed; 0: none came so far. */
static size_t slots_needed(const struct judge *j, size_t i)
{
	size_t most = 0;

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		const struct rec_metric *m = &j->b->metric[id];
		size_t n;

		if (metric_get(id)->kind != METRIC_TIMED || !is_judged(m) || m->stages_cnt <= i)
			continue;
		n = slots_until(j, id, i);
		if (n > most)
			most = n;
	}
	return most;
}

static void count_needed(const struct judge *j, size_t ret[static SIDE_CNT])
{
	size_t needed[CONFIRMED_STAGES];

	for (size_t i = 0; i < CONFIRMED_STAGES; i++)
		needed[i] = slots_needed(j, i);
	for (size_t i = 0; i < j->b->blocks_cnt; i++) {
		const struct rec_block *blk = &j->b->blocks[i];

		if (blk->stage < 1 || blk->stage > CONFIRMED_STAGES ||
		    blk->slot >= needed[blk->stage - 1])
			continue;
		for (size_t k = 0; k < blk->rejected_cnt; k++)
			if (blk->rejected[k].side < SIDE_CNT)
				ret[blk->rejected[k].side]++;
	}
}

bool rejected_unevenly(const struct judge *j)
{
	size_t cnt[SIDE_CNT] = {0}, fewer;

	if (!was_gated(j->b))
		return false;
	count_needed(j, cnt);
	fewer = cnt[SIDE_BASELINE] < cnt[SIDE_CANDIDATE] ? cnt[SIDE_BASELINE] : cnt[SIDE_CANDIDATE];

	return 2 * binom_half_cdf((long)fewer, cnt[SIDE_BASELINE] + cnt[SIDE_CANDIDATE]) < UNEVEN_P;
}
