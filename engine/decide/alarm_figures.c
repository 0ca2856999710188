/* SPDX-License-Identifier: BSD-2-Clause */
#include "alarms.h"
#include <errno.h>
#include <math.h>
#include "../../stats/boundary.h"
#include "../../stats/describe.h"
#include "../../stats/median.h"
#include "../../stats/normal.h"
#include "../../stats/power.h"

/* Room for the blocks, and for anything as many. */
struct work {
	double *x, *scratch;
};

/* Variance of the median of an odd m of normal values, in units of theirs: exact up to 9, then pi/2m. */
static double median_variance(size_t m)
{
	static const double exact[] = {1, .4487, .2868, .2104, .1661};

	if (m % 2 && m / 2 < sizeof(exact) / sizeof(exact[0]))
		return exact[m / 2];
	return M_PI / 2 / (double)m;
}

static double spread(const double *x, size_t n, double *scratch)
{
	double s;

	return mad_of(x, n, scratch, &s) == STATS_OK ? s : NAN;
}

static bool in_group(const struct alarm_block *b, enum noise level, size_t group)
{
	return (level == NOISE_RUNS ? b->run : b->layout) == group;
}

/*
 * Variance between the medians of groups of blocks, less what the blocks themselves explain: a median of
 * n normal values varies by pi/2n of theirs. NaN with fewer than three groups of four.
 */
static double group_variance(const struct alarm_bench *b, enum noise level, double block_variance,
			     const struct work *w, double *medians)
{
	double own = 0, s;
	size_t groups = 0;

	for (size_t group = 0, left = b->blocks_cnt; left; group++) {
		size_t n = 0;

		for (size_t i = 0; i < b->blocks_cnt; i++)
			if (in_group(&b->blocks[i], level, group))
				w->x[n++] = b->blocks[i].y;
		left -= n;
		if (n < 4 || median_of(w->x, n, w->scratch, &medians[groups]) != STATS_OK)
			continue;
		own += block_variance * M_PI / 2 / (double)n;
		groups++;
	}
	if (groups < 3)
		return NAN;
	s = spread(medians, groups, w->scratch);
	return fmax(0, s * s - own / (double)groups);
}

static void find_worst(struct alarm_figures *f)
{
	f->worst = NOISE_SAMPLES;
	for (enum noise n = NOISE_SAMPLES; n < NOISE_CNT; n++)
		if (f->part[n] > f->part[f->worst] || isnan(f->part[f->worst]))
			f->worst = n;
}

/* Splits the variance of a block value by what renews it. */
static void split(const struct alarm_bench *b, const struct work *w, double *medians,
		  struct alarm_figures *f)
{
	double all = f->spread * f->spread;
	double samples = b->within_cnt ? f->within * f->within * median_variance(b->m) : NAN;
	double layouts = group_variance(b, NOISE_LAYOUTS, all, w, medians);
	double runs = group_variance(b, NOISE_RUNS, all, w, medians);
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
	size_t room = b->blocks_cnt > b->within_cnt ? b->blocks_cnt : b->within_cnt;
	AUTO_FREE double *x = calloc(room + 1, sizeof(*x));
	AUTO_FREE double *scratch = calloc(room + 1, sizeof(*scratch));
	AUTO_FREE double *medians = calloc(b->blocks_cnt + 1, sizeof(*medians));
	struct alarm_figures f = {.blocks = b->blocks_cnt};
	int err;

	if (!x || !scratch || !medians)
		return -ENOMEM;
	if (b->blocks_cnt < 2)
		return -ENODATA;
	for (size_t i = 0; i < b->blocks_cnt; i++)
		x[i] = b->blocks[i].y;
	if (median_of(x, b->blocks_cnt, scratch, &f.median) == STATS_OK)
		f.median = exp(f.median);
	f.spread = spread(x, b->blocks_cnt, scratch);
	f.within = spread(b->within, b->within_cnt, scratch);
	split(b, &(struct work){x, scratch}, medians, &f);
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
