/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * perf_event groups of one thread. Opened once, left enabled, snapshots differenced; `running <
 * enabled` is never scaled. Traps heeded (kernel.md 1.2): no exclude_kernel on scheduler events;
 * leader opened disabled and its siblings enabled, then one enable on the leader.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "../../report/reasons.h"
#include "../../report/record.h"

#define PERF_GROUP_MAX 4

struct perf_group {
	int fd[PERF_GROUP_MAX]; /* leader first; -1 unused */
	unsigned cnt;
};

struct perf_reading {
	uint64_t enabled_ns, running_ns;
	uint64_t value[PERF_GROUP_MAX];
};

/* instructions:u, cycles:u of thread `tid`, pinned. 0, or a negative errno with *ret_why set. */
int perf_group__open_hw(struct perf_group *g, pid_t tid, enum reason *ret_why) MUST_CHECK;
/* task-clock, page faults, context switches, migrations of thread `tid`. */
int perf_group__open_sw(struct perf_group *g, pid_t tid, enum reason *ret_why) MUST_CHECK;
int perf_group__read(const struct perf_group *g, struct perf_reading *ret) MUST_CHECK;
void perf_group__close(struct perf_group *g);

/* Errno of perf_event_open to the reason shown (kernel.md 1.7). */
enum reason perf_reason(int err);

/*
 * Self-test once per run: touches 8 fresh pages and wants >= 8 faults, so that a zero is never
 * silent. REASON_NONE when software events can be believed.
 */
enum reason perf_self_test(void) MUST_CHECK;
/* REASON_NONE when instructions:u can be counted on this host. */
enum reason perf_hw_available(void) MUST_CHECK;

/* The block's cross-check: differences of two readings of a software group. */
void perf_check_fill(struct rec_check *ret, const struct perf_reading *from,
		     const struct perf_reading *to);
