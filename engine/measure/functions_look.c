/* SPDX-License-Identifier: BSD-2-Clause */
/* Function benchmarks before their first block: what an iteration costs, what a start does, digests. */
#include "real.h"
#include <math.h>
#include "../util/clock.h"
#include "../../stats/median.h"

#define ITERATIONS_MAX (1u << 27)
#define LOOKS	       5 /* windows whose median is the calibrated slice */

static enum source_status look(struct real_source *s, struct rec_bench *b, enum side side,
			       uint64_t n, size_t k, double *ret_slice_ns)
{
	struct frame_sample f;
	uint64_t from = clock_ns(CLOCK_MONOTONIC);
	enum worker_result result = worker__window(&s->worker[side], n, (uint32_t)k, &f);

	if (result != WORKER_OK)
		return real_fail(b, NULL, side, result, &s->worker[side]);
	/*
	 * Threads are judged by elapsed time: a slice planned by CPU time would last for seconds where
	 * they mostly wait.
	 */
	*ret_slice_ns = function_median_slice(b->threads > 1 ? f.wall_ns : f.cpu_ns, f.k);
	if (f.cpu != CPU_THREADS)
		real_bench_of(s, b)->clocks_known = false;
	/* By our clock: the timeout follows it, and a worker that errs must not lift it. */
	real_bench_of(s, b)->sample_wall_ns = (double)(clock_ns(CLOCK_MONOTONIC) - from);
	return SOURCE_OK;
}

/* Doubles n until a slice can be read, then plans by what an iteration costs. */
static enum source_status find_scale(struct real_source *s, struct rec_bench *b, uint64_t *ret_n)
{
	double slice_ns = 0;
	uint64_t n = 1;

	for (;; n *= 2) {
		enum source_status status = look(s, b, SIDE_BASELINE, n, 1, &slice_ns);

		if (status != SOURCE_OK)
			return status;
		if (slice_ns >= SLICE_TARGET_NS / 2)
			break;
		if (n >= ITERATIONS_MAX) {
			rec_bench__fail(b, REASON_TOO_FAST, SIDE_BASELINE, NULL);
			return SOURCE_FAILED;
		}
	}
	*ret_n = n;
	return SOURCE_OK;
}

/* n, k and the slice on a warmed-up baseline: the median of a few windows. */
static enum source_status calibrate(struct real_source *s, struct rec_bench *b)
{
	double slice[LOOKS], scratch[LOOKS];
	struct real_bench *rb = real_bench_of(s, b);
	enum source_status status;

	rb->clocks_known = true; /* until a look finds that it is not so */
	status = find_scale(s, b, &b->n);
	b->k = 1;
	/* Twice: the first round still pays for cold code, the second measures with the right n. */
	for (int round = 0; round < 2 && status == SOURCE_OK; round++) {
		for (int i = 0; i < LOOKS && status == SOURCE_OK; i++)
			status = look(s, b, SIDE_BASELINE, b->n, b->k, &slice[i]);
		if (status == SOURCE_OK &&
		    median_of(slice, LOOKS, scratch, &b->slice_ns) == STATS_OK)
			/* slices of several threads need a clock that is exact while they run */
			plan_window(b->slice_ns / (double)b->n, rb->clocks_known ? 1 : b->threads,
				    &b->n, &b->k);
		if (b->slice_ns > 1e9)
			break; /* long iterations need no second look */
	}
	return status;
}

static enum source_status begin(struct real_source *s, struct rec_bench *b, enum side side)
{
	static const struct rec_coins coins = {.slot0 = SIDE_BASELINE};
	struct real_bench *rb = real_bench_of(s, b);
	struct child_spec spec = real_spec(s, b, side, &coins);
	struct worker *w = &s->worker[side];
	enum worker_result result = worker__start(w, &spec, rb->timeout_ns, s->interrupt_fd);
	char name[PROTOCOL_NAME_MAX];

	real_case_name(s, b, name);
	if (result == WORKER_OK)
		result = worker__open(w, name, NULL);
	return real_fail(b, NULL, side, result, w);
}

/* One window like those that will be measured, and a polite end: what it computes is in the digest. */
static enum source_status run_once(struct real_source *s, struct rec_bench *b, enum side side)
{
	struct worker *w = &s->worker[side];
	struct frame_sample sample;
	struct frame_done done;
	enum worker_result result = worker__window(w, b->n, (uint32_t)b->k, &sample);

	if (result == WORKER_OK)
		result = worker__stop(w, &done);
	if (result != WORKER_OK)
		return real_fail(b, NULL, side, result, w);
	return function_keep_digest(s, side, &done);
}

/* What a start costs, programs being in the page cache by now; and what each side computes. */
static enum source_status time_starts(struct real_source *s, struct rec_bench *b, double *ret_ns)
{
	enum source_status status = SOURCE_OK;

	*ret_ns = 0;
	for (int side = 0; side < SIDE_CNT && status == SOURCE_OK; side++) {
		status = begin(s, b, (enum side)side);
		*ret_ns += s->worker[side].start_ns;
		if (status == SOURCE_OK)
			status = run_once(s, b, (enum side)side);
	}
	function_discard(s);
	return status;
}

static void plan_by_cost(struct rec_bench *b, double start_both_ns, double windows_ns)
{
	size_t few = plan_blocks(start_both_ns + 2 * windows_ns);

	b->start_both_ns = start_both_ns;
	b->m = few ? 1
		   : plan_function_pairs(start_both_ns / (double)(b->sizes_cnt ? b->sizes_cnt : 1));
	for (size_t i = 0; i < STAGES_MAX; i++)
		b->blocks_max[i] = few;
}

/* Calibrates what is measured, and adds what its starts and a window of it take. */
static enum source_status look_at(struct real_source *s, struct rec_bench *b, double *start_both_ns,
				  double *windows_ns)
{
	double start_ns = 0;
	enum source_status status = begin(s, b, SIDE_BASELINE);

	if (status == SOURCE_OK)
		status = calibrate(s, b);
	function_discard(s);
	if (status == SOURCE_OK) /* the candidate's first start is its cold one: not timed */
		status = begin(s, b, SIDE_CANDIDATE);
	function_discard(s);
	if (status == SOURCE_OK)
		status = time_starts(s, b, &start_ns);
	*start_both_ns += start_ns;
	*windows_ns += b->slice_ns * (double)b->k;
	return status;
}

enum source_status function_open(struct real_source *s, struct rec_bench *b)
{
	double start_both_ns = 0, windows_ns = 0;
	enum source_status status = SOURCE_OK;

	function_forget_digests(s);
	for (s->size = 0; s->size == 0 || s->size < b->sizes_cnt; s->size++) {
		status = look_at(s, b, &start_both_ns, &windows_ns);
		if (status != SOURCE_OK)
			return status;
		b->window[s->size] =
			(struct rec_window){.n = b->n, .k = b->k, .slice_ns = b->slice_ns};
	}
	function_take_digests(s, b);
	plan_by_cost(b, start_both_ns, windows_ns);
	return SOURCE_OK;
}
