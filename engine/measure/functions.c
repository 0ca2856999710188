/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../util/clock.h"
#include "../../stats/median.h"
#include "values.h"

#define WARMUP_MIN     2 /* windows a side: 1 ms */
#define WARMUP_MAX     8
#define WARMUP_LAST    3    /* windows ... */
#define WARMUP_SPAN    1.10 /* ... that may differ so much */
#define ITERATIONS_MAX (1u << 27)
#define LOOKS	       5 /* windows whose median is the calibrated slice */

static double median_slice(const uint64_t *slice_ns, size_t k)
{
	double x[SLICES_MAX], scratch[SLICES_MAX], median = NAN;

	for (size_t i = 0; i < k; i++)
		x[i] = (double)slice_ns[i];
	return median_of(x, k, scratch, &median) == STATS_OK ? median : NAN;
}

/* --- a block --- */

static struct worker_sources sources_of(const struct real_source *s, const struct rec_bench *b,
					enum side side)
{
	struct worker_sources src = {
		.tiers = &s->tiers,
		.several = b->threads > 1,
		.check = s->tiers.sw == REASON_NONE,
		.events = s->events.spec,
		.events_cnt = s->events.cnt,
	};

	watching__hand(&s->watching, side, &src);
	return src;
}

static void note_by_path(struct real_source *s)
{
	if (!s->by_path_said)
		IGNORE_ERROR(record__note(
			s->rec, /* only a note */
			"the code that workers loaded was found by its path, and not by its "
			"mapping: that takes CAP_CHECKPOINT_RESTORE"));
	s->by_path_said = true;
}

static enum source_status check_build(struct real_source *s, struct rec_bench *b,
				      const struct rec_block *blk, enum side side)
{
	const struct slots *slots = real_bench_of(s, b)->slots;
	struct identity found;
	enum reason why = identity_check(
		s->worker[side].child.pid, &s->versions->tree[side], &s->versions->tree[!side],
		slots->copies ? slots_stat(slots, side, blk->coins.slot0) : NULL, &found);

	if (found.by_path)
		note_by_path(s);
	if (why != REASON_NONE)
		rec_bench__fail(b, why, side, found.detail);
	free(found.detail);
	return why == REASON_NONE ? SOURCE_OK : SOURCE_FAILED;
}

static enum source_status start_side(struct real_source *s, struct rec_bench *b,
				     struct rec_block *blk, enum side side)
{
	struct real_bench *rb = real_bench_of(s, b);
	struct worker *w = &s->worker[side];
	struct child_spec spec = real_spec(s, b, side, &blk->coins);
	struct worker_sources sources = sources_of(s, b, side);
	enum worker_result result = worker__start(w, &spec, rb->timeout_ns, s->interrupt_fd);
	struct peak *peak = groups__peak_open(&s->groups, side, w->child.pid);

	/* Only where it is judged: it costs every untimed section two system calls. */
	sources.peak = b->metric[METRIC_PEAK_MEMORY].judged ? peak : NULL;
	if (result == WORKER_OK)
		result = worker__open(w, b->name, &sources);
	if (side == SIDE_CANDIDATE)
		w->inject_ppm = s->inject_ppm;
	blk->pid[side] = w->child.pid;
	blk->start_ns[side] = w->start_ns;
	if (result != WORKER_OK)
		return real_fail(b, blk, side, result, w);
	return check_build(s, b, blk, side);
}

/* From here on the worker is parked between windows. */
static void begin_counting(struct real_source *s, struct rec_block *blk, enum side side)
{
	struct worker *w = &s->worker[side];

	if (s->tiers.sw != REASON_NONE)
		w->sw_missing = s->tiers.sw;
	crosscheck__begin(&s->check[side], w, &blk->check[side]);
	watching__enrol(&s->watching, side, w->child.pid);
}

static enum source_status window(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				 enum side side, struct frame_sample *ret)
{
	struct worker *w = &s->worker[side];
	enum worker_result result;

	result = worker__window(w, b->n, (uint32_t)b->k, ret);
	if (result != WORKER_OK)
		return real_fail(b, blk, side, result, w);
	crosscheck__add(&s->check[side], ret);
	return SOURCE_OK;
}

