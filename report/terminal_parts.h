/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What terminal reports are made of. Every line begins with a character of ours: GitHub's runner
 * trims a line before it looks for "::", so that indentation would not protect a log.
 */
#include "terminal.h"

struct terminal_layout {
	const struct terminal_style *style;
	size_t name_width, metric_width;
	bool one_side; /* `joust run`: there is no other */
};

/* The widths that a record needs. */
struct terminal_layout terminal_layout_of(const struct record *r,
					  const struct terminal_style *style);

/* How a benchmark's verdict is shown. Rows are in the order of the report, worst first. */
struct terminal_mark {
	const char *symbol, *word, *color;
};
size_t terminal_rank(const struct rec_bench *b);
const struct terminal_mark *terminal_mark(size_t rank); /* NULL behind the last */

/* The metric that decided, or -1. */
int terminal_deciding(const struct rec_bench *b);

/* Of a benchmark of which nothing could be measured the first metric that would have been judged; else -1. */
int terminal_missing(const struct rec_bench *b);

/* Of the block that has the most; 1 at least: room for what is gathered of a block. */
size_t terminal_most_pairs(const struct rec_bench *b);

/* The result that is shown of a metric: its last stage, if that has an interval; else NULL. */
const struct stage_result *terminal_shown(const struct rec_metric *m);

/* The metric and its figure, in their columns: nothing of what was not measured. */
void terminal_figure(FILE *out, enum metric_id id, const struct rec_metric *m,
		     const struct terminal_layout *layout);
/* "112.4 us -> 115.9 us an iteration" */
void terminal_per_iteration(FILE *out, enum metric_id id, const struct rec_metric *m);
/* What a verdict stands on: "limit 1.02, 3 stages, 96 blocks". */
void terminal_evidence(FILE *out, enum metric_id id, const struct rec_metric *m);
/* Why it is the same, and what would have been seen. `id` -1: no metric decided. */
void terminal_same(FILE *out, const struct rec_bench *b, int id);
/* Why it could not be told; `fallback` where the metric has no reason of its own. */
void terminal_undecided(FILE *out, int id, const struct rec_metric *m, enum reason fallback);
/* The first half of it; returns the reason. */
enum reason terminal_doubt(FILE *out, const struct rec_metric *m, enum reason fallback);

/* Whether a metric that could not be told was slower in stage 1. */
bool terminal_suspected(const struct rec_metric *m);

/* Whether a benchmark is settled while its `cpu_total` is not: of rare costs nothing is known then. */
bool terminal_total_open(const struct rec_bench *b);
/*
 * Whether it then looks slower: it was, in stage 1, or its ratio is above the limit and its interval above
 * 1. That this interval holds at every look bounds how often equal code gives it, by alpha.
 */
bool terminal_total_doubted(const struct rec_bench *b);

/*
 * Whether `wall` became slower where nobody judges it: the 99 % interval of the median of the last stage's
 * blocks lies above its limit. Not of a regression, which elapsed time follows, nor where `cpu` is undecided
 * and may explain it. *ret then has the figures.
 */
bool terminal_wall_moved(const struct rec_bench *b, struct stage_result *ret);

/* Whether time or an interrupt ended a timed metric's first stage before that had an interval. */
bool terminal_ended_early(const struct rec_bench *b, enum metric_id id);
/*
 * The 99 % interval of the median of the blocks that `cpu` or `wall` has then. False where it did not end
 * early, and where the blocks are too few.
 */
bool terminal_so_far(const struct rec_bench *b, enum metric_id id, struct stage_result *ret);

/* The line of a benchmark and what belongs under it. */
void terminal_bench(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout);

/* The line of all benchmarks together; nothing where there are too few, or nothing to tell. */
void terminal_across(FILE *out, const struct rec_across *a, int verbosity);

/* A line for each column of a sized benchmark that is beyond its margin. */
void terminal_sized(FILE *out, const struct rec_bench *b, size_t indent);
/*
 * A line for each size that nobody judges and that moved beyond the limit, either way; `all`: a table of
 * every column with its interval.
 */
void terminal_sizes(FILE *out, const struct rec_bench *b, size_t indent, bool all);
/*
 * Those of which it could not be told whether they are beyond, in one line; returns how many. `out` may
 * be NULL.
 */
size_t terminal_sized_doubt(FILE *out, const struct rec_bench *b);
/* Of one that did not regress: what would have been seen, how much more steeply its time grows. */
void terminal_growth(FILE *out, const struct rec_bench *b);

/* "  x regressed  NAME", padded when something follows in columns. */
void terminal_head(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout);

/* s[0..] escaped; NULL writes nothing. */
void terminal_text(FILE *out, const char *s);

/* Each line of `s`, escaped, behind "  | "; at most the last `lines_max` (0: all). */
void terminal_quoted(FILE *out, const char *s, size_t lines_max);

/* What was compared, where and with which seed. */
void terminal_opening(FILE *out, const struct record *r);

/* Why the run as a whole came to nothing, or to less than was asked; nothing if it did not. */
void terminal_message(FILE *out, const struct record *r);

void terminal_notes(FILE *out, const struct record *r);
