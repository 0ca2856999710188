/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the files of the judge share: one look at a benchmark's blocks. */
#include "judge.h"

/* The blocks of one stage that count, in slot order. */
struct view {
	const struct rec_block **blk;
	size_t cnt;
	const struct stage_plan *plan;
	size_t n_min;
};

struct judge {
	struct rec_bench *b;
	const struct policy *policy;
	struct view stage[STAGES_MAX];
	double *r, *scratch; /* room for every block and for N */
};

static inline bool is_judged(const struct rec_metric *m)
{
	return m->judged && m->missing == REASON_NONE;
}

/* Judged by the smallest value of a side, without a boundary. */
static inline bool is_exact(enum metric_id id)
{
	return metric_get(id)->kind == METRIC_COUNTED || metric_get(id)->kind == METRIC_PEAK;
}

/* The stage in which a judged metric needs another block, 0: in none. */
unsigned metric_wants(const struct rec_metric *m);

/* Median of x[0..n), NaN of nothing; scratch: n doubles. */
double median_or_nan(const double *x, size_t n, double *scratch);

/* Median of a side's values in a block, NaN when there is none. */
double block_median(const struct rec_block *blk, enum metric_id id, enum side side);

/* The smallest over a side's windows in the first cnt blocks, NaN when none has a value. */
double side_minimum(const struct view *v, size_t cnt, enum metric_id id, enum side side);
double side_maximum(const struct view *v, size_t cnt, enum metric_id id, enum side side);

/*
 * The smallest peak of a side's processes in the first cnt blocks but for the first block of the
 * stage, whose processes meet new file copies. NaN when none was measured.
 */
double peak_minimum(const struct view *v, size_t cnt, enum side side);

/*
 * As judge_block_ratio, had there been no gate: of each pair the first attempt that has values, of
 * m pairs. NaN when a pair has none.
 */
double first_attempts_ratio(const struct rec_block *blk, enum metric_id id, size_t m);

/* One stage of timed metric `id` by its rule and the precision asked for. 0 or -EINVAL. */
struct stage_data {
	const double *r;
	size_t n;
	size_t blocks; /* taken, with or without a value */
};
int judge_stage_data(const struct judge *j, enum metric_id id, size_t i,
		     const struct stage_data *data, struct stage_result *ret) MUST_CHECK;

/* Where the stage alone would say `same`: whether that is shown, else undecided. r: block ratios. */
void demand_equivalence(struct rec_metric *m, double margin, const double *r, size_t n,
			double *logs);

/* Blocks of a stage taken when one lost block too many came, SIZE_MAX: it never did. */
size_t blocks_before_too_many_lost(const struct rec_bench *b, unsigned stage);

/* What is open is undecided, where the host spoiled too many blocks. */
void judge_lost(struct rec_bench *b);
/* Every judged metric that has no verdict yet. */
void leave_undecided(struct rec_bench *b, enum reason why);

/* Why no more blocks came: what the run knew, and the blocks do not say. */
static inline bool is_end(enum reason why)
{
	return why == REASON_OUT_OF_TIME || why == REASON_INTERRUPTED ||
	       why == REASON_TOO_MANY_LOST;
}

/* b->rejected[] from its blocks. */
void count_rejected(struct rec_bench *b);

/* j->r[0..result): the ratios of the first cnt blocks of the view; one without a value is passed over. */
size_t view_ratios(const struct judge *j, const struct view *v, size_t cnt, enum metric_id id);

/* How many blocks of the view hold its first n values of a timed metric: some may have none. */
size_t view_reach(const struct view *v, enum metric_id id, size_t n);

/* Judges a timed metric stage by stage and fills its verdict. 0 or -EINVAL. */
int judge_timed(const struct judge *j, enum metric_id id) MUST_CHECK;

/* The same for a count or a peak, after every timed metric: they say how long its stages last. */
void judge_counted(const struct judge *j, enum metric_id id);

/* A benchmark with sizes: cpu by simultaneous intervals. 0, -ENOMEM or -EINVAL. */
int judge_sized(const struct judge *j) MUST_CHECK;

/* By the rule of duel: every timed metric, and any timing. 0 or -EINVAL. */
int judge_duel(const struct judge *j) MUST_CHECK;

/* Any timing, after each by itself: fills b->any_timing. 0, -ENOMEM or -EINVAL. */
int judge_any_timing(const struct judge *j) MUST_CHECK;

/*
 * After every timing was inspected: where a verdict of one that takes part was taken back, or a layout
 * shows it in none of them, any timing says nothing. 0 or -ENOMEM.
 */
int any_timing_doubt(const struct judge *j) MUST_CHECK;

/* The stage in which it needs another block, 0: none. */
unsigned any_timing_wants(const struct rec_bench *b);

/* The run rule over the stages judged so far. */
void judge_conclude(const struct judge *j, struct rec_metric *m);
