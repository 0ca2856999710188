/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double side_median(const struct judge *j, const struct view *v, size_t cnt,
			  enum metric_id id, enum side side)
{
	size_t n = 0;

	for (size_t i = 0; i < v->cnt && i < cnt; i++) {
		double value = block_median(v->blk[i], id, side);

		if (isfinite(value))
			j->r[n++] = value;
	}
	return median_or_nan(j->r, n, j->scratch);
}

/* The last stage in which anything was judged, else the last one measured. */
static size_t last_stage(const struct judge *j)
{
	size_t last = 0, measured = 1;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (j->b->metric[id].stages_cnt > last)
			last = j->b->metric[id].stages_cnt;
	for (size_t i = 0; i < STAGES_MAX; i++)
		if (j->stage[i].cnt)
			measured = i + 1;
	return last ? last : measured;
}

/* Blocks of stage i that a metric was judged by; what is exact counts those without a value too. */
static size_t judged_reach(const struct judge *j, enum metric_id id, size_t i)
{
	size_t n = j->b->metric[id].stage[i].blocks;

	return metric_get(id)->kind == METRIC_TIMED ? view_reach(&j->stage[i], id, n) : n;
}

/* Blocks of a stage that anybody judged, or all: what was taken later tells of nobody's verdict. */
static size_t blocks_judged(const struct judge *j, size_t stage)
{
	size_t n = 0;

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		const struct rec_metric *m = &j->b->metric[id];
		size_t reach;

		if (m->stages_cnt < stage)
			continue;
		reach = judged_reach(j, id, stage - 1);
		if (reach > n)
			n = reach;
	}
	return n && n < j->stage[stage - 1].cnt ? n : j->stage[stage - 1].cnt;
}

static double summary(const struct judge *j, const struct view *v, size_t cnt, enum metric_id id,
		      enum side side)
{
	switch (metric_get(id)->kind) {
	case METRIC_PEAK:
		return peak_minimum(v, cnt, side);
	case METRIC_COUNTED:
		return side_minimum(v, cnt, id, side);
	case METRIC_TIMED:
	case METRIC_INTERFERENCE:
		break;
	}
	return side_median(j, v, cnt, id, side);
}

/*
 * Where addresses or turns are random, so are page faults and switches: the smallest and the largest of
 * equal commands were seen to differ by one, both to the same side. What has moved is what no window of
 * one side has in common with any of the other. NaN (not measured) compares false.
 */
static bool has_moved(const struct rec_metric *m, const struct view *v, size_t cnt,
		      enum metric_id id)
{
	double least[SIDE_CNT] = {m->per_iteration[SIDE_BASELINE],
				  m->per_iteration[SIDE_CANDIDATE]};

	return least[SIDE_CANDIDATE] - side_maximum(v, cnt, id, SIDE_BASELINE) > m->limit ||
	       least[SIDE_BASELINE] - side_maximum(v, cnt, id, SIDE_CANDIDATE) > m->limit;
}

/* Of the blocks that its interval is made of. */
static void summarize(const struct judge *j, enum metric_id id)
{
	struct rec_metric *m = &j->b->metric[id];
	size_t stage = m->stages_cnt ? m->stages_cnt : last_stage(j);
	size_t cnt = m->stages_cnt ? judged_reach(j, id, stage - 1) : blocks_judged(j, stage);

	for (enum side side = 0; side < SIDE_CNT; side++)
		m->per_iteration[side] = summary(j, &j->stage[stage - 1], cnt, id, side);
	m->moved = metric_get(id)->kind == METRIC_COUNTED &&
		   has_moved(m, &j->stage[stage - 1], cnt, id);
}

static void reset(struct rec_metric *m)
{
	memset(m->stage, 0, sizeof(m->stage));
	m->stages_cnt = 0;
	m->verdict = VERDICT_NONE;
	m->reason = REASON_NONE;
	m->not_confirmed = m->moved = false;
	m->detectable = NAN;
	m->order_effect = m->spread_ratio = m->serial_correlation = NAN;
	m->decile_lo = m->decile_hi = NAN;
	m->unstable = false;
	m->equivalence = (struct rec_equivalence){NAN, NAN, NAN, NAN, false};
	m->layouts = 0;
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

		if (blk->lost == REASON_NONE && blk->stage >= 1 && blk->stage <= STAGES_MAX)
			view_add(&j->stage[blk->stage - 1], blk);
	}
	for (unsigned i = 0; i < STAGES_MAX; i++) {
		size_t most = blocks_before_too_many_lost(b, i + 1);

		if (j->stage[i].cnt > most)
			j->stage[i].cnt = most;
	}
}

static size_t least_blocks(const struct judge *j, const struct policy *p,
			   const struct stage_plan *plan)
{
	if (p->rule == RULE_DUEL && !j->b->sizes_cnt)
		return DUEL_BLOCKS_LEAST;
	return isnan(p->prove_same) ? stage_plan_min(plan, j->b->blocks_min) : plan->n_max;
}

static int find_plans(struct judge *j, const struct policy *p)
{
	for (size_t i = 0; i < policy_stages(p); i++) {
		struct view *v = &j->stage[i];
		int err = policy_plan(p, j->b->blocks_max[i], &v->plan);

		if (err)
			return err;
		v->n_min = least_blocks(j, p, v->plan);
	}
	return 0;
}

