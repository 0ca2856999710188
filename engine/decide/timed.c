/* SPDX-License-Identifier: BSD-2-Clause */
/* Timed metrics: the stage rule on block ratios, and the run rule over the stages. */
#include "inspect.h"

#include <errno.h>
#include <math.h>
#include "../../stats/power.h"

unsigned metric_wants(const struct rec_metric *m)
{
	if (!is_judged(m) || m->verdict != VERDICT_NONE)
		return 0;
	if (m->stages_cnt == 0)
		return 1;
	return (unsigned)m->stages_cnt +
	       (m->stage[m->stages_cnt - 1].verdict == STAGE_OPEN ? 0 : 1);
}

/*
 * In which block of stage i `cpu` showed slower, SIZE_MAX: in none. `cpu_total` is there for costs to
 * which `cpu` is blind. Where `cpu` goes on to its confirmation, to wait for the other one would take
 * blocks, up to N of them, that cannot change the verdict once that is confirmed.
 */
static size_t overtaken_after(const struct judge *j, const struct rec_metric *m, size_t i)
{
	const struct rec_metric *cpu = &j->b->metric[METRIC_CPU];

	if (m != &j->b->metric[METRIC_CPU_TOTAL] || !is_judged(cpu) || cpu->stages_cnt <= i ||
	    cpu->stage[i].verdict != STAGE_SLOWER)
		return SIZE_MAX;
	return view_reach(&j->stage[i], METRIC_CPU, cpu->stage[i].blocks);
}

static bool is_overtaken(const struct judge *j, const struct rec_metric *m, size_t i)
{
	return j->stage[i].cnt >= overtaken_after(j, m, i);
}

static enum reason why_undecided(const struct judge *j, const struct rec_metric *m)
{
	size_t last = m->stages_cnt - 1;

	if (is_overtaken(j, m, last))
		return REASON_NOT_FOLLOWED;
	if (m->stage[last].blocks < j->stage[last].plan->n_max)
		return REASON_NOT_MEASURED;
	if (!isnan(j->b->precision) && !stage_is_precise(&m->stage[last], j->b->precision))
		return REASON_IMPRECISE;
	return last ? REASON_SUSPECTED : REASON_NEAR_LIMIT;
}

void judge_conclude(const struct judge *j, struct rec_metric *m)
{
	enum stage_verdict v[CONFIRMED_STAGES];

	for (size_t i = 0; i < m->stages_cnt; i++)
		v[i] = m->stage[i].verdict;
	switch (run_judge(v, m->stages_cnt, CONFIRMED_STAGES)) {
	case RUN_OPEN:
		break;
	case RUN_REGRESSED:
		m->verdict = VERDICT_SLOWER;
		break;
	case RUN_FASTER:
		m->verdict = VERDICT_FASTER;
		break;
	case RUN_SAME:
		m->verdict = VERDICT_SAME;
		m->not_confirmed = m->stages_cnt > 1;
		break;
	case RUN_UNDECIDED:
		m->verdict = VERDICT_UNDECIDED;
		m->reason = why_undecided(j, m);
		break;
	}
}

static double detectable(const struct judge *j, const struct view *v, size_t n, double limit)
{
	double s;

	if (log_spread(j->r, n, j->scratch, &s) != STATS_OK)
		return NAN;
	return limit * exp(v->plan->detect_sigmas * s);
}

int judge_stage_data(const struct judge *j, enum metric_id id, size_t i,
		     const struct stage_data *data, struct stage_result *ret)
{
	const struct view *v = &j->stage[i];
	const struct stage_rule rule = {
		.n_max = v->plan->n_max, .n_min = v->n_min, .u = v->plan->u, .l = v->plan->l};
	double limit = j->b->metric[id].limit;
	size_t n = data->n < rule.n_max ? data->n : rule.n_max;

	if (stage_judge(&rule, data->r, n, limit, 1 / limit, j->scratch, ret) != STATS_OK)
		return -EINVAL;
	if (!isnan(j->b->precision))
		stage_until_precise(&rule, j->b->precision, data->r, n, j->scratch, ret);
	if (ret->verdict == STAGE_OPEN && data->blocks >= rule.n_max)
		ret->verdict = STAGE_UNDECIDED; /* values are missing, none will come */
	return 0;
}

static int judge_timed_stage(const struct judge *j, enum metric_id id, size_t i)
{
	struct rec_metric *m = &j->b->metric[id];
	const struct view *v = &j->stage[i];
	const struct evidence e = {.j = j, .b = j->b, .id = id, .m = m};
	size_t most = overtaken_after(j, m, i), cnt = v->cnt < most ? v->cnt : most;
	struct stage_data data = {.r = j->r, .n = view_ratios(j, v, cnt, id), .blocks = cnt};
	int err = judge_stage_data(j, id, i, &data, &m->stage[i]);

	if (err)
		return err;
	m->stages_cnt = i + 1;
	m->detectable = detectable(j, v, m->stage[i].blocks, m->limit);
	if (waits_for_first_attempts(&e, i))
		m->stage[i].verdict = STAGE_OPEN;
	if (m->stage[i].verdict == STAGE_OPEN && cnt == most)
		m->stage[i].verdict = STAGE_UNDECIDED;
	return 0;
}

static void prove(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];
	size_t last = m->stages_cnt - 1;
	size_t n = view_ratios(j, &j->stage[last], j->stage[last].cnt, id);

	if (n > m->stage[last].blocks)
		n = m->stage[last].blocks;
	demand_equivalence(m, j->policy->prove_same, j->r, n, j->scratch);
}

int judge_timed(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];

	for (size_t i = 0; i < CONFIRMED_STAGES && j->stage[i].cnt > 0; i++) {
		int err = judge_timed_stage(j, id, i);

		if (err)
			return err;
		if (m->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	judge_conclude(j, m);
	if (!isnan(j->policy->prove_same) && m->stages_cnt)
		prove(j, id);
	return 0;
}
