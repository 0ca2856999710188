/* SPDX-License-Identifier: BSD-2-Clause */
#include "run_notes.h"
#include <math.h>

#define GAP_SAID_S 10.0 /* machine states last 1 to 5 s */

void run_note_gaps(struct record *rec)
{
	const struct rec_bench *nearest = NULL;
	double least = GAP_SAID_S;

	for (size_t i = 0; i < rec->benches_cnt; i++) {
		const struct rec_bench *b = &rec->benches[i];

		for (size_t j = 1; j < STAGES_MAX && b->verdict == BENCH_REGRESSED; j++) {
			if (b->gap_s[j] < least) {
				least = b->gap_s[j];
				nearest = b;
			}
		}
	}
	if (nearest)
		IGNORE_ERROR(record__note(
			rec, /* a note that does not fit in memory is no reason to stop */
			"the stages of a regression lie less than %g s apart (\"%s\": %.1f s): one "
			"state of the machine, which lasts some seconds, may have covered them all",
			GAP_SAID_S, nearest->name, least));
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
