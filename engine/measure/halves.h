/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What a worker's sample becomes in the record: every value with its quality. A value is exact, or it
 * is NaN and the half says why; a metric that lacks in one half is never judged in that benchmark,
 * because which halves lack is not for chance to decide.
 */
#include <stdint.h>
#include "../worker/worker.h"
#include "../../report/record.h"

/* Where the user's events stand in a worker's groups. */
struct event_places {
	struct perf_event_spec spec[EVENTS_MAX]; /* those that can be counted here */
	size_t index[EVENTS_MAX];		 /* of each in record.events */
	size_t cnt;
};

struct half_source {
	const struct worker *worker; /* its groups, and why one lacks */
	const struct event_places *events;
	uint32_t core_type; /* other than 0: too little running time is a core of another type */
};

/* Fills `h` from a sample of n iterations in each of k slices. 0 or -ENOMEM. */
int half_fill(struct rec_half *h, const struct frame_sample *f, struct rec_bench *b,
	      const struct half_source *src) MUST_CHECK;

/* Events were lost while it was measured, as is known only now: its interference is unknown. */
void half_lose_seen(struct rec_half *h, struct rec_bench *b);

/*
 * A command's half, filled already, of whose descendants `unwaited_ns` are not in its CPU time: where
 * that is work (unwaited.h; ended_cnt 0: nobody looked) it has none. NaN: not known.
 */
void half_check_unwaited(struct rec_half *h, struct rec_bench *b, double unwaited_ns,
			 uint64_t ended_cnt);

/* What was seen of a window of so many iterations; whatever was lost is said of the half. */
void half_fill_seen(struct rec_half *h, const struct frame_seen *f, double iterations,
		    struct rec_bench *b);

/*
 * What is known to lack before anything is measured. `recorded`: where interference comes from on
 * this host.
 */
void half_fix_missing(struct rec_bench *b, const struct perf_tiers *tiers,
		      enum interference_source recorded);