struct warmup {
	size_t cnt; /* windows a side so far */
	double last[SIDE_CNT][WARMUP_LAST];
	double spent_ns[SIDE_CNT]; /* wall time: work that waits must not warm up for hours */
};

static bool settled(const double last[static WARMUP_LAST], size_t cnt)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < cnt && i < WARMUP_LAST; i++) {
		lo = fmin(lo, last[i]);
		hi = fmax(hi, last[i]);
	}
	return hi <= lo * WARMUP_SPAN;
}

/* At least two windows a side; one more on both while either wanders, eight at most. */
static bool warm(const struct warmup *wu, double wanted_ns)
{
	bool asked = !isnan(wanted_ns);

	if (wu->cnt < WARMUP_MIN)
		return false;
	if (asked && fmin(wu->spent_ns[0], wu->spent_ns[1]) < wanted_ns)
		return false;
	if (wu->cnt >= WARMUP_MAX)
		return true;
	return settled(wu->last[0], wu->cnt) && settled(wu->last[1], wu->cnt);
}

/* Warm-up windows alternate, begun by the side that is first in pair 1. */
static enum source_status warm_up(struct real_source *s, struct rec_bench *b, struct rec_block *blk)
{
	struct warmup wu = {0};
	enum side order[SIDE_CNT] = {blk->pairs[0].first, !blk->pairs[0].first};

	while (!warm(&wu, s->source.options.warmup_s * 1e9)) {
		for (int i = 0; i < SIDE_CNT; i++) {
			struct frame_sample f;
			uint64_t from = clock_ns(CLOCK_MONOTONIC);
			enum source_status status = window(s, b, blk, order[i], &f);

			if (status != SOURCE_OK)
				return status;
			wu.last[order[i]][wu.cnt % WARMUP_LAST] = median_slice(f.cpu_ns, f.k);
			/* by our clock: one that stands still in the worker must not hold us */
			wu.spent_ns[order[i]] += (double)(clock_ns(CLOCK_MONOTONIC) - from);
		}
		wu.cnt++;
	}
	return SOURCE_OK;
}

/* The engine walks its table of descriptors by number: which side has the lower one is drawn too. */
static enum source_status order_links(struct real_source *s, struct rec_block *blk)
{
	struct link *low = &s->worker[blk->coins.low_fds].link;
	struct link *high = &s->worker[!blk->coins.low_fds].link;
	int err = low->fd < high->fd ? 0 : link__swap(low, high);

	if (!err)
		return SOURCE_OK;
	(void)snprintf(s->source.error, sizeof(s->source.error),
		       "cannot order the descriptors of workers: %s", strerror(-err));
	return SOURCE_BROKEN;
}

enum source_status function_block(struct real_source *s, struct rec_bench *b, struct rec_block *blk)
{
	enum side order[SIDE_CNT] = {blk->coins.spawned_first, !blk->coins.spawned_first};
	enum source_status status;

	for (int i = 0; i < SIDE_CNT; i++) {
		status = start_side(s, b, blk, order[i]);
		if (status != SOURCE_OK)
			return status;
		begin_counting(s, blk, order[i]);
		groups__peak_begin(&s->groups, order[i]);
	}
	status = order_links(s, blk);
	if (status == SOURCE_OK)
		status = warm_up(s, b, blk);
	watching__forget_preemptors(&s->watching);
	watching__before(&s->watching);
	return status;
}

static enum source_status keep_half(struct real_source *s, struct rec_bench *b, struct rec_half *h,
				    const struct frame_sample *f, enum side side)
{
	const struct half_source src = {
		.worker = &s->worker[side],
		.events = &s->events,
		.core_type = s->tiers.core_type,
	};

	if (!half_fill(h, f, b, &src))
		return SOURCE_OK;
	return real_out_of_memory(s);
}

enum source_status function_pair(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				 size_t i)
{
	struct rec_pair *pair = &blk->pairs[i];
	enum side order[SIDE_CNT] = {pair->first, !pair->first};

	for (int j = 0; j < SIDE_CNT; j++) {
		struct frame_sample f;
		enum source_status status = window(s, b, blk, order[j], &f);

		if (status != SOURCE_OK)
			return status;
		status = keep_half(s, b, &pair->half[order[j]], &f, order[j]);
		if (status != SOURCE_OK)
			return status;
	}
	return SOURCE_OK;
}

