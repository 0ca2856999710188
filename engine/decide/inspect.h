/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the blocks of a timed metric say beside its verdict, and what can take a verdict back: never
 * to `slower`, only to `undecided`, and by rules that do not know which side is the candidate (all
 * but the layout's, which asks only when `slower` has been said).
 */
#include "judge_parts.h"

/* The blocks that the verdict of a metric stands on, stage by stage in slot order. */
struct evidence {
	const struct judge *j;
	const struct rec_bench *b;
	enum metric_id id;
	const struct rec_metric *m;
	const struct rec_block **blk;
	size_t cnt;
	double *x, *y, *scratch; /* each has room for every pair and twice every slice of a block */
};

/* One number and where it lies at the least, by an interval of 99 %. */
struct estimate {
	double value, lo, hi; /* NaN: unknown */
};

/*
 * By how much (as a log) the half measured second takes longer: half the difference between the
 * median log ratio of the pairs that the candidate ended and of those that it began. For equal
 * sides it is the median of log(second / first), but a true difference of the sides leaves it
 * alone, where that median would jump between plus and minus the difference. The interval is made
 * of the order statistics of both medians (statistics.md 6a), so it is on the wide side.
 */
struct estimate order_effect(const struct evidence *e);

/*
 * Whether the workers of one side trended in the same direction (p < .01, by at least 1 % and as
 * much as the metric's limit) in half of the blocks of a stage, and at least two. Only where slices
 * are of one process: function benchmarks, metrics made of slices.
 */
bool keeps_warming(const struct evidence *e);

/*
 * Fills spread_ratio, serial_correlation, deciles and `unstable` from at least 20 blocks
 * (statistics.md 9): spread between blocks above that of the other pairs around their block's
 * value, or neighbours alike beyond what chance does in 1 of 100.
 */
void judge_stability(const struct evidence *e, struct rec_metric *m);

/*
 * Whether a judge that takes the first attempt of every pair, and of every slot the first block
 * that the host let be, says something else about `slower` in the same stages.
 */
bool is_sensitive(const struct evidence *e);

/*
 * Whether stage i says `slower` while that other judge has not made up its mind, and blocks are to
 * be had: the stage goes on, or every few rejections would end as `sensitive`. For the engine's
 * judge, which knows no more than j, b, id and m.
 */
bool waits_for_first_attempts(const struct evidence *e, size_t i);

/*
 * Whether the gate rejected one side more often, by the exact binomial test at .01, in the blocks that
 * any judged timed metric needed.
 */
bool rejected_unevenly(const struct judge *j);

/* How many links of a side there are among the blocks. */
size_t layouts_seen(const struct evidence *e);

/* Whether the median ratio of every layout lies above the limit. */
bool layouts_agree(const struct evidence *e);

/* The same where in each layout any of the metrics `by` will do; of `e` only b, the blocks and room for them. */
bool layouts_agree_by_any(const struct evidence *e, const bool by[static METRIC_CNT]);

/* Whether a verdict that is undecided for this reason was taken back by one of the rules above. */
bool is_doubt(enum reason why);

/*
 * Fills what is known of the judged blocks of timed metric `id`, which has its verdict, and takes
 * the verdict back where one of the rules above demands it. 0 or -ENOMEM.
 */
int judge_inspect(const struct judge *j, enum metric_id id) MUST_CHECK;