static size_t room(const struct rec_bench *b)
{
	size_t n = b->blocks_cnt + 1;

	for (size_t i = 0; i < STAGES_MAX; i++)
		if (n < b->blocks_max[i])
			n = b->blocks_max[i];
	return n;
}

static int judge_stages(const struct judge *j)
{
	int err = 0;

	for (enum metric_id id = 0; id < METRIC_CNT && !err; id++)
		if (metric_get(id)->kind == METRIC_TIMED && is_judged(&j->b->metric[id]))
			err = judge_timed(j, id);
	return err ? err : judge_any_timing(j);
}

static int judge_all(const struct judge *j)
{
	int err;

	if (j->b->sizes_cnt)
		return judge_sized(j);
	err = j->policy->rule == RULE_DUEL ? judge_duel(j) : judge_stages(j);
	/* after all timed ones: they say how long a stage of what is exact lasts */
	for (enum metric_id id = 0; id < METRIC_CNT && !err; id++)
		if (is_exact(id) && is_judged(&j->b->metric[id]))
			judge_counted(j, id);
	return err;
}

/* The stage in which anything is open, however many blocks were lost. */
static unsigned first_open(const struct rec_bench *b)
{
	unsigned first = 0, any = any_timing_wants(b);

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		unsigned wants = metric_wants(&b->metric[id]);

		if (wants && (!first || wants < first))
			first = wants;
	}
	return any && (!first || any < first) ? any : first;
}

/* When all is said: looking at every pair after every block would cost more than it tells. */
static int inspect_all(const struct judge *j)
{
	int err = 0;

	for (enum metric_id id = 0; id < METRIC_CNT && !err; id++)
		if (metric_get(id)->kind == METRIC_TIMED && is_judged(&j->b->metric[id]))
			err = judge_inspect(j, id);
	return err ? err : any_timing_doubt(j);
}

/* What was settled is looked at too when the rest never will be: no doubt is too late to ask. */
static int give_verdicts(const struct judge *j, enum reason end)
{
	int err = judge_all(j);

	if (err)
		return err;
	judge_lost(j->b);
	if (end != REASON_NONE)
		leave_undecided(j->b, end);
	if (j->b->sizes_cnt || (end == REASON_NONE && judge_wants(j->b)))
		return 0;
	return inspect_all(j);
}

/* What a look is for; `end` says why no more blocks will come, REASON_NONE: they may. */
struct look {
	bool verdicts;
	enum reason end;
};

static int judge_metrics(const struct judge *j, struct look look)
{
	int err;

	count_rejected(j->b);
	err = look.verdicts ? give_verdicts(j, look.end) : 0;
	/* a block of several sizes has no value an iteration */
	for (enum metric_id id = 0; id < METRIC_CNT && !err && !j->b->sizes_cnt; id++)
		if (j->b->metric[id].missing == REASON_NONE)
			summarize(j, id);
	return err;
}

static int look_at(struct rec_bench *b, const struct policy *p, struct look look)
{
	size_t n = room(b);
	AUTO_FREE const struct rec_block **blk = calloc(STAGES_MAX * n, sizeof(*blk));
	AUTO_FREE double *r = calloc(n, sizeof(*r)), *scratch = calloc(n, sizeof(*scratch));
	struct judge j = {.b = b, .policy = p, .r = r, .scratch = scratch};
	int err;

	if (!blk || !r || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < STAGES_MAX; i++)
		j.stage[i].blk = blk + i * n;
	fill_views(&j);
	err = find_plans(&j, p);
	return err ? err : judge_metrics(&j, look);
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

static void forget(struct rec_bench *b)
{
	memset(&b->any_timing, 0, sizeof(b->any_timing));
	memset(&b->duel, 0, sizeof(b->duel));
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		reset(&b->metric[id]);
}

int judge_summary(struct rec_bench *b, const struct policy *p)
{
	forget(b);
	return has_no_numbers(b) ? 0 : look_at(b, p, (struct look){false, REASON_NONE});
}

static int judge_until(struct rec_bench *b, const struct policy *p, enum reason end)
{
	int err;

	forget(b);
	if (has_no_numbers(b))
		return 0;
	err = look_at(b, p, (struct look){true, end});
	if (err)
		return err;
	b->verdict = BENCH_OPEN;
	if (end != REASON_NONE || judge_wants(b) == 0)
		name_it(b);
	return 0;
}

int judge_bench(struct rec_bench *b, const struct policy *p)
{
	return judge_until(b, p, REASON_NONE);
}

int judge_close(struct rec_bench *b, const struct policy *p, enum reason why)
{
	return judge_until(b, p, why);
}

unsigned judge_wants(const struct rec_bench *b)
{
	return has_no_numbers(b) || judge_too_many_lost(b) ? 0 : first_open(b);
}

void leave_undecided(struct rec_bench *b, enum reason why)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		struct rec_metric *m = &b->metric[id];

		if (!is_judged(m) || m->verdict != VERDICT_NONE)
			continue;
		m->verdict = VERDICT_UNDECIDED;
		m->reason = why;
	}
}
