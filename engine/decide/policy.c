/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../stats/boundary.h"
#include "../../stats/normal.h"

struct plan_cache {
	size_t cnt;
	struct stage_plan **plan; /* apart from each other: a plan handed out does not move */
};

static void plan_free(struct stage_plan *sp)
{
	if (!sp)
		return;
	free(sp->u);
	free(sp->l);
	free(sp);
}

DEFINE_CLEANUP(cleanup_plan, struct stage_plan *, plan_free);

/* z = quantile of the p that one stage needs to say slower with 80 % power. */
static double detect_sigmas(const struct stage_plan *sp, double *scratch)
{
	double p, z;

	if (boundary_needed_p(sp->n_max, sp->u, sp->l, STAGE_POWER, scratch, &p) != STATS_OK)
		return NAN;
	return normal_quantile(p, &z) == STATS_OK ? z : NAN;
}

static int plan_new(size_t n, double alpha, struct stage_plan **ret)
{
	CLEANUP(cleanup_plan) struct stage_plan *sp = calloc(1, sizeof(*sp));
	AUTO_FREE double *scratch = calloc(2 * (n + 2), sizeof(*scratch));

	if (!sp || !scratch)
		return -ENOMEM;
	sp->n_max = n;
	sp->alpha = alpha;
	sp->u = calloc(n, sizeof(*sp->u));
	sp->l = calloc(n, sizeof(*sp->l));
	if (!sp->u || !sp->l)
		return -ENOMEM;
	if (boundary_compute(n, alpha, STAGE_RHO_SLOWER, sp->u, scratch) != STATS_OK ||
	    boundary_compute(n, STAGE_BETA, STAGE_RHO_NOT_SLOWER, sp->l, scratch) != STATS_OK)
		return -EINVAL;
	sp->n_min = boundary_first(sp->u, n);
	if (sp->n_min == 0)
		sp->n_min = n;
	sp->detect_sigmas = detect_sigmas(sp, scratch);
	*ret = TAKE_PTR(sp);
	return 0;
}

static struct stage_plan *find_plan(const struct plan_cache *c, size_t n, double alpha)
{
	for (size_t i = 0; i < c->cnt; i++)
		if (c->plan[i]->n_max == n && c->plan[i]->alpha == alpha)
			return c->plan[i];
	return NULL;
}

static int add_plan(struct plan_cache *c, size_t n, double alpha, const struct stage_plan **ret)
{
	struct stage_plan **grown = reallocarray(c->plan, c->cnt + 1, sizeof(*c->plan));
	int err;

	if (!grown)
		return -ENOMEM;
	c->plan = grown;
	err = plan_new(n, alpha, &c->plan[c->cnt]);
	if (err)
		return err;
	*ret = c->plan[c->cnt++];
	return 0;
}

int policy_plan(const struct policy *p, size_t n_max, const struct stage_plan **ret)
{
	return policy_plan_at(p, n_max, p->alpha, ret);
}

int policy_plan_at(const struct policy *p, size_t n_max, double alpha,
		   const struct stage_plan **ret)
{
	const struct stage_plan *sp;

	if (!p->plans || n_max < 1 || n_max > BOUNDARY_N_MAX)
		return -EINVAL;
	sp = find_plan(p->plans, n_max, alpha);
	if (!sp)
		return add_plan(p->plans, n_max, alpha, ret);
	*ret = sp;
	return 0;
}

void policy__init(struct policy *p)
{
	*p = (struct policy){.alpha = .01, .peak_least = NAN, .prove_same = NAN};
	for (size_t i = 0; i < METRIC_CNT; i++)
		p->limit[i] = NAN;
}

void policy_record(const struct policy *p, struct record *rec)
{
	rec->judging = (struct rec_judging){.rule = p->rule,
					    .alpha = p->alpha,
					    .blocks = policy_blocks(p, 1),
					    .prove_same = p->prove_same};
}

void policy__of_record(struct policy *ret, const struct record *rec)
{
	policy__init(ret);
	ret->rule = rec->judging.rule;
	ret->alpha = rec->judging.alpha;
	ret->blocks_max = rec->judging.blocks;
	ret->prove_same = rec->judging.prove_same;
}

size_t policy_blocks(const struct policy *p, unsigned stage)
{
	size_t n = p->blocks_max ? p->blocks_max : BLOCKS_DEFAULT;

	if (p->rule == RULE_DUEL)
		return DUEL_BLOCKS;
	return stage > 1 ? 2 * n : n;
}

size_t policy_stages(const struct policy *p)
{
	return p->rule == RULE_DUEL ? STAGES_MAX : ANY_STAGES;
}

static bool limit_valid(enum metric_id id, double limit)
{
	double least = metric_get(id)->kind == METRIC_COUNTED ? 0 : 1;

	return isnan(limit) || (isfinite(limit) && limit >= least);
}

static bool numbers_valid(const struct policy *p)
{
	size_t n = policy_blocks(p, 1);

	if (!(p->alpha > 0 && p->alpha < .5))
		return false;
	if (n < BLOCKS_LEAST || n > BLOCKS_MOST || p->blocks_min > n)
		return false;
	if (!isnan(p->prove_same) && !(p->prove_same > 1 && isfinite(p->prove_same)))
		return false;
	if (!isnan(p->peak_least) && !(p->peak_least >= 0 && isfinite(p->peak_least)))
		return false;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (!limit_valid(id, p->limit[id]))
			return false;
	return true;
}

static int prepare(struct policy *p)
{
	const struct stage_plan *first, *later;
	int err;

	if (!numbers_valid(p))
		return -EINVAL;
	p->plans = calloc(1, sizeof(*p->plans));
	if (!p->plans)
		return -ENOMEM;
	err = policy_plan(p, policy_blocks(p, 1), &first);
	if (!err)
		err = policy_plan(p, policy_blocks(p, 2), &later);
	if (err)
		return err;
	return boundary_first(first->u, first->n_max) ? 0 : -EINVAL;
}

int policy__prepare(struct policy *p)
{
	int err;

	policy__done(p);
	err = prepare(p);
	if (err)
		policy__done(p);
	return err;
}

void policy__done(struct policy *p)
{
	if (!p || !p->plans)
		return;
	for (size_t i = 0; i < p->plans->cnt; i++)
		plan_free(p->plans->plan[i]);
	free(p->plans->plan);
	free(p->plans);
	p->plans = NULL;
}
