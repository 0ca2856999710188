/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said beside a verdict, and is no part of it. */
#include "terminal_parts.h"
#include <math.h>
#include "../stats/block.h"
#include "../stats/median.h"

#define CONFIDENCE .99

/* Nothing else of such a benchmark makes anybody look. */
static bool is_settled(const struct rec_bench *b)
{
	return b->verdict == BENCH_SAME || b->verdict == BENCH_FASTER ||
	       b->verdict == BENCH_CHANGED;
}

bool terminal_total_open(const struct rec_bench *b)
{
	const struct rec_metric *total = &b->metric[METRIC_CPU_TOTAL];

	return is_settled(b) && total->judged && total->verdict == VERDICT_UNDECIDED;
}

bool terminal_total_doubted(const struct rec_bench *b)
{
	const struct rec_metric *total = &b->metric[METRIC_CPU_TOTAL];
	const struct stage_result *shown = terminal_shown(total);

	if (!terminal_total_open(b))
		return false;
	return terminal_suspected(total) ||
	       (shown && shown->median > total->limit && shown->lo > 1);
}

/* The last stage in which anything was judged, else the last that has blocks. */
static size_t last_stage(const struct rec_bench *b)
{
	size_t judged = 0, measured = 0;

	for (int i = 0; i < METRIC_CNT; i++)
		if (b->metric[i].stages_cnt > judged)
			judged = b->metric[i].stages_cnt;
	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].stage > measured)
			measured = b->blocks[i].stage;
	return judged ? judged : measured;
}

/* scratch: 4 doubles for each pair. */
static double pairs_ratio(const struct rec_block *blk, enum metric_id id, double *scratch)
{
	double *base = scratch, *cand = base + blk->pairs_cnt;

	for (size_t i = 0; i < blk->pairs_cnt; i++) {
		base[i] = blk->pairs[i].half[SIDE_BASELINE].value[id];
		cand[i] = blk->pairs[i].half[SIDE_CANDIDATE].value[id];
	}
	return block_ratio(BLOCK_MEDIAN, base, cand, blk->pairs_cnt, cand + blk->pairs_cnt);
}

/* Of the last stage, into ret[0..result). */
static size_t last_ratios(const struct rec_bench *b, enum metric_id id, double *ret,
			  double *scratch)
{
	size_t n = 0, stage = last_stage(b);

	for (size_t i = 0; stage && i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];
		double r = NAN;

		if (blk->lost == REASON_NONE && blk->stage == stage)
			r = pairs_ratio(blk, id, scratch);
		if (isfinite(r))
			ret[n++] = r;
	}
	return n;
}

/* False without memory, or with too few blocks for an interval. */
static bool last_interval(const struct rec_bench *b, enum metric_id id, struct stage_result *ret)
{
	AUTO_FREE double *r = calloc(2 * b->blocks_cnt + 1, sizeof(*r));
	AUTO_FREE double *scratch = calloc(4 * terminal_most_pairs(b), sizeof(*scratch));
	struct median_interval of;
	size_t n = r && scratch ? last_ratios(b, id, r, scratch) : 0;

	if (!n ||
	    median_interval(r, n, CONFIDENCE, INTERVAL_TWO, r + b->blocks_cnt, &of) != STATS_OK)
		return false;
	*ret = (struct stage_result){.blocks = n, .median = of.median, .lo = of.lo, .hi = of.hi};
	return !of.withheld;
}

bool terminal_ended_early(const struct rec_bench *b, enum metric_id id)
{
	const struct rec_metric *m = &b->metric[id];

	return metric_get(id)->kind == METRIC_TIMED && m->verdict == VERDICT_UNDECIDED &&
	       (m->reason == REASON_OUT_OF_TIME || m->reason == REASON_INTERRUPTED) &&
	       !terminal_shown(m);
}

/* Only time, which knows no ratio, may have chosen the moment: at any other the interval is too narrow. */
bool terminal_so_far(const struct rec_bench *b, enum metric_id id, struct stage_result *ret)
{
	if (!terminal_ended_early(b, id) || (id != METRIC_CPU && id != METRIC_WALL) || b->sizes_cnt)
		return false;
	return last_interval(b, id, ret);
}

/* An undecided cpu that may be as much slower: what it takes more is in the elapsed time as well. */
static bool explained_by_cpu(const struct rec_bench *b, const struct stage_result *wall)
{
	const struct rec_metric *m = &b->metric[METRIC_CPU];
	const struct stage_result *shown = terminal_shown(m);
	struct stage_result far;

	if (!shown && terminal_so_far(b, METRIC_CPU, &far))
		shown = &far;
	return m->judged && m->verdict == VERDICT_UNDECIDED && (!shown || shown->hi >= wall->lo);
}

bool terminal_wall_moved(const struct rec_bench *b, struct stage_result *ret)
{
	const struct rec_metric *m = &b->metric[METRIC_WALL];

	if (m->judged || m->missing != REASON_NONE || b->sizes_cnt ||
	    !(is_settled(b) || b->verdict == BENCH_UNDECIDED))
		return false;
	return last_interval(b, METRIC_WALL, ret) && ret->lo > m->limit &&
	       !explained_by_cpu(b, ret);
}