static enum source_status keep_digest(struct real_source *s, struct rec_bench *b, enum side side,
				      const struct frame_done *done)
{
	char *text;

	if (!done->has_digest)
		return SOURCE_OK;
	if (asprintf(&text, "%016llx%016llx", (unsigned long long)done->digest[0],
		     (unsigned long long)done->digest[1]) < 0) {
		/* without it two different results would pass for equal ones */
		return real_out_of_memory(s);
	}
	free(b->digest[side]);
	b->digest[side] = text;
	return SOURCE_OK;
}

static enum source_status stop_side(struct real_source *s, struct rec_bench *b,
				    struct rec_block *blk, enum side side)
{
	struct worker *w = &s->worker[side];
	struct frame_done done;
	enum worker_result result;

	crosscheck__end(&s->check[side], w, b, &blk->check[side]);
	groups__peak_end(&s->groups, side);
	result = worker__stop(w, &done);
	if (result != WORKER_OK)
		return real_fail(b, blk, side, result, w);
	groups__peak_keep(&s->groups, side, done.peak_bytes, blk,
			  &b->metric[METRIC_PEAK_MEMORY].missing);
	return keep_digest(s, b, side, &done);
}

/* Rejected pairs are told, too. */
static void lose_seen(struct rec_bench *b, struct rec_block *blk)
{
	for (size_t i = 0; i < blk->pairs_cnt + blk->rejected_cnt; i++) {
		struct rec_pair *p = i < blk->pairs_cnt ? &blk->pairs[i]
							: &blk->rejected[i - blk->pairs_cnt].values;

		for (int side = 0; side < SIDE_CNT; side++)
			half_lose_seen(&p->half[side], b);
	}
}

static void discard(struct real_source *s)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		worker__done(&s->worker[side]);
		s->worker[side] = (struct worker){0};
	}
}

enum source_status function_end(struct real_source *s, struct rec_bench *b, struct rec_block *blk)
{
	enum side order[SIDE_CNT] = {blk->coins.spawned_first, !blk->coins.spawned_first};
	enum source_status status = SOURCE_OK;

	if (watching__lost(&s->watching))
		lose_seen(b, blk);
	if (watching__preemptors(&s->watching, blk))
		status = real_out_of_memory(s);
	/* Only a complete block is ended politely; anything else has said why already. */
	for (int i = 0; i < SIDE_CNT && status == SOURCE_OK && s->complete; i++)
		status = stop_side(s, b, blk, order[i]);
	for (int side = 0; side < SIDE_CNT; side++)
		real_note_output(s, b, &s->worker[side].child);
	discard(s);
	return status;
}

/* --- before the first block --- */

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
	*ret_slice_ns = median_slice(b->threads > 1 ? f.wall_ns : f.cpu_ns, f.k);
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

	if (result == WORKER_OK)
		result = worker__open(w, b->name, NULL);
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
	return keep_digest(s, b, side, &done);
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
	discard(s);
	return status;
}

static void plan_by_cost(struct rec_bench *b, double start_both_ns)
{
	double pair_ns = 2 * b->slice_ns * (double)b->k;
	size_t few = plan_blocks(start_both_ns + pair_ns);

	b->start_both_ns = start_both_ns;
	b->m = few ? 1 : plan_function_pairs(start_both_ns);
	for (size_t i = 0; i < STAGES_MAX; i++)
		b->blocks_max[i] = few;
}

enum source_status function_open(struct real_source *s, struct rec_bench *b)
{
	double start_both_ns = 0;
	enum source_status status = begin(s, b, SIDE_BASELINE);

	if (status == SOURCE_OK)
		status = calibrate(s, b);
	discard(s);
	if (status == SOURCE_OK) /* the candidate's first start is its cold one: not timed */
		status = begin(s, b, SIDE_CANDIDATE);
	discard(s);
	if (status == SOURCE_OK)
		status = time_starts(s, b, &start_both_ns);
	if (status == SOURCE_OK)
		plan_by_cost(b, start_both_ns);
	return status;
}
