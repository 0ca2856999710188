/* SPDX-License-Identifier: BSD-2-Clause */
/* A stored record judged once more, by its blocks. */
#include "judge_parts.h"

#include <string.h>
#include "../measure/schedule.h"
#include "../util/problem.h"

static enum reason end_of(const struct rec_bench *b)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (is_end(b->metric[id].reason))
			return b->metric[id].reason;
	return REASON_NOT_MEASURED;
}

static int judge_one(struct rec_bench *b, const struct policy *p)
{
	enum reason why = end_of(b);
	int err = judge_bench(b, p);

	if (!err && b->verdict == BENCH_OPEN)
		err = judge_close(b, p, why);
	return err;
}

static int judge_all(struct record *rec, const struct policy *p)
{
	bool measured_only = rec->verb && !strcmp(rec->verb, "run");
	int err = 0;

	for (size_t i = 0; i < rec->benches_cnt && !err; i++) {
		struct rec_bench *b = &rec->benches[i];

		b->sized_key = schedule_resamples(rec->seed, b->name);
		err = measured_only ? judge_summary(b, p) : judge_one(b, p);
	}
	return err;
}

static int judge_together(struct record *rec, const struct policy *p)
{
	enum reason why = is_end(rec->across.reason) ? rec->across.reason : REASON_NOT_MEASURED;
	int err = judge_across(rec, p);

	if (!err)
		judge_across_close(rec, why);
	return err;
}

static bool has_blocks(const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++)
		if (rec->benches[i].blocks_cnt)
			return true;
	return false;
}

/* What the benchmarks do not say. */
bool judge_status_stays(const struct record *rec)
{
	return rec->status == STATUS_INTERRUPTED ||
	       (rec->status == STATUS_NOTHING && !has_blocks(rec)) ||
	       (rec->status == STATUS_ERROR && rec->message);
}

int judge_exit_that_stays(const struct record *rec)
{
	if (rec->status == STATUS_NOTHING)
		return EXIT_PASSED;
	if (rec->status != STATUS_INTERRUPTED)
		return judge_exit(EXIT_COULD_NOT_COMPARE, rec->bisect);
	return rec->exit == EXIT_SIGHUP || rec->exit == EXIT_SIGTERM ? rec->exit : EXIT_SIGINT;
}

int judge_again(struct record *rec, const struct policy *p)
{
	bool stays = judge_status_stays(rec);
	int err = judge_all(rec, p);

	if (!err && (!rec->verb || strcmp(rec->verb, "run") != 0))
		err = judge_together(rec, p);
	if (!err && !stays)
		judge_run(rec);
	if (!err && stays)
		rec->exit = judge_exit_that_stays(rec);
	return err;
}
