/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../util/clock.h"
#include "../../stats/median.h"
#include "values.h"

#define WARMUP_MIN  2 /* windows a side: 1 ms */
#define WARMUP_MAX  8
#define WARMUP_LAST 3	 /* windows ... */
#define WARMUP_SPAN 1.10 /* ... that may differ so much */

double function_median_slice(const uint64_t *slice_ns, size_t k)
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
	char name[PROTOCOL_NAME_MAX];

	real_case_name(s, b, name);
	/* Only where it is judged: it costs every untimed section two system calls. */
	sources.peak = b->metric[METRIC_PEAK_MEMORY].judged ? peak : NULL;
	if (result == WORKER_OK)
		result = worker__open(w, name, &sources);
	if (side == SIDE_CANDIDATE)
		w->inject_ppm = s->inject_ppm;
	blk->pid[side] = w->child.pid; /* of the size that is measured, the last one in the end */
	if (!s->size)
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
	const struct rec_window window = real_window(s, b);
	enum worker_result result;

	result = worker__window(w, window.n, (uint32_t)window.k, ret);
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
			wu.last[order[i]][wu.cnt % WARMUP_LAST] =
				function_median_slice(f.cpu_ns, f.k);
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

static enum source_status start_both(struct real_source *s, struct rec_bench *b,
				     struct rec_block *blk)
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
	return status == SOURCE_OK ? warm_up(s, b, blk) : status;
}

enum source_status function_block(struct real_source *s, struct rec_bench *b, struct rec_block *blk)
{
	enum source_status status;

	s->size = 0;
	function_forget_digests(s);
	status = start_both(s, b, blk);
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

enum source_status function_keep_digest(struct real_source *s, enum side side,
					const struct frame_done *done)
{
	const char *before = s->digest[side] ? s->digest[side] : "";
	char *text;

	if (!done->has_digest)
		return SOURCE_OK;
	if (asprintf(&text, "%s%016llx%016llx", before, (unsigned long long)done->digest[0],
		     (unsigned long long)done->digest[1]) < 0) {
		/* without it two different results would pass for equal ones */
		return real_out_of_memory(s);
	}
	free(s->digest[side]);
	s->digest[side] = text;
	return SOURCE_OK;
}

void function_take_digests(struct real_source *s, struct rec_bench *b)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		if (!s->digest[side])
			continue;
		free(b->digest[side]);
		b->digest[side] = TAKE_PTR(s->digest[side]);
	}
}

void function_forget_digests(struct real_source *s)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		free(s->digest[side]);
		s->digest[side] = NULL;
	}
}

static enum source_status stop_side(struct real_source *s, struct rec_bench *b,
				    struct rec_block *blk, enum side side)
{
	struct worker *w = &s->worker[side];
	struct frame_done done;
	enum worker_result result;

	crosscheck__end(&s->check[side], w, watching_ended_cnt(&s->watching, side), b, blk, side);
	groups__peak_end(&s->groups, side);
	result = worker__stop(w, &done);
	if (result != WORKER_OK)
		return real_fail(b, blk, side, result, w);
	groups__peak_keep(&s->groups, side, done.peak_bytes, blk,
			  &b->metric[METRIC_PEAK_MEMORY].missing);
	return function_keep_digest(s, side, &done);
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

void function_discard(struct real_source *s)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		worker__done(&s->worker[side]);
		s->worker[side] = (struct worker){0};
	}
}

/* The workers of a size end as those of a block do, and those of the next one are started. */
static enum source_status next_size(struct real_source *s, struct rec_bench *b,
				    struct rec_block *blk)
{
	enum side order[SIDE_CNT] = {blk->coins.spawned_first, !blk->coins.spawned_first};
	enum source_status status = SOURCE_OK;

	for (int i = 0; i < SIDE_CNT && status == SOURCE_OK; i++)
		status = stop_side(s, b, blk, order[i]);
	if (status != SOURCE_OK)
		return status;
	for (int side = 0; side < SIDE_CNT; side++)
		real_note_output(s, b, &s->worker[side].child);
	/* the next worker's record begins without those of this one */
	if (watching__preemptors(&s->watching, blk))
		return real_out_of_memory(s);
	function_discard(s);
	s->size++;
	status = start_both(s, b, blk);
	watching__forget_preemptors(&s->watching);
	return status;
}

enum source_status function_pair(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				 size_t i)
{
	struct rec_pair *pair = &blk->pairs[i];
	enum side order[SIDE_CNT] = {pair->first, !pair->first};

	if (b->sizes_cnt && i / b->m != s->size) {
		enum source_status status = next_size(s, b, blk);

		if (status != SOURCE_OK)
			return status;
	}
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
	if (status == SOURCE_OK && s->complete)
		function_take_digests(s, b);
	for (int side = 0; side < SIDE_CNT; side++)
		real_note_output(s, b, &s->worker[side].child);
	function_discard(s);
	return status;
}
