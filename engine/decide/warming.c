/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <math.h>
#include "../../stats/trend.h"

#define ALPHA	  0.01
#define DRIFT_MIN 0.01

static const double *slices_of(const struct rec_half *h, enum metric_id id)
{
	if (id == METRIC_CPU || id == METRIC_CPU_TOTAL)
		return h->cpu_ns;
	return id == METRIC_WALL ? h->wall_ns : NULL;
}

/* The slices of a side's worker in the order in which they were taken. */
static size_t slices(const struct evidence *e, const struct rec_block *blk, enum side side)
{
	size_t n = 0;

	for (size_t i = 0; i < blk->pairs_cnt; i++) {
		const struct rec_half *h = &blk->pairs[i].half[side];
		const double *x = slices_of(h, e->id);

		for (size_t k = 0; x && k < h->slices && k < SLICES_MAX; k++)
			e->x[n++] = x[k];
	}
	return n;
}

/* -1, 0, 1 */
static int direction(const struct evidence *e, const struct rec_block *blk, enum side side)
{
	size_t n = slices(e, blk, side);
	struct trend t;

	if (trend_test(e->x, n, ALPHA, DRIFT_MIN, e->scratch, &t) != STATS_OK)
		return 0;
	if (t.verdict != TREND_DETECTED)
		return 0;
	return t.s > 0 ? 1 : -1;
}

static bool side_warms(const struct evidence *e, enum side side)
{
	int before = 0;

	for (size_t i = 0; i < e->cnt; i++) {
		int now = direction(e, e->blk[i], side);

		if (i > 0 && e->blk[i - 1]->stage != e->blk[i]->stage)
			before = 0; /* a stage lies between */
		if (now && now == before)
			return true;
		before = now;
	}
	return false;
}

bool keeps_warming(const struct evidence *e)
{
	if (e->b->kind == BENCH_COMMAND)
		return false;
	return side_warms(e, SIDE_BASELINE) || side_warms(e, SIDE_CANDIDATE);
}
