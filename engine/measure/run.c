/* SPDX-License-Identifier: BSD-2-Clause */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "../util/clock.h"
#include "run_notes.h"
#include "schedule.h"

#define OPENS_LOST 3 /* so many times a host may spoil the opening of a benchmark */

#define COMMAND_LIMIT_LEAST 1.02 /* below it whole processes differ by themselves */

/* A benchmark on its way through the run. */
struct lane {
	struct rec_bench *b;
	bool opened;		   /* close is due */
	bool planned;		   /* judge_plan was called */
	bool over;		   /* no more blocks, in no stage */
	bool in;		   /* takes blocks in this stage */
	unsigned kept;		   /* in this stage; the slot of the next block */
	unsigned lost;		   /* in this stage */
	unsigned killed[SIDE_CNT]; /* of those: by SIGKILL, which joust did not send */
	unsigned attempt;	   /* of the next block */
	unsigned turn;		   /* of the confirmation in which it takes blocks */
	double last_ns;		   /* end of its last block */
};

struct runner {
	struct record *rec;
	struct source *src;
	const struct run_options *opt;
	struct lane *lanes;
	size_t cnt;
	uint32_t *order;
	double start_ns;
	unsigned stage, round, turn;
	enum reason stop; /* why no more blocks are taken; REASON_NONE: go on */
	int err;	  /* what run_measure returns */
};

static double now_ns(const struct runner *r)
{
	if (r->src->ops->now)
		return r->src->ops->now(r->src);
	return (double)clock_ns(CLOCK_MONOTONIC);
}

static double elapsed_s(const struct runner *r)
{
	return (now_ns(r) - r->start_ns) / 1e9;
}

static void stop(struct runner *r, enum reason why, int err)
{
	if (r->stop == REASON_NONE)
		r->stop = why;
	if (!r->err)
		r->err = err;
}

/* No reason of the table fits a broken engine better; the message says what happened. */
static void stop_broken(struct runner *r, const char *why)
{
	if (r->stop == REASON_NONE && !r->rec->message)
		r->rec->message = strdup(why); /* without memory the error number stands alone */
	stop(r, REASON_INTERRUPTED, -EIO);
}

static bool interrupted(const struct runner *r)
{
	return r->opt->interrupted && r->opt->interrupted(r->opt->arg);
}

static void check_interrupted(struct runner *r)
{
	if (interrupted(r))
		stop(r, REASON_INTERRUPTED, -EINTR);
}

static void lane_end(struct lane *l)
{
	l->in = false;
	l->over = true;
}

static void ask_judge(struct runner *r, struct lane *l)
{
	if (judge_bench(l->b, &r->opt->policy) != 0)
		stop(r, REASON_INTERRUPTED, -ENOMEM);
}

static void summarize(struct runner *r, struct lane *l)
{
	if (judge_summary(l->b, &r->opt->policy) != 0)
		stop(r, REASON_INTERRUPTED, -ENOMEM);
}

/* Ends a benchmark before it is settled. */
static void close_lane(struct runner *r, struct lane *l, enum reason why)
{
	lane_end(l);
	if (r->opt->measure_only) {
		l->b->verdict = BENCH_UNDECIDED;
		l->b->reason = why;
		summarize(r, l);
		return;
	}
	ask_judge(r, l); /* with `exhaust` nobody has asked so far */
	judge_close(l->b, &r->opt->policy, why);
}

/* What a status other than OK and LOST means for the benchmark and for the run. */
static void apply_status(struct runner *r, struct lane *l, enum source_status st)
{
	switch (st) {
	case SOURCE_OK:
	case SOURCE_LOST:
		return;
	case SOURCE_FAILED:
		/* the source has said why; this stands only if it forgot to */
		rec_bench__fail(l->b, REASON_START_FAILED, SIDE_CNT, NULL);
		break;
	case SOURCE_SKIPPED:
		l->b->verdict = BENCH_SKIPPED;
		break;
	case SOURCE_INTERRUPTED:
		stop(r, REASON_INTERRUPTED, -EINTR);
		return;
	case SOURCE_BROKEN:
		stop_broken(r, r->src->error);
		return;
	}
	lane_end(l);
	ask_judge(r, l); /* takes back the numbers of what failed */
}

