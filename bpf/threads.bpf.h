/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* The table of watched threads, by their number in the kernel's first PID namespace. */
#include "tables.bpf.h"
#include "record.bpf.h"

static __always_inline uint32_t bucket_of(uint32_t tid)
{
	return tid & (WATCH_BUCKETS - 1);
}

/* Still the owner of its place? A lane that was enrolled anew has forgotten its threads. */
static __always_inline bool threads_current(const struct watch_thread *th)
{
	return th->generation && th->generation == watch_lane_of(th->lane)->generation;
}

/* False: certainly not watched. All that most tasks of a machine cost. */
static __always_inline bool threads_maybe(uint32_t tid)
{
	uint32_t bucket = bucket_of(tid);

	return *(volatile uint32_t *)&state.maybe[bucket / 32] >> (bucket & 31) & 1;
}

__noinline uint32_t threads_search(uint32_t tid)
{
	uint32_t first = bucket_of(tid) * WATCH_WAYS;

	for (uint32_t i = 0; i < WATCH_WAYS; i++) {
		const struct watch_thread *th = thread_of(first + i);

		if (*(volatile uint32_t *)&th->tid == tid && threads_current(th))
			return first + i;
	}
	return NOT_WATCHED;
}

static __always_inline uint32_t threads_find(uint32_t tid)
{
	return tid && threads_maybe(tid) ? threads_search(tid) : NOT_WATCHED;
}

static __always_inline bool bucket_is_empty(uint32_t bucket)
{
	uint32_t any = 0;

	for (uint32_t i = 0; i < WATCH_WAYS; i++)
		any |= *(volatile uint32_t *)&thread_of(bucket * WATCH_WAYS + i)->tid;
	return !any;
}

/* Whoever takes a place sets the bit after it; whoever clears the bit looks at the places again. */
static __always_inline void bucket_mark(uint32_t bucket)
{
	uint32_t old = __sync_fetch_and_or(&state.maybe[bucket / 32 & (WATCH_BUCKETS / 32 - 1)],
					   1u << (bucket & 31));

	barrier_var(old);
}

__noinline int bucket_clear(uint32_t bucket)
{
	uint32_t old;

	bucket &= WATCH_BUCKETS - 1;
	if (!bucket_is_empty(bucket))
		return 0;
	old = __sync_fetch_and_and(&state.maybe[bucket / 32], ~(1u << (bucket & 31)));
	barrier_var(old);
	if (!bucket_is_empty(bucket))
		bucket_mark(bucket);
	return 0;
}

static __always_inline void threads_remove(uint32_t t)
{
	struct watch_thread *th = thread_of(t);

	th->generation = 0;
	th->tid = 0;
	bucket_clear(t / WATCH_WAYS);
}

/* A task ends whose lane has forgotten it. */
__noinline int threads_forget(uint32_t tid)
{
	uint32_t first = bucket_of(tid) * WATCH_WAYS;

	for (uint32_t i = 0; i < WATCH_WAYS; i++) {
		struct watch_thread *th = thread_of(first + i);

		if (th->tid == tid && th->generation && !threads_current(th))
			threads_remove(first + i);
	}
	return 0;
}

/*
 * A place that is free, or whose owner was forgotten, is taken with one atomic exchange: threads are
 * born on all CPUs at once. Its generation is not the lane's yet, so nobody looks at it.
 */
static __always_inline uint32_t threads_place(uint32_t tid)
{
	uint32_t bucket = bucket_of(tid);

	for (uint32_t i = 0; i < WATCH_WAYS; i++) {
		struct watch_thread *th = thread_of(bucket * WATCH_WAYS + i);
		uint32_t owner = *(volatile uint32_t *)&th->tid;

		if (owner && owner != tid && threads_current(th))
			continue;
		if (__sync_val_compare_and_swap(&th->tid, owner, tid) == owner)
			return bucket * WATCH_WAYS + i;
	}
	return NOT_WATCHED;
}

/* Watches a thread; one that is watched already stays as it is, unless it is about to be gone. */
__noinline int threads_add(uint32_t tid, uint32_t lane, uint64_t born_ns)
{
	uint32_t generation = watch_lane_of(lane)->generation;
	uint32_t t = threads_find(tid);
	struct watch_thread *th;

	if (t != NOT_WATCHED && !thread_of(t)->exiting)
		return 0;
	t = threads_place(tid);
	if (t == NOT_WATCHED) {
		record_unwatched(lane);
		return 1;
	}
	th = thread_of(t);
	th->generation = 0; /* of one that is about to be gone and had the same number */
	bucket_mark(bucket_of(tid));
	th->lane = lane;
	th->state = INTERFERENCE_UNSEEN;
	th->cpu = WATCH_NO_CPU;
	th->wait_seq++;
	th->exiting = 0;
	th->since_ns = 0;
	th->arrivals_cnt = born_ns ? 0 : WATCH_NOT_NOTED;
	th->switches_cnt = born_ns ? 0 : WATCH_NOT_NOTED;
	th->delay_ns = 0;
	record_open(t, generation, born_ns);
	th->generation = generation;
	return 0;
}
