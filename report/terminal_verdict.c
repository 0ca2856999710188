/* SPDX-License-Identifier: BSD-2-Clause */
/* How a verdict is marked, and which metric and stage stand for it. */
#include "terminal_parts.h"
#include <math.h>

enum rank {
	RANK_ERROR,
	RANK_REGRESSED,
	RANK_UNDECIDED,
	RANK_OPEN,
	RANK_ACCEPTED, /* a regression that is wanted */
	RANK_FASTER,
	RANK_CHANGED,
	RANK_SAME,
	RANK_SKIPPED,
	RANK_NEW,
	RANK_REMOVED,
	RANK_CNT
};

/* Symbols differ as much as colours do: neither a log nor every reader has the latter. */
static const struct terminal_mark marks[] = {
	[RANK_ERROR] = {"!", "error", "31;1"},
	[RANK_REGRESSED] = {"x", "regressed", "31"},
	[RANK_UNDECIDED] = {"?", "undecided", "33"},
	[RANK_OPEN] = {".", "open", "33"},
	[RANK_ACCEPTED] = {"&", "accepted", "33"}, /* its commit says why */
	[RANK_FASTER] = {"+", "faster", "32"},
	[RANK_CHANGED] = {"~", "changed", "36"},
	[RANK_SAME] = {"=", "same", NULL},
	[RANK_SKIPPED] = {"-", "skipped", "2"},
	[RANK_NEW] = {"-", "new", "2"},
	[RANK_REMOVED] = {"-", "removed", "2"},
};

_Static_assert(sizeof(marks) / sizeof(marks[0]) == RANK_CNT, "one mark per rank");

const struct terminal_mark *terminal_mark(size_t rank)
{
	return rank < RANK_CNT ? &marks[rank] : NULL;
}

static enum rank skipped_rank(enum reason why)
{
	if (why == REASON_NEW)
		return RANK_NEW;
	return why == REASON_REMOVED ? RANK_REMOVED : RANK_SKIPPED;
}

size_t terminal_rank(const struct rec_bench *b)
{
	switch (b->verdict) {
	case BENCH_OPEN:
		break;
	case BENCH_ERROR:
		return RANK_ERROR;
	case BENCH_SKIPPED:
		return skipped_rank(b->reason);
	case BENCH_REGRESSED:
		return b->accepted ? RANK_ACCEPTED : RANK_REGRESSED;
	case BENCH_UNDECIDED:
		return RANK_UNDECIDED;
	case BENCH_FASTER:
		return RANK_FASTER;
	case BENCH_CHANGED:
		return RANK_CHANGED;
	case BENCH_SAME:
		return RANK_SAME;
	}
	return RANK_OPEN;
}

const struct stage_result *terminal_shown(const struct rec_metric *m)
{
	for (size_t i = m->stages_cnt <= STAGES_MAX ? m->stages_cnt : 0; i > 0; i--) {
		const struct stage_result *s = &m->stage[i - 1];

		if (s->blocks && isfinite(s->median) && isfinite(s->lo) && isfinite(s->hi))
			return s; /* a stage that time cut short may have no interval yet */
	}
	return NULL;
}

bool terminal_suspected(const struct rec_metric *m)
{
	/* time may be over before stage 2 has begun */
	return m->judged && m->verdict == VERDICT_UNDECIDED && m->stages_cnt &&
	       (m->stages_cnt > 1 || m->stage[0].verdict == STAGE_SLOWER);
}

static int first_moved(const struct rec_bench *b)
{
	for (int i = 0; i < METRIC_CNT; i++)
		if (b->metric[i].moved || b->metric[i].verdict == VERDICT_SLOWER ||
		    b->metric[i].verdict == VERDICT_FASTER)
			return i;
	return -1;
}

/* cpu_total comes second: when cpu is as undecided, cpu is what the line is about. */
static int first_with(const struct rec_bench *b, enum verdict v)
{
	for (int i = 0; i < METRIC_CNT; i++)
		if (b->metric[i].judged && b->metric[i].verdict == v)
			return i;
	return -1;
}

static int first_same(const struct rec_bench *b)
{
	for (int i = 0; i < METRIC_CNT; i++)
		if (b->metric[i].judged && b->metric[i].not_confirmed)
			return i;
	return first_with(b, VERDICT_SAME);
}

/* What cpu has settled, cpu_total does not unsettle: another metric's doubt is the reason then. */
static int first_undecided(const struct rec_bench *b)
{
	int first = first_with(b, VERDICT_UNDECIDED);

	for (int i = METRIC_CPU_TOTAL + 1; first == METRIC_CPU_TOTAL && i < METRIC_CNT; i++)
		if (b->metric[i].judged && b->metric[i].verdict == VERDICT_UNDECIDED)
			return i;
	return first;
}

int terminal_missing(const struct rec_bench *b)
{
	for (int i = 0;
	     b->verdict == BENCH_UNDECIDED && b->reason == REASON_NOT_MEASURED && i < METRIC_CNT;
	     i++)
		if (b->metric[i].judged && b->metric[i].missing != REASON_NONE)
			return i;
	return -1;
}

int terminal_deciding(const struct rec_bench *b)
{
	switch (b->verdict) {
	case BENCH_REGRESSED:
		if (b->any_timing.slower && first_with(b, VERDICT_SLOWER) < 0)
			return first_with(b, VERDICT_UNDECIDED);
		return first_with(b, VERDICT_SLOWER);
	case BENCH_UNDECIDED:
		return first_undecided(b);
	case BENCH_FASTER:
		return first_with(b, VERDICT_FASTER);
	case BENCH_CHANGED:
		return first_moved(b);
	case BENCH_SAME:
		return first_same(b);
	case BENCH_OPEN:
	case BENCH_ERROR:
	case BENCH_SKIPPED:
		break;
	}
	return -1;
}
