/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Reads a lane (bpf/interference.h): no system call, no allocation, no lock. Part of libjoust as
 * well as of the engine, so it needs libc only and its names start with joust_. A lane is mapped
 * PROT_READ, MAP_SHARED, from the descriptor that watch__lane_fd() gives (the mapping does not
 * survive exec; the descriptor does).
 *
 * Errors: -EAGAIN when writers were in the way for too long, -ESTALE when the lane belongs to
 * another generation or version. Either means "unknown", never "no interference".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "interference.h"

#pragma GCC visibility push(hidden)

struct interference_reading {
	uint32_t generation;
	uint32_t running_cnt;		/* on a CPU, as far as is known */
	uint32_t threads_cnt;		/* all that were seen, the ended ones too */
	uint64_t unwatched_cnt;		/* threads that could not be watched */
	struct interference_counts sum; /* of all threads, open intervals closed at now_ns */
};

/* Maps a lane read-only; NULL with errno set. The descriptor may be closed afterwards. */
const struct interference_lane *joust_interference_map(int fd);
void joust_interference_unmap(const struct interference_lane *lane);

/*
 * The sum over all threads, at now_ns (CLOCK_MONOTONIC, read just before). `generation` as
 * watch__enrol() gave it, 0: whichever. About 10 ns and as many for each thread that has a row.
 */
int joust_interference_read(const struct interference_lane *lane, uint32_t generation,
			    uint64_t now_ns, struct interference_reading *ret)
	__attribute__((warn_unused_result));

/*
 * The same by a thread of the process itself. It is running: -ENODATA when the record knows nothing
 * of that (its switch in was not seen), which makes the window unknown.
 */
int joust_interference_read_own(const struct interference_lane *lane, uint32_t generation,
				uint64_t now_ns, struct interference_reading *ret)
	__attribute__((warn_unused_result));

/* One thread's row, its open interval closed at now_ns. -ENOENT: no such row (yet). */
int joust_interference_thread(const struct interference_lane *lane, uint32_t generation,
			      uint32_t index, uint64_t now_ns, struct interference_row *ret)
	__attribute__((warn_unused_result));

/* to - from, field by field. */
void joust_interference_diff(struct interference_counts *ret,
			     const struct interference_counts *from,
			     const struct interference_counts *to);

/* Waiting for a CPU while another task had it: preempted, or woken to a busy CPU. */
uint64_t joust_interference_disturbed_ns(const struct interference_counts *c);
/* Runnable and not running, whatever the CPU did. */
uint64_t joust_interference_waiting_ns(const struct interference_counts *c);

/*
 * The cross-check: whether a difference is believable beside what the kernel says elsewhere of the
 * same threads and the same time (getrusage: nvcsw, nivcsw). False: something was not seen, and
 * the interference is unknown. Only the sum of both kinds is compared: a task that is woken while
 * it goes to sleep is counted as either by kernels of different age.
 */
bool joust_interference_agrees(const struct interference_counts *diff, uint64_t voluntary_cnt,
			       uint64_t involuntary_cnt);

#pragma GCC visibility pop
