/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* The table of watched threads, by their number in the kernel's first PID namespace. */
#include "tables.bpf.h"
#include "record.bpf.h"

/* Four numbers to a bucket, so that whoever is not watched costs one cache line. 0: free. */
uint32_t tids[WATCH_BUCKETS][WATCH_WAYS];

/* Still the owner of its place? A lane that was enrolled anew has forgotten its threads. */
static __always_inline bool threads_current(uint32_t t)
{
	const struct watch_thread *th = &threads[t & (WATCH_THREADS - 1)];

	return th->generation &&
	       th->generation == lanes[th->lane & (INTERFERENCE_LANES - 1)].generation;
}

static __always_inline void threads_remove(uint32_t t)
{
	threads[t & (WATCH_THREADS - 1)].generation = 0;
	tids[t / WATCH_WAYS & (WATCH_BUCKETS - 1)][t & (WATCH_WAYS - 1)] = 0;
}

static __always_inline uint32_t threads_find(uint32_t tid)
{
	uint32_t bucket = tid & (WATCH_BUCKETS - 1);
	const volatile uint32_t *way = tids[bucket];
	uint32_t t = NOT_WATCHED;

	if (!tid)
		return NOT_WATCHED;
	if (way[0] == tid)
		t = bucket * WATCH_WAYS;
	else if (way[1] == tid)
		t = bucket * WATCH_WAYS + 1;
	else if (way[2] == tid)
		t = bucket * WATCH_WAYS + 2;
	else if (way[3] == tid)
		t = bucket * WATCH_WAYS + 3;
	if (t != NOT_WATCHED && !threads_current(t))
		return NOT_WATCHED;
	return t;
}

/*
 * A place that is free, or whose owner was forgotten, is taken with one atomic exchange: threads are
 * born on all CPUs at once. Its generation is not the lane's yet, so nobody looks at it.
 */
static __always_inline uint32_t threads_place(uint32_t tid)
{
	uint32_t bucket = tid & (WATCH_BUCKETS - 1);

	for (uint32_t i = 0; i < WATCH_WAYS; i++) {
		uint32_t t = bucket * WATCH_WAYS + i;
		uint32_t owner = *(volatile uint32_t *)&tids[bucket][i];

		if (owner && owner != tid && threads_current(t))
			continue;
		if (__sync_val_compare_and_swap(&tids[bucket][i], owner, tid) == owner)
			return t;
	}
	return NOT_WATCHED;
}

/* Watches a thread; one that is watched already stays as it is, unless it is about to be gone. */
__noinline int threads_add(uint32_t tid, uint32_t lane, uint64_t born_ns)
{
	uint32_t generation = lanes[lane & (INTERFERENCE_LANES - 1)].generation;
	uint32_t t = threads_find(tid);
	struct watch_thread *th;

	if (t != NOT_WATCHED && !threads[t & (WATCH_THREADS - 1)].exiting)
		return 0;
	t = threads_place(tid);
	if (t == NOT_WATCHED) {
		record_unwatched(lane);
		return 1;
	}
	th = &threads[t & (WATCH_THREADS - 1)];
	th->generation = 0; /* of one that is about to be gone and had the same number */
	th->lane = lane;
	th->tid = tid;
	th->state = INTERFERENCE_UNSEEN;
	th->cpu = WATCH_NO_CPU;
	th->wait_seq++;
	th->exiting = 0;
	th->since_ns = 0;
	th->arrivals_cnt = born_ns ? 0 : WATCH_NOT_NOTED;
	th->delay_ns = 0;
	record_open(t, generation, born_ns);
	th->generation = generation;
	return 0;
}
