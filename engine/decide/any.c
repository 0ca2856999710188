/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any timing (statistics.md 6h): a change that each stage shows in another metric. In each of four
 * stages some timing is slower and none is not slower; (M alpha)^4 for M timings. With more than three
 * each is judged at alpha / M. `cpu_total` takes no part.
 */
#include "inspect.h"

#include <errno.h>
#include <string.h>

#define TIMINGS_AT_ALPHA 3

static bool takes_part(const struct rec_bench *b, enum metric_id id)
{
	return metric_get(id)->kind == METRIC_TIMED && id != METRIC_CPU_TOTAL &&
	       is_judged(&b->metric[id]);
}

static size_t count_timings(const struct rec_bench *b)
{
	size_t n = 0;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		n += takes_part(b, id);
	return n;
}

static int timing_verdict(const struct judge *j, enum metric_id id, size_t i,
			  enum stage_verdict *ret)
{
	const struct view *v = &j->stage[i];
	struct stage_data data = {.r = j->r, .n = view_ratios(j, v, v->cnt, id), .blocks = v->cnt};
	struct stage_result res;
	int err = judge_stage_data(j, id, i, &data, &res);

	*ret = res.verdict;
	return err;
}

/*
 * Not slower by one ends it, slower by one is enough: the others need not be measured to their ends,
 * for the rule pays for any of them at any block.
 */
static int judge_stage(const struct judge *j, size_t i, enum stage_verdict *ret)
{
	size_t slower = 0, open = 0;

	*ret = STAGE_SAME;
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		enum stage_verdict v;
		int err;

		if (!takes_part(j->b, id))
			continue;
		err = timing_verdict(j, id, i, &v);
		if (err)
			return err;
		if (v == STAGE_SAME || v == STAGE_FASTER)
			return 0;
		slower += v == STAGE_SLOWER;
		open += v == STAGE_OPEN;
	}
	*ret = slower ? STAGE_SLOWER : open ? STAGE_OPEN : STAGE_UNDECIDED;
	return 0;
}

/* The plans at alpha / M in place of those at alpha, as long as this rule looks. */
static int stricter(const struct judge *j, size_t timings, struct judge *ret)
{
	*ret = *j;
	for (size_t i = 0; i < ANY_STAGES && timings > TIMINGS_AT_ALPHA; i++) {
		struct view *v = &ret->stage[i];
		int err = policy_plan_at(j->policy, v->plan->n_max,
					 j->policy->alpha / (double)timings, &v->plan);

		if (err)
			return err;
		v->n_min = stage_plan_min(v->plan, j->b->blocks_min);
	}
	return 0;
}

int judge_any_timing(const struct judge *j)
{
	size_t timings = count_timings(j->b);
	struct rec_any_timing *any = &j->b->any_timing;
	struct judge at;
	int err;

	memset(any, 0, sizeof(*any));
	any->timings = timings;
	if (timings < 2)
		return 0;
	err = stricter(j, timings, &at);
	for (size_t i = 0; i < ANY_STAGES && at.stage[i].cnt > 0 && !err; i++) {
		err = judge_stage(&at, i, &any->stage[i]);
		any->stages_cnt = i + 1;
		if (any->stage[i] != STAGE_SLOWER)
			break;
	}
	any->slower = any->stages_cnt == ANY_STAGES && any->stage[ANY_STAGES - 1] == STAGE_SLOWER;
	return err;
}

/* Over the blocks of all stages. 0 or -ENOMEM. */
static int judge_layouts(const struct judge *j, bool *ret_agree)
{
	AUTO_FREE const struct rec_block **blk = calloc(j->b->blocks_cnt + 1, sizeof(*blk));
	struct evidence e = {.b = j->b, .blk = blk, .x = j->r, .scratch = j->scratch};
	bool by[METRIC_CNT];

	if (!blk)
		return -ENOMEM;
	for (size_t i = 0; i < ANY_STAGES; i++)
		for (size_t k = 0; k < j->stage[i].cnt; k++)
			blk[e.cnt++] = j->stage[i].blk[k];
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		by[id] = takes_part(j->b, id);
	*ret_agree = layouts_agree_by_any(&e, by);
	return 0;
}

static void blame_layouts(struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (takes_part(b, id) && b->metric[id].verdict == VERDICT_UNDECIDED)
			b->metric[id].reason = REASON_LAYOUT;
}

static bool any_doubted(const struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (takes_part(b, id) && b->metric[id].verdict == VERDICT_UNDECIDED &&
		    is_doubt(b->metric[id].reason))
			return true;
	return false;
}

int any_timing_doubt(const struct judge *j)
{
	struct rec_any_timing *any = &j->b->any_timing;
	bool agree = true;

	if (j->policy->rule != RULE_STAGES || any->stages_cnt == 0)
		return 0;
	if (any->slower && !any_doubted(j->b) && judge_layouts(j, &agree))
		return -ENOMEM;
	if (!agree)
		blame_layouts(j->b);
	if (!any_doubted(j->b))
		return 0;
	any->slower = false;
	any->stage[any->stages_cnt - 1] = STAGE_UNDECIDED;
	return 0;
}

/* Nothing, once a metric has said so by itself, or as long as one may. */
unsigned any_timing_wants(const struct rec_bench *b)
{
	const struct rec_any_timing *any = &b->any_timing;

	if (any->stages_cnt == 0 || any->slower)
		return 0;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (b->metric[id].verdict == VERDICT_SLOWER)
			return 0;
	switch (any->stage[any->stages_cnt - 1]) {
	case STAGE_OPEN:
		return (unsigned)any->stages_cnt;
	case STAGE_SLOWER:
		return (unsigned)any->stages_cnt + 1;
	case STAGE_FASTER:
	case STAGE_SAME:
	case STAGE_UNDECIDED:
		break;
	}
	return 0;
}
