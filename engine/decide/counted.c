/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts, judged by difference: exact, so that a stage of theirs needs no boundary. */
#include "judge_parts.h"

#include <math.h>

/* A count is exact at once; its stage lasts as long as that of the timed metrics. */
static bool counted_settled(const struct judge *j, size_t i)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		unsigned wants = metric_wants(&j->b->metric[id]);

		if (metric_get(id)->kind == METRIC_TIMED && wants && wants <= i + 1)
			return false;
	}
	return j->stage[i].cnt >= j->stage[i].n_min;
}

static enum stage_verdict compare_counts(double difference, double limit)
{
	if (isnan(difference))
		return STAGE_UNDECIDED;
	if (difference > limit)
		return STAGE_SLOWER;
	return -difference > limit ? STAGE_FASTER : STAGE_SAME;
}

void judge_counted(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];

	for (size_t i = 0; i < CONFIRMED_STAGES && j->stage[i].cnt > 0; i++) {
		const struct view *v = &j->stage[i];
		double d = side_minimum(v, id, SIDE_CANDIDATE) - side_minimum(v, id, SIDE_BASELINE);

		/* exact: the difference is its own interval */
		m->stage[i] =
			(struct stage_result){.blocks = v->cnt, .median = d, .lo = d, .hi = d};
		m->stages_cnt = i + 1;
		if (counted_settled(j, i))
			m->stage[i].verdict = compare_counts(d, m->limit);
		if (m->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	judge_conclude(j, m);
	if (m->verdict == VERDICT_UNDECIDED)
		m->reason = REASON_NOT_MEASURED;
}
