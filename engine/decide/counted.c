/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts, judged by difference, and peak memory, judged by ratio and difference together: the
 * smallest of a side is exact, so that a stage of theirs needs no boundary, and three must agree.
 */
#include "judge_parts.h"

#include <math.h>

/* Blocks of stage i that settled it: what comes later for others' sake changes nothing. */
static size_t settled_blocks(const struct judge *j, size_t i)
{
	size_t n = j->stage[i].n_min;

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		const struct rec_metric *m = &j->b->metric[id];
		size_t reach;

		if (metric_get(id)->kind != METRIC_TIMED || !is_judged(m) || m->stages_cnt <= i)
			continue;
		reach = view_reach(&j->stage[i], id, m->stage[i].blocks);
		if (reach > n)
			n = reach;
	}
	return n < j->stage[i].cnt ? n : j->stage[i].cnt;
}

/* A count is exact at once; its stage lasts as long as that of the timed metrics. */
static bool is_settled(const struct judge *j, size_t i)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		unsigned wants = metric_wants(&j->b->metric[id]);

		if (metric_get(id)->kind == METRIC_TIMED && wants && wants <= i + 1)
			return false;
	}
	return j->stage[i].cnt >= j->stage[i].n_min;
}

static double smallest(const struct view *v, size_t cnt, enum metric_id id, enum side side)
{
	return metric_get(id)->kind == METRIC_PEAK ? peak_minimum(v, cnt, side)
						   : side_minimum(v, cnt, id, side);
}

static enum stage_verdict compare(bool worse, bool better, bool unknown)
{
	if (unknown)
		return STAGE_UNDECIDED;
	if (worse)
		return STAGE_SLOWER;
	return better ? STAGE_FASTER : STAGE_SAME;
}

/* Exact: the value is its own interval. */
static struct stage_result exact(size_t blocks, double value)
{
	return (struct stage_result){.blocks = blocks, .median = value, .lo = value, .hi = value};
}

static struct stage_result compare_counts(const struct rec_metric *m, size_t blocks, double base,
					  double cand)
{
	struct stage_result s = exact(blocks, cand - base);

	s.verdict = compare(s.median > m->limit, -s.median > m->limit, isnan(s.median));
	return s;
}

static bool exceeds(const struct rec_metric *m, double more, double less)
{
	return more > m->limit * less && more - less > m->least;
}

static struct stage_result compare_peaks(const struct rec_metric *m, size_t blocks, double base,
					 double cand)
{
	/* of nothing at all on both sides there is no ratio, but they are the same */
	struct stage_result s = exact(blocks, cand == base ? 1 : cand / base);

	s.verdict = compare(exceeds(m, cand, base), exceeds(m, base, cand), isnan(s.median));
	return s;
}

static struct stage_result judge_stage(const struct judge *j, enum metric_id id, size_t i)
{
	const struct rec_metric *m = &j->b->metric[id];
	size_t cnt = settled_blocks(j, i);
	double base = smallest(&j->stage[i], cnt, id, SIDE_BASELINE);
	double cand = smallest(&j->stage[i], cnt, id, SIDE_CANDIDATE);
	struct stage_result s = metric_get(id)->kind == METRIC_PEAK
					? compare_peaks(m, cnt, base, cand)
					: compare_counts(m, cnt, base, cand);

	if (!is_settled(j, i))
		s.verdict = STAGE_OPEN;
	return s;
}

void judge_counted(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];

	for (size_t i = 0; i < CONFIRMED_STAGES && j->stage[i].cnt > 0; i++) {
		m->stage[i] = judge_stage(j, id, i);
		m->stages_cnt = i + 1;
		if (m->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	judge_conclude(j, m);
	if (m->verdict == VERDICT_UNDECIDED)
		m->reason = REASON_NOT_MEASURED;
}
