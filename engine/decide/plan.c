/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge.h"

#include <math.h>

static double configured(const struct rec_bench *b, const struct policy *p, enum metric_id id)
{
	double own = b->metric[id].limit;

	if (!isnan(p->limit[id]))
		return p->limit[id];
	return isnan(own) ? metric_get(id)->limit : own;
}

static double limit_of(const struct rec_bench *b, const struct policy *p, enum metric_id id)
{
	double limit = configured(b, p, id);

	if (id == METRIC_CPU_TOTAL && isnan(p->limit[id]) && limit == metric_get(id)->limit)
		return configured(b, p, METRIC_CPU);
	return limit;
}

static bool wants_judging(const struct rec_bench *b, const struct policy *p, enum metric_id id)
{
	const struct rec_metric *m = &b->metric[id];
	bool asked = m->judged || p->judge[id];

	if (m->missing != REASON_NONE)
		return false;
	switch (metric_get(id)->judge) {
	case JUDGE_ALWAYS:
		return true;
	case JUDGE_THREADED:
		return asked || b->threads > 1;
	case JUDGE_ASKED:
		return asked;
	case JUDGE_NEVER:
		break;
	}
	return false;
}

static size_t floor_of(const struct rec_bench *b, const struct policy *p)
{
	if (p->fixed_blocks)
		return policy_blocks(p, 1);
	return p->blocks_min ? p->blocks_min : b->blocks_min;
}

/* Judged once a stage, and by cpu alone. */
static void plan_sized(struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		b->metric[id].judged = b->metric[id].judged && id == METRIC_CPU;
	for (unsigned i = 0; i < STAGES_MAX && b->blocks_max[i]; i++)
		b->blocks_max[i] = SIZED_BLOCKS;
	b->blocks_min = SIZED_BLOCKS;
}

static void plan_blocks(struct rec_bench *b, const struct policy *p)
{
	const struct stage_plan *first;

	for (unsigned i = 0; i < STAGES_MAX; i++) {
		if (p->blocks_max || p->rule == RULE_DUEL || !b->blocks_max[i])
			b->blocks_max[i] = policy_blocks(p, i + 1);
		if (i >= policy_stages(p))
			b->blocks_max[i] = 0;
	}
	b->blocks_min = floor_of(b, p);
	if (policy_plan(p, b->blocks_max[0], &first) == 0) /* if not, judge_bench says so */
		b->blocks_min = stage_plan_min(first, b->blocks_min);
}

void judge_plan(struct rec_bench *b, const struct policy *p)
{
	double limit[METRIC_CNT];

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		limit[id] = limit_of(b, p, id);
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		b->metric[id].judged = wants_judging(b, p, id);
		b->metric[id].limit = limit[id];
		if (!isnan(p->peak_least) && metric_get(id)->kind == METRIC_PEAK)
			b->metric[id].least = p->peak_least;
	}
	plan_blocks(b, p);
	if (p->rule == RULE_DUEL)
		b->precision = NAN; /* its looks know of none */
	if (b->sizes_cnt)
		plan_sized(b);
}
