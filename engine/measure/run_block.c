/* SPDX-License-Identifier: BSD-2-Clause */
/* One block of a benchmark: its coins, and what becomes of it. */
#include "run_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "schedule.h"

#define PLANNING_LOST 3 /* so many blocks of stage 0 are taken again */

static enum source_status measure(struct runner *r, struct lane *l, struct rec_block *blk)
{
	const struct source_ops *ops = r->src->ops;
	enum source_status st = ops->block(r->src, l->b, blk), end;

	if (st == SOURCE_OK)
		st = lane_measure_pairs(r, l, blk);
	end = ops->end(r->src, l->b, blk);
	if (end > st)
		st = end;
	if (st == SOURCE_LOST && l->b->verdict == BENCH_ERROR)
		return SOURCE_FAILED;
	if (st == SOURCE_LOST && blk->lost == REASON_NONE) {
		(void)snprintf(r->src->error, sizeof(r->src->error),
			       "the source lost a block without a reason");
		return SOURCE_BROKEN;
	}
	return st;
}

static int new_block(const struct runner *r, struct lane *l, struct rec_block **ret)
{
	struct rec_bench *b = l->b;
	enum side first[PAIRS_MAX];
	struct rec_block *blk;
	int err = record__add_block(b, &blk);

	if (err)
		return err;
	blk->stage = r->stage;
	blk->slot = l->kept;
	blk->attempt = l->attempt;
	blk->round = r->round;
	blk->coins = schedule_coins(r->rec->seed, b->name, r->stage, l->kept, b->m);
	if (b->sizes_cnt) /* it takes no block of stage 0 */
		blk->coins.majority = schedule_balanced(r->rec->seed, b->name, r->stage, l->kept,
							b->blocks_max[r->stage - 1]);
	blk->at_ns = run_now_ns(r) - r->start_ns;
	err = rec_block__reserve(blk, lane_pairs(l));
	if (err) {
		rec_bench__drop_block(b);
		return err;
	}
	schedule_first(&blk->coins, b->m, first);
	for (size_t i = 0; i < lane_pairs(l); i++)
		blk->pairs[i].first = first[i % b->m];
	*ret = blk;
	return 0;
}

/* At most, in this stage. */
static size_t blocks_wanted(const struct runner *r, const struct rec_bench *b)
{
	if (r->stage == 0)
		return r->opt->plan_blocks;
	return r->opt->measure_only ? r->opt->measure_blocks : b->blocks_max[r->stage - 1];
}

static void report_progress(const struct runner *r, const struct lane *l)
{
	struct run_progress p = {
		.stage = r->stage,
		.round = r->round,
		.total = r->cnt,
		.bench = l->b,
		.block = l->kept,
		.blocks_max = blocks_wanted(r, l->b),
		.elapsed_s = run_elapsed_s(r),
	};

	if (!r->opt->progress)
		return;
	for (size_t i = 0; i < r->cnt; i++)
		p.open += r->lanes[i].in;
	r->opt->progress(r->opt->arg, &p);
}

/*
 * A host that kills has no favourite: where every lost block was lost by the death of the same side,
 * the program is what dies, and a program that cannot be measured must not pass as undecided.
 */
static bool dies_itself(const struct lane *l, enum side *ret)
{
	for (enum side side = 0; side < SIDE_CNT; side++) {
		if (l->killed[side] == l->lost) {
			*ret = side;
			return true;
		}
	}
	return false;
}

static void count_lost(struct runner *r, struct lane *l, const struct rec_block *blk)
{
	enum side side;

	l->b->lost_cnt++;
	l->lost++;
	l->attempt++;
	if (blk->lost == REASON_KILLED_BY_SYSTEM && blk->lost_side < SIDE_CNT)
		l->killed[blk->lost_side]++;
	if (r->stage ? !judge_too_many_lost(l->b) : l->lost <= PLANNING_LOST)
		return;
	if (dies_itself(l, &side)) {
		rec_bench__fail(l->b, REASON_KILLED_BY_SYSTEM, side, "every time");
		lane_apply(r, l, SOURCE_FAILED);
		return;
	}
	if (r->stage == 0)
		l->in = false; /* what is judged may still do better */
	else
		lane_close(r, l, REASON_TOO_MANY_LOST);
}

/* Its own verdict may be in: what all benchmarks say together may not. */
static bool feeds_across(const struct runner *r, const struct lane *l)
{
	return judge_across_wants(r->rec) == r->stage && judge_feeds_across(l->b);
}

bool lane_wants_more(const struct runner *r, const struct lane *l)
{
	if (l->kept >= blocks_wanted(r, l->b))
		return false; /* whatever the judge says: who never makes up his mind gets no more */
	if (r->stage == 0)
		return lane_can_plan(r, l);
	if (r->opt->measure_only)
		return true;
	if (r->opt->exhaust)
		return r->stage <= CONFIRMED_STAGES;
	if (r->opt->whole_stage_1 && r->stage == 1)
		return true;
	return judge_wants(l->b) == r->stage || feeds_across(r, l);
}

static void keep_block(struct runner *r, struct lane *l)
{
	l->kept++;
	l->attempt = 0;
	if (!lane_check_digests(r, l))
		return;
	/* once it has a verdict, further blocks are for others' sake */
	if (r->stage > 0 && !r->opt->measure_only && !r->opt->exhaust &&
	    l->b->verdict == BENCH_OPEN)
		lane_ask_judge(r, l);
	l->in = lane_wants_more(r, l);
}

/* How far the stages of a benchmark lie apart: one state of the machine may cover near ones. */
static void note_gap(const struct runner *r, struct lane *l, double begun)
{
	if (r->stage > 1 && isnan(l->b->gap_s[r->stage - 1]))
		l->b->gap_s[r->stage - 1] = (begun - l->last_ns) / 1e9;
}

void lane_take_block(struct runner *r, struct lane *l)
{
	double begun = run_now_ns(r);
	struct rec_block *blk;
	enum source_status st;

	report_progress(r, l);
	if (new_block(r, l, &blk) != 0) {
		run_stop(r, REASON_INTERRUPTED, -ENOMEM);
		return;
	}
	note_gap(r, l, begun);
	st = measure(r, l, blk);
	l->last_ns = run_now_ns(r);
	l->b->seconds += (l->last_ns - begun) / 1e9;
	if (st == SOURCE_OK) {
		keep_block(r, l);
	} else if (st == SOURCE_LOST) {
		count_lost(r, l, blk);
	} else {
		rec_bench__drop_block(l->b);
		lane_apply(r, l, st);
	}
}

void lane_enter_stage(struct runner *r, struct lane *l)
{
	enum source_status st;

	l->kept = l->lost = l->attempt = 0;
	memset(l->killed, 0, sizeof(l->killed));
	l->in = !l->over && lane_wants_more(r, l);
	if (!l->in)
		return;
	st = r->src->ops->stage(r->src, l->b, r->stage);
	lane_apply(r, l, st);
	if (st == SOURCE_LOST)
		lane_close(r, l, REASON_TOO_MANY_LOST);
}
