/* SPDX-License-Identifier: BSD-2-Clause */
#include "run_notes.h"
#include <math.h>

#define LOADER_SHARE_SAID .1

void run_note_gaps(struct record *rec)
{
	const struct rec_bench *shortest = NULL;

	for (size_t i = 0; i < rec->benches_cnt; i++) {
		const struct rec_bench *b = &rec->benches[i];

		if (b->verdict != BENCH_REGRESSED || !rec_bench__one_state(b))
			continue;
		if (!shortest || rec_bench__span_s(b) < rec_bench__span_s(shortest))
			shortest = b;
	}
	if (shortest)
		IGNORE_ERROR(record__note(
			rec, /* a note that does not fit in memory is no reason to stop */
			"all stages of a regression lie within %.1f s (\"%s\"): one state of the "
			"machine, which lasts some seconds, may have covered them; if in doubt, "
			"give the same command again some minutes later",
			rec_bench__span_s(shortest), shortest->name));
}

void run_note_loader(struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++) {
		const struct rec_bench *b = &rec->benches[i];

		if (rec_bench__measured(b) && b->loader_share > LOADER_SHARE_SAID)
			IGNORE_ERROR(record__note(
				rec, /* as above */
				"\"%s\": about %.0f %% of its CPU time is the dynamic loader "
				"(estimated beforehand, by starts that end where main would "
				"begin), which dilutes a change; LD_BIND_NOW=1 or static linking "
				"makes the start cheaper and steadier",
				b->name, fmin(b->loader_share, 1) * 100));
	}
}

void run_note_digests(struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++) {
		const struct rec_bench *b = &rec->benches[i];

		if (b->digest[SIDE_BASELINE] && !b->digest[SIDE_CANDIDATE] &&
		    b->verdict != BENCH_ERROR)
			IGNORE_ERROR(record__note(
				rec, /* as above */
				"\"%s\": the baseline gives a digest of its output, the candidate "
				"none: that both compute the same was not checked",
				b->name));
	}
}

/* A metric whose undecided leaves the benchmark's verdict alone is none of its business. */
static bool was_left_open(const struct rec_bench *b)
{
	if (b->verdict != BENCH_UNDECIDED)
		return false;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (b->metric[id].reason == REASON_OUT_OF_TIME)
			return true;
	return b->reason == REASON_OUT_OF_TIME;
}

void run_note_time(struct record *rec, double max_time_s)
{
	size_t open = 0;

	for (size_t i = 0; i < rec->benches_cnt; i++)
		open += was_left_open(&rec->benches[i]);
	if (open)
		IGNORE_ERROR(record__note(
			rec, /* as above */
			"measuring ended after the round in which --max-time %g s was over: %zu of "
			"%zu benchmark%s not settled by then, so undecided",
			max_time_s, open, rec->benches_cnt, open == 1 ? " was" : "s were"));
	else if (rec->across.reason == REASON_OUT_OF_TIME)
		IGNORE_ERROR(record__note(
			rec, /* as above */
			"measuring ended after the round in which --max-time %g s was over: every "
			"benchmark was settled by then, but not what all say together",
			max_time_s));
}