static void warn_of_limit(struct runner *r, const struct rec_bench *b)
{
	const struct rec_metric *cpu = &b->metric[METRIC_CPU];

	if (b->kind == BENCH_COMMAND && cpu->judged && cpu->limit < COMMAND_LIMIT_LEAST)
		IGNORE_ERROR(record__note(
			r->rec, /* a note that does not fit in memory is no reason to stop */
			"\"%s\": the limit %g is below %g, which is about as much as two processes "
			"of "
			"the same program differ; a function benchmark can tell more",
			b->name, cpu->limit, COMMAND_LIMIT_LEAST));
}

static void plan(struct runner *r, struct lane *l)
{
	struct rec_bench *b = l->b;

	judge_plan(b, &r->opt->policy);
	l->planned = true;
	b->sized_key = schedule_resamples(r->rec->seed, b->name);
	for (enum metric_id id = 0; r->opt->measure_only && id < METRIC_CNT; id++)
		b->metric[id].judged = false;
	warn_of_limit(r, b);
}

static bool plan_possible(const struct rec_bench *b)
{
	return b->m % 2 == 1 && b->m <= SCHEDULE_PAIRS_MAX && b->n >= 1 && b->k >= 1 &&
	       b->k <= SLICES_MAX;
}

static void open_lane(struct runner *r, struct lane *l)
{
	enum source_status st = SOURCE_LOST;

	for (unsigned i = 0; i <= OPENS_LOST && st == SOURCE_LOST; i++)
		st = r->src->ops->open(r->src, l->b);
	l->opened = st == SOURCE_OK;
	apply_status(r, l, st);
	if (st == SOURCE_OK && !plan_possible(l->b))
		stop_broken(r, "the source made a plan that cannot be scheduled");
	if (st != SOURCE_OK && st != SOURCE_LOST)
		return;
	plan(r, l);
	if (st == SOURCE_LOST)
		close_lane(r, l, REASON_TOO_MANY_LOST);
}

static void open_all(struct runner *r)
{
	for (size_t i = 0; i < r->cnt; i++) {
		struct lane *l = &r->lanes[i];

		l->b = &r->rec->benches[i];
		l->over = l->b->verdict != BENCH_OPEN;
		check_interrupted(r);
		if (!l->over && r->stop == REASON_NONE)
			open_lane(r, l);
	}
}

/* Of a block: m, or m of each size. */
static size_t pairs_of(const struct rec_bench *b)
{
	return b->sizes_cnt ? b->m * b->sizes_cnt : b->m;
}

static enum source_status measure_pairs(const struct runner *r, struct lane *l,
					struct rec_block *blk)
{
	const struct source_ops *ops = r->src->ops;

	for (size_t i = 0; i < pairs_of(l->b); i++) {
		enum source_status st;

		if (i > 0 && interrupted(r))
			return SOURCE_INTERRUPTED;
		st = ops->pair(r->src, l->b, blk, i);
		if (st != SOURCE_OK)
			return st;
		blk->pairs_cnt = i + 1;
	}
	return SOURCE_OK;
}

static enum source_status measure(const struct runner *r, struct lane *l, struct rec_block *blk)
{
	const struct source_ops *ops = r->src->ops;
	enum source_status st = ops->block(r->src, l->b, blk), end;

	if (st == SOURCE_OK)
		st = measure_pairs(r, l, blk);
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
	enum side first[SCHEDULE_PAIRS_MAX];
	struct rec_block *blk;
	int err = record__add_block(b, &blk);

	if (err)
		return err;
	blk->stage = r->stage;
	blk->slot = l->kept;
	blk->attempt = l->attempt;
	blk->round = r->round;
	blk->coins = schedule_coins(r->rec->seed, b->name, r->stage, l->kept, b->m);
	if (b->sizes_cnt)
		blk->coins.majority = schedule_balanced(r->rec->seed, b->name, r->stage, l->kept,
							b->blocks_max[r->stage - 1]);
	blk->at_ns = now_ns(r) - r->start_ns;
	err = rec_block__reserve(blk, pairs_of(b));
	if (err) {
		rec_bench__drop_block(b);
		return err;
	}
	schedule_first(&blk->coins, b->m, first);
	for (size_t i = 0; i < pairs_of(b); i++)
		blk->pairs[i].first = first[i % b->m];
	*ret = blk;
	return 0;
}

