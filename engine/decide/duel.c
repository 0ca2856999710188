/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --rule duel (statistics.md 6h): an interval of 99 % looked at after 10, 20, .. 60 blocks, and a
 * chain of up to four counted measurements, five where another timing shows the change each time.
 * Its unit is our block, of fresh processes, where the original took its pairs from three.
 */
#include "judge_parts.h"

#include <errno.h>
#include <math.h>
#include "levels.h"
#include "../../stats/median.h"
#include "../../stats/power.h"

static const size_t looks[] = {10, 20, 30, 40, 50, DUEL_BLOCKS};
#define LOOKS_CNT (sizeof(looks) / sizeof(looks[0]))

_Static_assert(STAGES_MAX >= 2 + DUEL_CONFIRMATIONS + DUEL_REPLACEMENTS_MAX,
	       "a chain of any timing, and every replacement");

/* Metrics that one chain judges together. */
struct group {
	size_t cnt;
	enum metric_id id[METRIC_CNT];
	enum stage_verdict verdicts[STAGES_MAX * METRIC_CNT]; /* a row for each measurement */
	struct duel_chain chain;
};

static struct stage_result nothing_seen(void)
{
	return (struct stage_result){.median = NAN, .lo = NAN, .hi = NAN};
}

static void count_signs(const double *r, double limit, struct stage_result *ret)
{
	for (size_t i = 0; i < ret->blocks; i++) {
		ret->s += r[i] > limit;
		ret->g += r[i] < 1 / limit;
		ret->f += r[i] < limit;
	}
}

static int measure(const struct judge *j, enum metric_id id, size_t i, struct stage_result *ret)
{
	const struct view *v = &j->stage[i];
	double limit = j->b->metric[id].limit;
	size_t n = view_ratios(j, v, v->cnt, id);
	struct duel_measurement m;

	*ret = nothing_seen();
	if (n > 0) {
		if (duel_measure(j->r, n, limit, DUEL_CONFIDENCE, looks, LOOKS_CNT, j->scratch, &m))
			return -EINVAL;
		*ret = (struct stage_result){.verdict = m.verdict,
					     .blocks = m.pairs,
					     .median = m.ratio,
					     .lo = m.lo,
					     .hi = m.hi};
		count_signs(j->r, limit, ret);
	}
	if (ret->verdict == STAGE_OPEN && v->cnt >= v->plan->n_max)
		ret->verdict = STAGE_UNDECIDED; /* values are missing, none will come */
	return 0;
}

/* By the last look of one measurement; the earlier ones only add to it. */
static double detectable(const struct judge *j, size_t i, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];
	size_t n = view_ratios(j, &j->stage[i], m->stage[i].blocks, id);
	struct sign_power power;
	double s;

	if (log_spread(j->r, n, j->scratch, &s) != STATS_OK ||
	    power_sign(DUEL_BLOCKS, (1 - DUEL_CONFIDENCE) / 2, DUEL_POWER, s, m->limit, &power) !=
		    STATS_OK)
		return NAN;
	return power.mde_ratio;
}

/* 1: every metric of the group has its verdict of measurement i, 0: not yet. */
static int measure_all(const struct judge *j, struct group *g, size_t i)
{
	bool complete = true;

	for (size_t k = 0; k < g->cnt; k++) {
		struct rec_metric *m = &j->b->metric[g->id[k]];
		int err = measure(j, g->id[k], i, &m->stage[i]);

		if (err)
			return err;
		m->stages_cnt = i + 1;
		m->detectable = detectable(j, i, g->id[k]);
		g->verdicts[i * g->cnt + k] = m->stage[i].verdict;
		complete = complete && m->stage[i].verdict != STAGE_OPEN;
	}
	return complete;
}

static bool was_replaced(const struct group *g, size_t i)
{
	for (size_t k = 0; k < g->cnt; k++)
		if (g->verdicts[i * g->cnt + k] != STAGE_UNDECIDED)
			return false;
	return i > 0;
}

/* The measurement that says what a metric is: the first counted one that is not slower, or the last. */
static size_t telling(const struct group *g, size_t k)
{
	size_t last = 0;

	for (size_t i = 0; i < g->chain.measurements; i++) {
		if (was_replaced(g, i))
			continue;
		last = i;
		if (g->verdicts[i * g->cnt + k] != STAGE_SLOWER)
			break;
	}
	return last;
}

static enum reason why_undecided(const struct judge *j, const struct rec_metric *m, size_t i)
{
	if (i > 0 || m->stage[i].verdict == STAGE_SLOWER)
		return REASON_SUSPECTED;
	return m->stage[i].blocks < j->stage[i].plan->n_max ? REASON_NOT_MEASURED
							    : REASON_NEAR_LIMIT;
}

static void conclude_one(const struct judge *j, const struct group *g, size_t k)
{
	struct rec_metric *m = &j->b->metric[g->id[k]];
	size_t i = telling(g, k);

	if (g->chain.metrics >> k & 1) {
		m->verdict = VERDICT_SLOWER;
		return;
	}
	m->stages_cnt = i + 1;
	switch (m->stage[i].verdict) {
	case STAGE_SAME:
		m->verdict = VERDICT_SAME;
		m->not_confirmed = i > 0;
		break;
	case STAGE_FASTER: /* as a confirmation it is none */
		m->verdict = i ? VERDICT_SAME : VERDICT_FASTER;
		m->not_confirmed = i > 0;
		break;
	case STAGE_SLOWER: /* nothing said so three times more: replacements were used up, or another did */
	case STAGE_UNDECIDED:
	case STAGE_OPEN:
		m->verdict = VERDICT_UNDECIDED;
		m->reason = why_undecided(j, m, i);
		break;
	}
}

static int judge_group(const struct judge *j, struct group *g)
{
	for (size_t i = 0; i < STAGES_MAX && j->stage[i].cnt > 0; i++) {
		int complete = measure_all(j, g, i);

		if (complete <= 0)
			return complete;
		if (duel_chain(g->verdicts, i + 1, g->cnt, &g->chain) != STATS_OK)
			return -EINVAL;
		if (g->chain.result != DUEL_OPEN)
			break;
	}
	for (size_t k = 0; k < g->cnt && g->chain.result != DUEL_OPEN; k++)
		conclude_one(j, g, k);
	return 0;
}

static void add_member(const struct judge *j, struct group *g, enum metric_id id)
{
	if (metric_get(id)->kind == METRIC_TIMED && is_judged(&j->b->metric[id]))
		g->id[g->cnt++] = id;
}

/* `cpu_total` is ours and has a chain of its own: it must neither replace nor clear a measurement. */
int judge_duel(const struct judge *j)
{
	struct group timings = {.cnt = 0}, total = {.cnt = 0};
	int err;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		add_member(j, id == METRIC_CPU_TOTAL ? &total : &timings, id);
	err = timings.cnt ? judge_group(j, &timings) : 0;
	if (!err && total.cnt)
		err = judge_group(j, &total);
	j->b->duel = timings.chain;
	j->b->any_timing = (struct rec_any_timing){
		.timings = timings.cnt, .slower = timings.chain.result == DUEL_REGRESSED_ANY};
	return err;
}
