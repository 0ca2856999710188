/* SPDX-License-Identifier: BSD-2-Clause */
/* What a block is worth: the one number that a stage is judged by. */
#include "judge_parts.h"

#include <math.h>
#include "../../stats/median.h"
#include "../measure/schedule.h"

double median_or_nan(const double *x, size_t n, double *scratch)
{
	double median;

	return median_of(x, n, scratch, &median) == STATS_OK ? median : NAN;
}

static double sum_ratio(const double *base, const double *cand, size_t m)
{
	double sum[SIDE_CNT] = {0};

	for (size_t i = 0; i < m; i++) {
		sum[SIDE_BASELINE] += base[i];
		sum[SIDE_CANDIDATE] += cand[i];
	}
	return sum[SIDE_CANDIDATE] / sum[SIDE_BASELINE];
}

static double median_ratio(const double *base, const double *cand, size_t m)
{
	double r[SCHEDULE_PAIRS_MAX], scratch[SCHEDULE_PAIRS_MAX];

	for (size_t i = 0; i < m; i++)
		r[i] = cand[i] / base[i];
	return median_or_nan(r, m, scratch);
}

double judge_block_ratio(const struct rec_block *blk, enum metric_id id)
{
	double base[SCHEDULE_PAIRS_MAX], cand[SCHEDULE_PAIRS_MAX];
	size_t m = blk->pairs_cnt;

	if (m == 0 || m > SCHEDULE_PAIRS_MAX)
		return NAN;
	m -= m % 2 == 0; /* the median of an even number would not invert with the sides */
	for (size_t i = 0; i < m; i++) {
		base[i] = blk->pairs[i].half[SIDE_BASELINE].value[id];
		cand[i] = blk->pairs[i].half[SIDE_CANDIDATE].value[id];
		if (!(base[i] > 0 && cand[i] > 0))
			return NAN;
	}
	return metric_get(id)->summed ? sum_ratio(base, cand, m) : median_ratio(base, cand, m);
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

double block_median(const struct rec_block *blk, enum metric_id id, enum side side)
{
	double x[SCHEDULE_PAIRS_MAX], scratch[SCHEDULE_PAIRS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < blk->pairs_cnt && i < SCHEDULE_PAIRS_MAX; i++) {
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
