/* SPDX-License-Identifier: BSD-2-Clause */
/* What the blocks of stage 0 are for: pairs and slices, fixed before the first judged block. */
#include "run_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "../../stats/median.h"
#include "../../stats/pairs.h"
#include "plan.h"
#include "schedule.h"

#define DISTURBED_OVER 1.01 /* times the median of its process */
#define QUIET_BELOW    0.25 /* share of disturbed slices */
#define SPREAD_SHARE   3.0  /* of limit - 1 a block may spread by one third */

static bool can_raise_pairs(const struct runner *r, const struct rec_bench *b)
{
	return !r->src->options.pairs && b->m > 1 && b->m < PAIRS_MOST;
}

/* Iterations of a slice on a quiet host; b->n where there is nothing to choose. */
static uint64_t quiet_iterations(const struct rec_bench *b)
{
	uint64_t n = plan_iterations(b->slice_ns / (double)b->n, SLICE_QUIET_NS);

	if (b->kind != BENCH_FUNCTION || b->threads > 1 || b->k < 2 || n < b->n)
		return b->n;
	return n;
}

bool lane_can_plan(const struct runner *r, const struct lane *l)
{
	return !l->b->sizes_cnt && (can_raise_pairs(r, l->b) || quiet_iterations(l->b) > l->b->n);
}

static bool counts(const struct rec_bench *b, const struct rec_block *blk)
{
	return blk->stage == 0 && blk->lost == REASON_NONE && blk->pairs_cnt == b->m;
}

/* x[0..m k): the slices of one process. */
static size_t slices_of(const struct rec_block *blk, enum side side, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < blk->pairs_cnt; i++) {
		const struct rec_half *h = &blk->pairs[i].half[side];

		for (size_t j = 0; j < h->slices; j++)
			x[n++] = h->cpu_ns[j];
	}
	return n;
}

/* Of all slices; NaN when there are none. */
static double disturbed_share(const struct rec_bench *b)
{
	double x[PAIRS_MAX * SLICES_MAX], scratch[PAIRS_MAX * SLICES_MAX];
	size_t over = 0, all = 0;

	for (size_t i = 0; i < SIDE_CNT * b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i / SIDE_CNT];
		size_t n = counts(b, blk) ? slices_of(blk, (enum side)(i % SIDE_CNT), x) : 0;
		double median;

		if (median_of(x, n, scratch, &median) != STATS_OK)
			continue;
		for (size_t j = 0; j < n; j++)
			over += x[j] > DISTURBED_OVER * median;
		all += n;
	}
	return all ? (double)over / (double)all : NAN;
}

/* What the benchmark is judged by first of all. METRIC_CNT: by nothing that has pairs of ratios. */
static enum metric_id leading_metric(const struct rec_bench *b)
{
	static const enum metric_id leading[] = {METRIC_CPU, METRIC_WALL};

	for (size_t i = 0; i < sizeof(leading) / sizeof(leading[0]); i++) {
		const struct rec_metric *m = &b->metric[leading[i]];

		if (m->judged && m->missing == REASON_NONE)
			return leading[i];
	}
	return METRIC_CNT;
}

/* y[0..result): the log ratios of all pairs of the blocks that count. */
static size_t log_ratios(const struct rec_bench *b, enum metric_id id, double *y)
{
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		for (size_t k = 0; counts(b, &b->blocks[i]) && k < b->m; k++) {
			const struct rec_pair *p = &b->blocks[i].pairs[k];

			y[n++] = log(p->half[SIDE_CANDIDATE].value[id] /
				     p->half[SIDE_BASELINE].value[id]);
		}
	return n;
}

/* Leaves what cannot be known as it is: NaN. */
static int predict(const struct runner *r, struct rec_bench *b)
{
	struct rec_planning *p = &b->planning;
	enum metric_id id = leading_metric(b);
	size_t scratch_cnt = pairs_scratch(p->blocks, p->m);
	AUTO_FREE double *y = calloc(p->blocks * p->m + scratch_cnt + 1, sizeof(*y));
	struct pairs_spread spread;

	if (!y)
		return -ENOMEM;
	if (id == METRIC_CNT || log_ratios(b, id, y) != p->blocks * p->m ||
	    pairs_spread(y, p->blocks, p->m, y + p->blocks * p->m, &spread) != STATS_OK)
		return 0;
	p->within = spread.within;
	p->between = spread.between;
	p->wanted = (b->metric[id].limit - 1) / SPREAD_SHARE;
	if (can_raise_pairs(r, b))
		b->m = pairs_choose(&spread, b->m, p->wanted);
	p->predicted = pairs_predict(&spread, b->m);
	return 0;
}

/* Longer slices spread no more than those that were predicted from. */
static void choose_slices(struct rec_bench *b)
{
	double per_iteration_ns = b->slice_ns / (double)b->n;

	if (b->planning.disturbed < QUIET_BELOW)
		b->n = quiet_iterations(b);
	b->slice_ns = per_iteration_ns * (double)b->n;
}

void lane_plan_by_blocks(struct runner *r, struct lane *l)
{
	struct rec_bench *b = l->b;
	struct rec_planning *p = &b->planning;

	for (size_t i = 0; i < b->blocks_cnt && !l->over; i++)
		p->blocks += counts(b, &b->blocks[i]);
	if (!p->blocks)
		return;
	p->n = b->n;
	p->m = b->m;
	p->disturbed = disturbed_share(b);
	if (predict(r, b) != 0)
		run_stop(r, REASON_INTERRUPTED, -ENOMEM);
	choose_slices(b);
}