static void report_progress(const struct runner *r, const struct lane *l)
{
	struct run_progress p = {
		.stage = r->stage,
		.round = r->round,
		.total = r->cnt,
		.bench = l->b,
		.block = l->kept,
		.blocks_max = r->opt->measure_only ? r->opt->measure_blocks
						   : l->b->blocks_max[r->stage - 1],
		.elapsed_s = elapsed_s(r),
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
	if (!judge_too_many_lost(l->b))
		return;
	if (dies_itself(l, &side)) {
		rec_bench__fail(l->b, REASON_KILLED_BY_SYSTEM, side, "every time");
		apply_status(r, l, SOURCE_FAILED);
		return;
	}
	close_lane(r, l, REASON_TOO_MANY_LOST);
}

/* What was computed must not differ; a timing of two different things is none. */
static bool digests_differ(const struct rec_bench *b)
{
	const char *base = b->digest[SIDE_BASELINE], *cand = b->digest[SIDE_CANDIDATE];

	return base && cand && strcmp(base, cand) != 0;
}

static void fail_digests(struct runner *r, struct lane *l)
{
	char detail[512];

	(void)snprintf(detail, sizeof(detail), "baseline %.200s, candidate %.200s",
		       l->b->digest[SIDE_BASELINE], l->b->digest[SIDE_CANDIDATE]);
	rec_bench__fail(l->b, REASON_DIGEST_DIFFERS, SIDE_CNT, detail);
	apply_status(r, l, SOURCE_FAILED);
}

/* Its own verdict may be in: what all benchmarks say together may not. */
static bool feeds_across(const struct runner *r, const struct lane *l)
{
	return judge_across_wants(r->rec) == r->stage && judge_feeds_across(l->b);
}

static bool wants_more(const struct runner *r, const struct lane *l)
{
	if (r->opt->measure_only)
		return l->kept < r->opt->measure_blocks;
	if (l->kept >= l->b->blocks_max[r->stage - 1])
		return false; /* whatever the judge says: who never makes up his mind gets no more */
	if (r->opt->exhaust)
		return r->stage <= CONFIRMED_STAGES;
	return judge_wants(l->b, &r->opt->policy) == r->stage || feeds_across(r, l);
}

static void keep_block(struct runner *r, struct lane *l)
{
	l->kept++;
	l->attempt = 0;
	if (digests_differ(l->b)) {
		fail_digests(r, l);
		return;
	}
	/* once it has a verdict, further blocks are for others' sake */
	if (!r->opt->measure_only && !r->opt->exhaust && l->b->verdict == BENCH_OPEN)
		ask_judge(r, l);
	l->in = wants_more(r, l);
}

/* How far the stages of a benchmark lie apart: one state of the machine may cover near ones. */
static void note_gap(const struct runner *r, struct lane *l, double begun)
{
	double *gap = &l->b->gap_s[r->stage - 1];

	if (r->stage > 1 && isnan(*gap))
		*gap = (begun - l->last_ns) / 1e9;
}

static void take_block(struct runner *r, struct lane *l)
{
	double begun = now_ns(r);
	struct rec_block *blk;
	enum source_status st;

	report_progress(r, l);
	if (new_block(r, l, &blk) != 0) {
		stop(r, REASON_INTERRUPTED, -ENOMEM);
		return;
	}
	note_gap(r, l, begun);
	st = measure(r, l, blk);
	l->last_ns = now_ns(r);
	l->b->seconds += (l->last_ns - begun) / 1e9;
	if (st == SOURCE_OK) {
		keep_block(r, l);
	} else if (st == SOURCE_LOST) {
		count_lost(r, l, blk);
	} else {
		rec_bench__drop_block(l->b);
		apply_status(r, l, st);
	}
}

static void enter_stage(struct runner *r, struct lane *l)
{
	enum source_status st;

	l->kept = l->lost = l->attempt = 0;
	memset(l->killed, 0, sizeof(l->killed));
	l->in = !l->over && wants_more(r, l);
	if (!l->in)
		return;
	st = r->src->ops->stage(r->src, l->b, r->stage);
	apply_status(r, l, st);
	if (st == SOURCE_LOST)
		close_lane(r, l, REASON_TOO_MANY_LOST);
}

static bool takes_turn(const struct runner *r, const struct lane *l)
{
	return l->in && l->turn == r->turn;
}

static bool any_in(const struct runner *r)
{
	for (size_t i = 0; i < r->cnt; i++)
		if (takes_turn(r, &r->lanes[i]))
			return true;
	return false;
}

static void run_round(struct runner *r)
{
	schedule_round(r->rec->seed, r->stage, r->round, r->cnt, r->order);
	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++) {
		struct lane *l = &r->lanes[r->order[i]];

		if (!takes_turn(r, l))
			continue;
		check_interrupted(r);
		if (r->stop == REASON_NONE)
			take_block(r, l);
	}
}

