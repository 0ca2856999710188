/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge.h"

#include <math.h>
#include <string.h>
#include "../util/problem.h"

#define BISECT_SKIP  125 /* git bisect run: this commit cannot be tested */
#define BISECT_ABORT 128 /* git bisect run: stop */

static const struct rec_metric *judged(const struct rec_bench *b, enum metric_id id)
{
	const struct rec_metric *m = &b->metric[id];

	return m->judged && m->missing == REASON_NONE ? m : NULL;
}

static bool any(const struct rec_bench *b, enum metric_kind kind, enum verdict v)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (judged(b, id) && metric_get(id)->kind == kind && b->metric[id].verdict == v)
			return true;
	return false;
}

static bool is_settled(const struct rec_metric *m)
{
	return m && m->verdict != VERDICT_NONE && m->verdict != VERDICT_UNDECIDED;
}

/*
 * `cpu_total` was left behind by `cpu` on its way to a regression that was not confirmed: nobody knows
 * what it would have said.
 */
static bool was_left_behind(const struct rec_bench *b)
{
	const struct rec_metric *total = judged(b, METRIC_CPU_TOTAL);

	return total && total->reason == REASON_NOT_FOLLOWED;
}

/* A metric that could not be told, or of which nothing is known, keeps a benchmark from a verdict. */
static bool any_unsettled(const struct rec_bench *b)
{
	bool cpu_settled = is_settled(judged(b, METRIC_CPU));

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		if (!judged(b, id) || is_settled(&b->metric[id]))
			continue;
		if (id != METRIC_CPU_TOTAL || !cpu_settled || was_left_behind(b))
			return true;
	}
	return false;
}

static bool nothing_judged(const struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (judged(b, id))
			return false;
	return true;
}

/* A count that is not judged moved, up or down. */
static bool any_moved(const struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (b->metric[id].moved && !judged(b, id))
			return true;
	return false;
}

enum bench_verdict judge_verdict(const struct rec_bench *b)
{
	if (b->verdict == BENCH_ERROR || b->verdict == BENCH_SKIPPED)
		return b->verdict;
	if (any(b, METRIC_TIMED, VERDICT_SLOWER) || any(b, METRIC_COUNTED, VERDICT_SLOWER) ||
	    any(b, METRIC_PEAK, VERDICT_SLOWER) || b->any_timing.slower)
		return BENCH_REGRESSED;
	if (any_unsettled(b) || nothing_judged(b))
		return BENCH_UNDECIDED;
	if (any(b, METRIC_TIMED, VERDICT_FASTER))
		return BENCH_FASTER;
	if (any(b, METRIC_COUNTED, VERDICT_FASTER) || any(b, METRIC_PEAK, VERDICT_FASTER) ||
	    any_moved(b))
		return BENCH_CHANGED;
	return BENCH_SAME;
}

int judge_exit(int status, bool bisect)
{
	if (!bisect)
		return status;
	switch (status) {
	case EXIT_UNDECIDED:
	case EXIT_COULD_NOT_COMPARE:
		return BISECT_SKIP;
	case EXIT_USAGE:
		return BISECT_ABORT;
	default:
		return status;
	}
}

struct tally {
	size_t errors, regressed, undecided, settled;
};

static struct tally count(const struct record *rec)
{
	bool measure_only = rec->verb && strcmp(rec->verb, "run") == 0;
	struct tally t = {0};

	for (size_t i = 0; i < rec->benches_cnt; i++) {
		switch (rec->benches[i].verdict) {
		case BENCH_ERROR:
			t.errors++;
			break;
		case BENCH_REGRESSED:
			t.regressed += !rec->benches[i].accepted;
			t.settled += rec->benches[i].accepted != NULL;
			break;
		case BENCH_UNDECIDED:
			t.undecided++;
			break;
		case BENCH_OPEN: /* a compare that forgot one must not look passed */
			t.undecided += !measure_only;
			t.settled += measure_only;
			break;
		case BENCH_FASTER:
		case BENCH_CHANGED:
		case BENCH_SAME:
			t.settled++;
			break;
		case BENCH_SKIPPED:
			break;
		}
	}
	return t;
}

static enum run_status status_of(const struct tally *t)
{
	if (t->errors)
		return STATUS_ERROR;
	if (t->regressed)
		return STATUS_FAILED;
	if (t->undecided)
		return STATUS_UNDECIDED;
	return t->settled ? STATUS_PASSED : STATUS_NOTHING;
}

static int exit_of(enum run_status status, bool strict)
{
	switch (status) {
	case STATUS_ERROR:
		return EXIT_COULD_NOT_COMPARE;
	case STATUS_FAILED:
		return EXIT_REGRESSED;
	case STATUS_UNDECIDED:
		return strict ? EXIT_UNDECIDED : EXIT_PASSED;
	case STATUS_PASSED:
	case STATUS_NOTHING:
	case STATUS_INTERRUPTED:
		break;
	}
	return EXIT_PASSED;
}

void judge_run(struct record *rec)
{
	struct tally t = count(rec);

	if (rec->status == STATUS_INTERRUPTED)
		return;
	t.regressed += rec->across.verdict == VERDICT_SLOWER;
	rec->status = status_of(&t);
	rec->exit = judge_exit(exit_of(rec->status, rec->strict || rec->bisect), rec->bisect);
}
