/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "../../stats/median.h"
#include "../measure/schedule.h"

/* The blocks of one stage that count, in slot order. */
struct view {
	const struct rec_block **blk;
	size_t cnt;
	const struct stage_plan *plan;
	size_t n_min;
};

struct judge {
	struct rec_bench *b;
	struct view stage[CONFIRMED_STAGES];
	double *r, *scratch; /* room for every block and for N */
};

static bool is_judged(const struct rec_metric *m)
{
	return m->judged && m->missing == REASON_NONE;
}

static double median_or_nan(const double *x, size_t n, double *scratch)
{
	double median;

	return median_of(x, n, scratch, &median) == STATS_OK ? median : NAN;
}

double judge_block_ratio(const struct rec_block *blk, enum metric_id id)
{
	double r[SCHEDULE_PAIRS_MAX], scratch[SCHEDULE_PAIRS_MAX];
	size_t m = blk->pairs_cnt;

	if (m == 0 || m > SCHEDULE_PAIRS_MAX)
		return NAN;
	m -= m % 2 == 0; /* the median of an even number would not invert with the sides */
	for (size_t i = 0; i < m; i++) {
		const struct rec_pair *pair = &blk->pairs[i];
		double base = pair->half[SIDE_BASELINE].value[id];
		double cand = pair->half[SIDE_CANDIDATE].value[id];

		if (!(base > 0 && cand > 0))
			return NAN;
		r[i] = cand / base;
	}
	return median_or_nan(r, m, scratch);
}

/* Ratios of the stage's blocks; one without a value for this metric is passed over. */
static size_t ratios(const struct judge *j, const struct view *v, enum metric_id id)
{
	size_t n = 0;

	for (size_t i = 0; i < v->cnt; i++) {
		double r = judge_block_ratio(v->blk[i], id);

		if (isfinite(r))
			j->r[n++] = r;
	}
	return n;
}

static double block_median(const struct rec_block *blk, enum metric_id id, enum side side)
{
	double x[SCHEDULE_PAIRS_MAX], scratch[SCHEDULE_PAIRS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < blk->pairs_cnt && i < SCHEDULE_PAIRS_MAX; i++) {
		double value = blk->pairs[i].half[side].value[id];

		if (isfinite(value))
			x[n++] = value;
	}
	return median_or_nan(x, n, scratch);
}

static double side_median(const struct judge *j, const struct view *v, size_t cnt,
			  enum metric_id id, enum side side)
{
	size_t n = 0;

	for (size_t i = 0; i < cnt; i++) {
		double value = block_median(v->blk[i], id, side);

		if (isfinite(value))
			j->r[n++] = value;
	}
	return median_or_nan(j->r, n, j->scratch);
}

/* The smallest over a side's windows; NaN when none has a value. */
static double side_minimum(const struct view *v, enum metric_id id, enum side side)
{
	double least = NAN;

	for (size_t i = 0; i < v->cnt; i++)
		for (size_t k = 0; k < v->blk[i]->pairs_cnt; k++)
			least = fmin(least, v->blk[i]->pairs[k].half[side].value[id]);
	return least;
}

/* The stage a metric is shown by: the last one it was judged in, else the last one measured. */
static const struct view *shown(const struct judge *j, const struct rec_metric *m)
{
	size_t last = CONFIRMED_STAGES;

	if (m->stages_cnt)
		return &j->stage[m->stages_cnt - 1];
	while (last > 1 && j->stage[last - 1].cnt == 0)
		last--;
	return &j->stage[last - 1];
}

static void summarize(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];
	const struct view *v = shown(j, m);
	bool counted = metric_get(id)->kind == METRIC_COUNTED;
	size_t cnt = v->cnt;

	if (m->stages_cnt && !counted && m->stage[m->stages_cnt - 1].blocks < cnt)
		cnt = m->stage[m->stages_cnt - 1].blocks; /* what the interval is made of */
	for (enum side side = 0; side < SIDE_CNT; side++)
		m->per_iteration[side] =
			counted ? side_minimum(v, id, side) : side_median(j, v, cnt, id, side);
}

static unsigned metric_wants(const struct rec_metric *m)
{
	if (!is_judged(m) || m->verdict != VERDICT_NONE)
		return 0;
	if (m->stages_cnt == 0)
		return 1;
	return (unsigned)m->stages_cnt +
	       (m->stage[m->stages_cnt - 1].verdict == STAGE_OPEN ? 0 : 1);
}

static enum reason why_undecided(const struct judge *j, const struct rec_metric *m)
{
	size_t last = m->stages_cnt - 1;

	if (m->stage[last].blocks < j->stage[last].plan->n_max)
		return REASON_NOT_MEASURED;
	return last ? REASON_SUSPECTED : REASON_NEAR_LIMIT;
}

static void conclude(const struct judge *j, struct rec_metric *m)
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

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		j->r[i] = log(j->r[i]);
	if (mad_of(j->r, n, j->scratch, &s) != STATS_OK)
		return NAN;
	return limit * exp(v->plan->detect_sigmas * s);
}

static int judge_timed_stage(const struct judge *j, enum metric_id id, size_t i)
{
	struct rec_metric *m = &j->b->metric[id];
	const struct view *v = &j->stage[i];
	const struct stage_rule rule = {
		.n_max = v->plan->n_max, .n_min = v->n_min, .u = v->plan->u, .l = v->plan->l};
	struct stage_result *res = &m->stage[i];
	size_t n = ratios(j, v, id);

	if (stage_judge(&rule, j->r, n, m->limit, 1 / m->limit, j->scratch, res) != STATS_OK)
		return -EINVAL;
	if (res->verdict == STAGE_OPEN &&
	    v->cnt >= rule.n_max) /* values are missing, none will come */
		res->verdict = STAGE_UNDECIDED;
	m->detectable = detectable(j, v, res->blocks, m->limit);
	m->stages_cnt = i + 1;
	return 0;
}