/* After a round: who feeds it goes on, or stops. */
static void ask_across(struct runner *r)
{
	if (r->opt->measure_only || r->stop != REASON_NONE)
		return;
	if (judge_across(r->rec, &r->opt->policy) != 0)
		stop(r, REASON_INTERRUPTED, -ENOMEM);
	for (size_t i = 0; i < r->cnt && !r->opt->exhaust; i++) {
		struct lane *l = &r->lanes[i];

		l->in = l->in && !l->over && wants_more(r, l);
	}
}

static void check_time(struct runner *r)
{
	if (!isnan(r->opt->max_time_s) && elapsed_s(r) >= r->opt->max_time_s)
		stop(r, REASON_OUT_OF_TIME, 0);
}

/*
 * A measurement is one turn of all. A confirmation has two, of every second benchmark each, so that the
 * stages of a benchmark never follow each other at once where there is another benchmark to put between
 * them.
 */
static unsigned deal_turns(struct runner *r)
{
	/* what all say together is said of one round of all, and then all lie between the stages */
	bool apart = r->stage > 1 && judge_across_wants(r->rec) != r->stage;
	unsigned in = 0;

	for (size_t i = 0; i < r->cnt; i++)
		if (r->lanes[i].in)
			r->lanes[i].turn = apart ? in++ % 2 : 0;
	return apart && in > 1 ? 2 : 1;
}

static void run_stage(struct runner *r)
{
	unsigned turns;

	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++)
		enter_stage(r, &r->lanes[i]);
	turns = deal_turns(r);
	r->round = 0;
	for (r->turn = 0; r->turn < turns; r->turn++) {
		for (; r->stop == REASON_NONE && any_in(r); r->round++) {
			if (r->stage > 1 ||
			    r->round > 0) /* one round at least: something to show */
				check_time(r);
			run_round(r);
			ask_across(r);
		}
	}
}

static void finish_lane(struct runner *r, struct lane *l)
{
	if (l->opened)
		r->src->ops->close(r->src, l->b);
	if (l->over)
		return;
	if (!l->planned)
		plan(r, l);
	if (r->opt->measure_only) {
		summarize(r, l);
		return;
	}
	ask_judge(r, l);
	if (l->b->verdict == BENCH_OPEN)
		judge_close(l->b, &r->opt->policy,
			    r->stop == REASON_NONE ? REASON_NOT_MEASURED : r->stop);
}

static void run_all(struct runner *r)
{
	unsigned stages = r->opt->measure_only ? 1 : STAGES_MAX;

	open_all(r);
	ask_across(r); /* whether there are enough benchmarks */
	for (r->stage = 1; r->stage <= stages && r->stop == REASON_NONE; r->stage++)
		run_stage(r);
	for (size_t i = 0; i < r->cnt; i++)
		finish_lane(r, &r->lanes[i]);
	if (!r->opt->measure_only && judge_across(r->rec, &r->opt->policy) != 0)
		stop(r, REASON_INTERRUPTED, -ENOMEM);
	judge_across_close(r->rec, r->stop == REASON_NONE ? REASON_NOT_MEASURED : r->stop);
	run_note_gaps(r->rec);
	if (r->stop == REASON_OUT_OF_TIME)
		run_note_time(r->rec, r->opt->max_time_s);
}

int run_measure(struct record *rec, struct source *src, const struct run_options *opt)
{
	AUTO_FREE struct lane *lanes = calloc(rec->benches_cnt + 1, sizeof(*lanes));
	AUTO_FREE uint32_t *order = calloc(rec->benches_cnt + 1, sizeof(*order));
	struct runner r = {
		.rec = rec,
		.src = src,
		.opt = opt,
		.lanes = lanes,
		.cnt = rec->benches_cnt,
		.order = order,
	};

	if (!lanes || !order)
		return -ENOMEM;
	policy_record(&opt->policy, rec);
	r.start_ns = now_ns(&r);
	run_all(&r);
	return r.err;
}
