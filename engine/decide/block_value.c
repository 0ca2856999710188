/* SPDX-License-Identifier: BSD-2-Clause */
/* What a block is worth: the one number that a stage is judged by. */
#include "judge_parts.h"

#include <math.h>
#include "../../stats/block.h"
#include "../../stats/median.h"

double median_or_nan(const double *x, size_t n, double *scratch)
{
	double median;

	return median_of(x, n, scratch, &median) == STATS_OK ? median : NAN;
}

double judge_block_ratio(const struct rec_block *blk, enum metric_id id)
{
	double base[PAIRS_MAX], cand[PAIRS_MAX], scratch[2 * PAIRS_MAX];
	enum block_value how = metric_get(id)->summed ? BLOCK_SUM : BLOCK_MEDIAN;

	if (blk->pairs_cnt > PAIRS_MAX)
		return NAN;
	for (size_t i = 0; i < blk->pairs_cnt; i++) {
		base[i] = blk->pairs[i].half[SIDE_BASELINE].value[id];
		cand[i] = blk->pairs[i].half[SIDE_CANDIDATE].value[id];
	}
	return block_ratio(how, base, cand, blk->pairs_cnt, scratch);
}

size_t view_ratios(const struct judge *j, const struct view *v, size_t cnt, enum metric_id id)
{
	size_t n = 0;

	for (size_t i = 0; i < v->cnt && i < cnt; i++) {
		double r = judge_block_ratio(v->blk[i], id);

		if (isfinite(r))
			j->r[n++] = r;
	}
	return n;
}

size_t view_reach(const struct view *v, enum metric_id id, size_t n)
{
	size_t i = 0;

	for (; i < v->cnt && n > 0; i++)
		n -= isfinite(judge_block_ratio(v->blk[i], id)) != 0;
	return i;
}

double block_median(const struct rec_block *blk, enum metric_id id, enum side side)
{
	double x[PAIRS_MAX], scratch[PAIRS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < blk->pairs_cnt && i < PAIRS_MAX; i++) {
		double value = blk->pairs[i].half[side].value[id];

		if (isfinite(value))
			x[n++] = value;
	}
	return median_or_nan(x, n, scratch);
}

double side_minimum(const struct view *v, size_t cnt, enum metric_id id, enum side side)
{
	double least = NAN;

	for (size_t i = 0; i < v->cnt && i < cnt; i++)
		for (size_t k = 0; k < v->blk[i]->pairs_cnt; k++)
			least = fmin(least, v->blk[i]->pairs[k].half[side].value[id]);
	return least;
}

double side_maximum(const struct view *v, size_t cnt, enum metric_id id, enum side side)
{
	double most = NAN;

	for (size_t i = 0; i < v->cnt && i < cnt; i++)
		for (size_t k = 0; k < v->blk[i]->pairs_cnt; k++)
			most = fmax(most, v->blk[i]->pairs[k].half[side].value[id]);
	return most;
}

double peak_minimum(const struct view *v, size_t cnt, enum side side)
{
	double least = NAN;

	for (size_t i = 1; i < v->cnt && i < cnt; i++)
		least = fmin(least, v->blk[i]->peak_bytes[side]);
	return least;
}
