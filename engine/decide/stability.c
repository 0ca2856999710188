/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <math.h>
#include "levels.h"
#include "../../stats/describe.h"
#include "../../stats/median.h"
#include "../../stats/serial.h"

#define STABILITY_BLOCKS_LEAST 20
#define SPREAD_LIMIT	       1

/* ret[0..result): log ratio of every pair less that of its block, but for the one nearest to it. */
static size_t other_pairs(const struct evidence *e, double *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cnt; i++) {
		double level = log(judge_block_ratio(e->blk[i], e->id));
		size_t from = n, nearest = n;

		for (size_t k = 0; k < e->blk[i]->pairs_cnt; k++) {
			const struct rec_half *half = e->blk[i]->pairs[k].half;

			ret[n] = log(half[SIDE_CANDIDATE].value[e->id] /
				     half[SIDE_BASELINE].value[e->id]) -
				 level;
			if (fabs(ret[n]) < fabs(ret[nearest]))
				nearest = n;
			n++;
		}
		if (n > from)
			ret[nearest] = ret[--n];
	}
	return n;
}

static double spread_ratio(const struct evidence *e, const double *blocks)
{
	double between, within;

	if (mad_of(blocks, e->cnt, e->scratch, &between) != STATS_OK)
		return NAN;
	if (mad_about(e->y, other_pairs(e, e->y), 0, e->scratch, &within) != STATS_OK)
		return NAN; /* no other pairs */
	return between == 0 ? 0 : between / within;
}

void judge_stability(const struct evidence *e, struct rec_metric *m)
{
	double bound = SERIAL_SIGMAS / sqrt((double)e->cnt);

	if (e->cnt < STABILITY_BLOCKS_LEAST)
		return;
	for (size_t i = 0; i < e->cnt; i++)
		e->x[i] = judge_block_ratio(e->blk[i], e->id);
	/* quantiles do not fail: the ratios are finite and there are some */
	(void)!quantile_of(e->x, e->cnt, .1, e->scratch, &m->decile_lo);
	(void)!quantile_of(e->x, e->cnt, .9, e->scratch, &m->decile_hi);
	(void)!rank_autocorrelation(e->x, e->cnt, e->scratch, &m->serial_correlation);
	for (size_t i = 0; i < e->cnt; i++)
		e->x[i] = log(e->x[i]);
	m->spread_ratio = spread_ratio(e, e->x);
	m->unstable = m->spread_ratio > SPREAD_LIMIT || m->serial_correlation > bound;
}
