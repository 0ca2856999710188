/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <errno.h>
#include <math.h>

static void gather(const struct judge *j, struct evidence *e)
{
	for (size_t i = 0; i < e->m->stages_cnt; i++) {
		const struct view *v = &j->stage[i];

		for (size_t k = 0, n = 0; k < v->cnt && n < e->m->stage[i].blocks; k++) {
			if (!isfinite(judge_block_ratio(v->blk[k], e->id)))
				continue;
			e->blk[e->cnt++] = v->blk[k];
			n++;
		}
	}
}

static size_t doubles_needed(const struct rec_bench *b)
{
	size_t pairs = 0, most = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		pairs += b->blocks[i].pairs_cnt;
		if (b->blocks[i].pairs_cnt > most)
			most = b->blocks[i].pairs_cnt;
	}
	return pairs + b->blocks_cnt + 2 * SLICES_MAX * most + 1;
}

static bool order_matters(const struct evidence *e)
{
	struct estimate o = order_effect(e);
	double limit = log(e->m->limit);

	if (!(limit > 0))
		return false;			/* at limit 1 every order effect is above it */
	if (e->m->verdict == VERDICT_UNDECIDED) /* then the best guess explains */
		return fabs(o.value) > limit;
	return o.lo > limit || o.hi < -limit;
}

static bool sides_rejected_unevenly(const struct evidence *e)
{
	return rejected_unevenly(e->j);
}

static bool layouts_differ(const struct evidence *e)
{
	return e->m->verdict == VERDICT_SLOWER && !layouts_agree(e);
}

/* The first that holds is the reason. */
static const struct {
	bool (*holds)(const struct evidence *e);
	enum reason why;
} doubts[] = {
	{order_matters, REASON_ORDER_EFFECT},
	{keeps_warming, REASON_WARMING},
	{sides_rejected_unevenly, REASON_REJECTED_UNEVENLY},
	{is_sensitive, REASON_SENSITIVE},
	{layouts_differ, REASON_LAYOUT},
};

bool is_doubt(enum reason why)
{
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		if (doubts[i].why == why)
			return true;
	return false;
}

static void doubt(const struct evidence *e, struct rec_metric *m)
{
	/* the judge of the benchmark asks for the former, and more blocks mend the latter */
	if (m->reason == REASON_NOT_FOLLOWED || is_end(m->reason))
		return;
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		if (!doubts[i].holds(e))
			continue;
		m->verdict = VERDICT_UNDECIDED;
		m->reason = doubts[i].why;
		m->not_confirmed = false;
		return;
	}
}

int judge_inspect(const struct judge *j, enum metric_id id)
{
	size_t n = doubles_needed(j->b);
	AUTO_FREE const struct rec_block **blk = calloc(j->b->blocks_cnt + 1, sizeof(*blk));
	AUTO_FREE double *x = calloc(3 * n, sizeof(*x));
	struct rec_metric *m = &j->b->metric[id];
	struct evidence e = {.j = j, .b = j->b, .id = id, .m = m, .blk = blk, .x = x};

	if (!blk || !x)
		return -ENOMEM;
	e.y = x + n;
	e.scratch = x + 2 * n;
	gather(j, &e);
	m->order_effect = order_effect(&e).value;
	m->layouts = layouts_seen(&e);
	judge_stability(&e, m);
	if (j->policy->rule == RULE_STAGES) /* the other is shown as it was */
		doubt(&e, m);
	return 0;
}
