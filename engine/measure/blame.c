/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose failure it is. A program that fails on one side is tried on the other as well: a baseline that
 * fails, a candidate that fails and two that fail alike are told in different words.
 */
#include "real.h"
#include "../host/ends.h"
#include "../util/clock.h"
#include "gate.h"

#define WINDOWS_BESIDE 8 /* a block has so many warm-up windows beside its pairs at most */

/* Ends that a program has by itself, so that the other side's may have them too. */
static const bool by_itself[REASON_CNT] = {
	[REASON_EXIT_STATUS] = true,   [REASON_SIGNAL] = true,
	[REASON_TIMEOUT] = true,       [REASON_PROTOCOL_ERROR] = true,
	[REASON_WORKER_CLOSED] = true, [REASON_MEMORY_LIMIT] = true,
	[REASON_PIDS_LIMIT] = true,    [REASON_LEFT_PROCESSES] = true,
	[REASON_NO_LOOP] = true,       [REASON_BENCHMARK_FAILED] = true,
	[REASON_BAD_SAMPLE] = true,    [REASON_START_FAILED] = true,
};

static size_t windows_max(const struct real_source *s, const struct rec_bench *b)
{
	return WINDOWS_BESIDE + (s->rec->gate ? gate_tries_max(b->m) : b->m);
}

/* A whole life of a worker: as many windows as a block can have, and the end. */
static enum reason try_function(struct real_source *s, const struct rec_bench *b,
				const struct child_spec *spec)
{
	uint64_t timeout_ns = real_bench_of(s, b)->timeout_ns;
	struct rec_window window = real_window(s, b);
	size_t windows = windows_max(s, b);
	struct worker w;
	struct frame_sample sample;
	struct frame_done done;
	enum worker_result r = worker__start(&w, spec, timeout_ns, s->interrupt_fd);
	char name[PROTOCOL_NAME_MAX];
	enum reason why;

	real_case_name(s, b, name);
	if (r == WORKER_OK)
		r = worker__open(&w, name, NULL);
	for (size_t i = 0; r == WORKER_OK && i < windows; i++)
		r = worker__window(&w, window.n ? window.n : 1, window.k ? (uint32_t)window.k : 1,
				   &sample);
	if (r == WORKER_OK)
		r = worker__stop(&w, &done);
	why = r == WORKER_FAILED ? w.reason : REASON_NONE;
	worker__done(&w);
	return why;
}

static enum reason try_command(struct real_source *s, const struct rec_bench *b,
			       const struct child_spec *spec)
{
	uint64_t deadline_ns = clock_ns(CLOCK_MONOTONIC) + real_bench_of(s, b)->timeout_ns;
	enum reason why = REASON_NONE;
	struct child c;

	if (child__start(&c, spec))
		return REASON_START_FAILED;
	switch (child__wait(&c, -1, deadline_ns, s->interrupt_fd)) {
	case CHILD_EXITED:
		why = end_of(&c);
		break;
	case CHILD_TIMED_OUT:
		child__kill(&c, false);
		why = end_limit(&c) == REASON_NONE ? REASON_TIMEOUT : end_limit(&c);
		break;
	case CHILD_READABLE:
	case CHILD_INTERRUPTED:
	default:
		break;
	}
	child__done(&c);
	return why;
}

void real_blame(struct real_source *s, struct rec_bench *b, const struct rec_coins *coins)
{
	enum side other = b->reason_side == SIDE_BASELINE ? SIDE_CANDIDATE : SIDE_BASELINE;
	struct child_spec spec;
	enum reason why;

	if (b->verdict != BENCH_ERROR || b->reason_side == SIDE_CNT || !by_itself[b->reason])
		return;
	if (groups__renew_both(&s->groups, coins)) /* what is known so far stays */
		return;
	spec = real_spec(s, b, other, coins);
	why = b->kind == BENCH_FUNCTION ? try_function(s, b, &spec) : try_command(s, b, &spec);
	if (why == b->reason)
		b->reason_side = SIDE_CNT;
}