static int judge_timed(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];

	for (size_t i = 0; i < CONFIRMED_STAGES && j->stage[i].cnt > 0; i++) {
		int err = judge_timed_stage(j, id, i);

		if (err)
			return err;
		if (m->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	conclude(j, m);
	return 0;
}

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

static void judge_counted(const struct judge *j, enum metric_id id)
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
	conclude(j, m);
	if (m->verdict == VERDICT_UNDECIDED)
		m->reason = REASON_NOT_MEASURED;
}

static void reset(struct rec_metric *m)
{
	memset(m->stage, 0, sizeof(m->stage));
	m->stages_cnt = 0;
	m->verdict = VERDICT_NONE;
	m->reason = REASON_NONE;
	m->not_confirmed = false;
	m->detectable = NAN;
	m->per_iteration[SIDE_BASELINE] = m->per_iteration[SIDE_CANDIDATE] = NAN;
}

static void view_add(struct view *v, const struct rec_block *blk)
{
	size_t i = v->cnt++;

	for (; i > 0 && v->blk[i - 1]->slot > blk->slot; i--)
		v->blk[i] = v->blk[i - 1];
	v->blk[i] = blk;
}

static void fill_views(struct judge *j)
{
	const struct rec_bench *b = j->b;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];

		if (blk->lost == REASON_NONE && blk->stage >= 1 && blk->stage <= CONFIRMED_STAGES)
			view_add(&j->stage[blk->stage - 1], blk);
	}
}

static int find_plans(struct judge *j, const struct policy *p)
{
	for (size_t i = 0; i < CONFIRMED_STAGES; i++) {
		struct view *v = &j->stage[i];
		int err = policy_plan(p, j->b->blocks_max[i], &v->plan);

		if (err)
			return err;
		v->n_min = stage_plan_min(v->plan, j->b->blocks_min);
	}
	return 0;
}

static size_t room(const struct rec_bench *b)
{
	size_t n = b->blocks_cnt + 1;

	for (size_t i = 0; i < CONFIRMED_STAGES; i++)
		if (n < b->blocks_max[i])
			n = b->blocks_max[i];
	return n;
}

static int judge_metrics(const struct judge *j, bool verdicts)
{
	int err = 0;

	for (enum metric_id id = 0; id < METRIC_CNT && verdicts && !err; id++)
		if (metric_get(id)->kind == METRIC_TIMED && is_judged(&j->b->metric[id]))
			err = judge_timed(j, id);
	/* after all timed ones: they say how long a stage of a count lasts */
	for (enum metric_id id = 0; id < METRIC_CNT && verdicts && !err; id++)
		if (metric_get(id)->kind == METRIC_COUNTED && is_judged(&j->b->metric[id]))
			judge_counted(j, id);
	for (enum metric_id id = 0; id < METRIC_CNT && !err; id++)
		if (j->b->metric[id].missing == REASON_NONE)
			summarize(j, id);
	return err;
}

static int look(struct rec_bench *b, const struct policy *p, bool verdicts)
{
	size_t n = room(b);
	AUTO_FREE const struct rec_block **blk = calloc(CONFIRMED_STAGES * n, sizeof(*blk));
	AUTO_FREE double *r = calloc(n, sizeof(*r)), *scratch = calloc(n, sizeof(*scratch));
	struct judge j = {.b = b, .r = r, .scratch = scratch};
	int err;

	if (!blk || !r || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < CONFIRMED_STAGES; i++)
		j.stage[i].blk = blk + i * n;
	fill_views(&j);
	err = find_plans(&j, p);
	return err ? err : judge_metrics(&j, verdicts);
}

static bool has_no_numbers(const struct rec_bench *b)
{
	return b->verdict == BENCH_ERROR || b->verdict == BENCH_SKIPPED;
}

static void name_it(struct rec_bench *b)
{
	bool measured = false;

	b->verdict = judge_verdict(b);
	if (has_no_numbers(b))
		return;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		measured = measured || is_judged(&b->metric[id]);
	b->reason = measured ? REASON_NONE : REASON_NOT_MEASURED;
}

int judge_summary(struct rec_bench *b, const struct policy *p)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		reset(&b->metric[id]);
	return has_no_numbers(b) ? 0 : look(b, p, false);
}

int judge_bench(struct rec_bench *b, const struct policy *p)
{
	int err;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		reset(&b->metric[id]);
	if (has_no_numbers(b))
		return 0;
	err = look(b, p, true);
	if (err)
		return err;
	b->verdict = BENCH_OPEN;
	if (judge_wants(b, p) == 0)
		name_it(b);
	return 0;
}

unsigned judge_wants(const struct rec_bench *b, const struct policy *p)
{
	unsigned first = 0;

	(void)p;
	if (has_no_numbers(b))
		return 0;
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		unsigned wants = metric_wants(&b->metric[id]);

		if (wants && (!first || wants < first))
			first = wants;
	}
	return first;
}

void judge_close(struct rec_bench *b, const struct policy *p, enum reason why)
{
	(void)p;
	if (has_no_numbers(b))
		return;
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		struct rec_metric *m = &b->metric[id];

		if (!is_judged(m) || m->verdict != VERDICT_NONE)
			continue;
		m->verdict = VERDICT_UNDECIDED;
		m->reason = why;
	}
	name_it(b);
}
