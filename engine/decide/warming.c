/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <math.h>
#include "levels.h"
#include "../../stats/trend.h"

/*
 * The least drift from a worker's first slices to its last that counts: as large as the limit, for then
 * it could carry a ratio across it (as of the order effect); and never below 1 % (statistics.md f).
 */
static double least_drift(const struct evidence *e)
{
	return fmax(.01, e->m->limit - 1);
}

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

	if (trend_test(e->x, n, WARMING_ALPHA, least_drift(e), e->scratch, &t) != STATS_OK)
		return 0;
	if (t.verdict != TREND_DETECTED)
		return 0;
	return t.s > 0 ? 1 : -1;
}

/*
 * Warm-up is a property of fresh processes, so it is there in most blocks; a machine that speeds up or
 * slows down lends its drift to a block here and there, also to two in a row (on a shared virtual
 * machine, to one worker in ten). One block in two, at least two, is more than drift does.
 */
static bool stage_warms(const struct evidence *e, enum side side, size_t from, size_t to)
{
	size_t up = 0, down = 0, most;

	for (size_t i = from; i < to; i++) {
		int now = direction(e, e->blk[i], side);

		up += now > 0;
		down += now < 0;
	}
	most = up > down ? up : down;
	return most >= 2 && 2 * most >= to - from;
}

static bool side_warms(const struct evidence *e, enum side side)
{
	for (size_t from = 0, to; from < e->cnt; from = to) {
		for (to = from + 1; to < e->cnt && e->blk[to]->stage == e->blk[from]->stage;)
			to++;
		if (stage_warms(e, side, from, to))
			return true;
	}
	return false;
}

bool keeps_warming(const struct evidence *e)
{
	if (e->b->kind == BENCH_COMMAND)
		return false;
	return side_warms(e, SIDE_BASELINE) || side_warms(e, SIDE_CANDIDATE);
}
