/* SPDX-License-Identifier: BSD-2-Clause */
#include "alarms.h"
#include <errno.h>
#include <math.h>
#include "../../stats/boundary.h"
#include "../../stats/describe.h"
#include "../../stats/groups.h"
#include "../../stats/median.h"
#include "../../stats/normal.h"
#include "../../stats/power.h"

/* The blocks' values; room for the group of each, and for three times as many. */
struct work {
	const double *y;
	size_t *group;
	double *scratch;
};

static double spread(const double *x, size_t n, double *scratch)
{
	double s;

	return mad_of(x, n, scratch, &s) == STATS_OK ? s : NAN;
}

/* Variance of what the blocks of a run, or of a layout, have in common; NaN: not known. */
static double common_variance(const struct alarm_bench *b, enum noise level, double all,
			      struct work *w)
{
	double variance;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		w->group[i] = level == NOISE_RUNS ? b->blocks[i].run : b->blocks[i].layout;
	return groups_variance(w->y, w->group, b->blocks_cnt, all, w->scratch, &variance) ==
			       STATS_OK
		       ? variance
		       : NAN;
}

static void find_worst(struct alarm_figures *f)
{
	f->worst = NOISE_SAMPLES;
	for (enum noise n = NOISE_SAMPLES; n < NOISE_CNT; n++)
		if (f->part[n] > f->part[f->worst] || isnan(f->part[f->worst]))
			f->worst = n;
}

/* Splits the variance of a block value by what renews it. */
static void split(const struct alarm_bench *b, struct work *w, struct alarm_figures *f)
{
	double all = f->spread * f->spread;
	double samples = b->within_cnt ? f->within * f->within * median_variance(b->m) : NAN;
	double layouts = common_variance(b, NOISE_LAYOUTS, all, w);
	double runs = common_variance(b, NOISE_RUNS, all, w);
	double rest =
		all - fmax(samples, 0) - fmax(layouts, 0) - fmax(runs, 0); /* fmax drops NaN */

	f->part[NOISE_SAMPLES] = sqrt(samples);
	f->part[NOISE_LAYOUTS] = sqrt(layouts);
	f->part[NOISE_RUNS] = sqrt(runs);
	f->part[NOISE_PROCESSES] = sqrt(fmax(0, rest));
	find_worst(f);
}

static double seen(const struct stage_plan *plan, double power, double limit, double s,
		   double *scratch)
{
	double p, ratio;

	if (boundary_needed_p(plan->n_max, plan->u, plan->l, power, scratch, &p) != STATS_OK ||
	    mde_ratio(p, s, limit, &ratio) != STATS_OK)
		return NAN;
	return ratio;
}

static int find_seen(const struct alarm_bench *b, const struct policy *p, struct alarm_figures *f)
{
	const struct stage_plan *plan;
	AUTO_FREE double *scratch = calloc(2 * (b->n_max + 2), sizeof(*scratch));
	int err = scratch ? policy_plan(p, b->n_max, &plan) : -ENOMEM;

	f->seen_80 = f->seen_90 = NAN;
	if (err || p->rule != RULE_STAGES)
		return err;
	f->seen_80 = seen(plan, .8, b->limit, f->spread, scratch);
	f->seen_90 = seen(plan, .9, b->limit, f->spread, scratch);
	return 0;
}

int alarm_figures_of(const struct alarm_bench *b, const struct policy *p, struct alarm_figures *ret)
{
	size_t room = 3 * b->blocks_cnt + b->within_cnt + 1;
	AUTO_FREE double *y = calloc(b->blocks_cnt + 1, sizeof(*y));
	AUTO_FREE size_t *group = calloc(b->blocks_cnt + 1, sizeof(*group));
	AUTO_FREE double *scratch = calloc(room, sizeof(*scratch));
	struct alarm_figures f = {.blocks = b->blocks_cnt};
	int err;

	if (!y || !group || !scratch)
		return -ENOMEM;
	if (b->blocks_cnt < 2)
		return -ENODATA;
	for (size_t i = 0; i < b->blocks_cnt; i++)
		y[i] = b->blocks[i].y;
	if (median_of(y, b->blocks_cnt, scratch, &f.median) == STATS_OK)
		f.median = exp(f.median);
	f.spread = spread(y, b->blocks_cnt, scratch);
	f.within = spread(b->within, b->within_cnt, scratch);
	split(b, &(struct work){y, group, scratch}, &f);
	err = find_seen(b, p, &f);
	if (!err)
		*ret = f;
	return err;
}

/* That one stage of n blocks says slower, each of which lies above the limit with probability p. */
static int stage_power(const struct policy *policy, size_t n, double p, double *ret)
{
	const struct stage_plan *plan;
	AUTO_FREE double *scratch = calloc(2 * (n + 2), sizeof(*scratch));
	int err = scratch ? policy_plan(policy, n, &plan) : -ENOMEM;
	struct operating chance;

	if (err)
		return err;
	if (boundary_operating(plan->n_max, plan->u, plan->l, p, scratch, &chance) != STATS_OK)
		return -EINVAL;
	*ret = chance.slower;
	return 0;
}

int alarm_power_of(const struct alarm_bench *b, const struct policy *p, double ratio, double spread,
		   double *ret)
{
	double above = log(ratio / b->limit), power = 1;
	double each = spread > 0 ? normal_cdf(above / spread) : above > 0;
	int err = 0;

	if (p->rule != RULE_STAGES)
		power = NAN; /* it is not known of another one */
	for (size_t i = 0; i < CONFIRMED_STAGES && !err && !isnan(power); i++) {
		double one = 0;

		err = stage_power(p, i ? b->n_confirm[i - 1] : b->n_max, each, &one);
		power *= one;
	}
	if (!err)
		*ret = power;
	return err;
}

int alarm_quantiles_of(const struct alarm_times *t, struct alarm_quantiles *ret)
{
	AUTO_FREE double *scratch = calloc(t->cnt + 1, sizeof(*scratch));
	struct alarm_quantiles q = {t->cnt, NAN, NAN};

	if (!scratch)
		return -ENOMEM;
	if (t->cnt && (quantile_of(t->s, t->cnt, .5, scratch, &q.median) != STATS_OK ||
		       quantile_of(t->s, t->cnt, .9, scratch, &q.nine_of_ten) != STATS_OK))
		return -EINVAL;
	*ret = q;
	return 0;
}
