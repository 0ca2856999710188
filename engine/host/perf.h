/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * perf_event groups of one thread. Opened once, left enabled, snapshots differenced; `running <
 * enabled` is never scaled. Traps heeded (kernel.md 1.2): no exclude_kernel on scheduler events;
 * leader opened disabled and its siblings enabled, then one enable on the leader.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "../../report/reasons.h"
#include "../../report/record.h"

#define PERF_GROUP_MAX 4

/* One event as the kernel is asked for it. */
struct perf_event_spec {
	uint32_t type;
	uint64_t config, config1, config2;
	/* never user_only on scheduler events: they fire with kernel registers, and would count 0 */
	bool user_only, kernel_only;
	bool optional; /* a host with few counters is served without it */
};

/* The groups that joust opens. Values of a group stand in the order of its set. */
enum perf_set {
	PERF_SET_HW,	 /* instructions:u, cycles:u (may lack); pinned */
	PERF_SET_MISSES, /* branch-misses:u, cache-misses:u (each may lack); apart, so that no
			    value of the first group is multiplexed because of them */
	PERF_SET_SW,	 /* task-clock, page faults, context switches, migrations */
	PERF_SET_CNT
};
enum { PERF_HW_INSTRUCTIONS, PERF_HW_CYCLES };
enum { PERF_MISSES_BRANCH, PERF_MISSES_CACHE };
enum { PERF_SW_TASK_CLOCK, PERF_SW_FAULTS, PERF_SW_SWITCHES, PERF_SW_MIGRATIONS };

/* Whom a group counts, and how. */
struct perf_target {
	pid_t tid;	    /* 0: the caller */
	uint32_t core_type; /* hybrid CPUs: the PMU's number (perf_core_type); 0: the only one */
	bool inherit;	    /* also threads and processes born later; never with user_read */
	bool user_read;	    /* may be read without a system call (arm64 must be told at open) */
	size_t events_max;  /* at most so many events of the set; 0: all */
};

struct perf_group {
	int fd[PERF_GROUP_MAX]; /* leader first; -1 unused */
	unsigned cnt;
	unsigned event[PERF_GROUP_MAX]; /* index in its set of the value in this place */
};

struct perf_reading {
	uint64_t enabled_ns, running_ns;
	uint64_t value[PERF_GROUP_MAX];
};

/* 0, or a negative errno with *ret_why set and the group closed. */
int perf_group__open_set(struct perf_group *g, enum perf_set set, const struct perf_target *t,
			 enum reason *ret_why) MUST_CHECK;
/* The same for events of the caller's choice (1..PERF_GROUP_MAX); none is optional. */
int perf_group__open_events(struct perf_group *g, const struct perf_event_spec *events, size_t cnt,
			    const struct perf_target *t, enum reason *ret_why) MUST_CHECK;
/* PERF_SET_HW and PERF_SET_SW of thread `tid`, without any more wishes. */
int perf_group__open_hw(struct perf_group *g, pid_t tid, enum reason *ret_why) MUST_CHECK;
int perf_group__open_sw(struct perf_group *g, pid_t tid, enum reason *ret_why) MUST_CHECK;

/* -EBUSY: a pinned group was thrown off the PMU and reads as 0 bytes from now on. */
int perf_group__read(const struct perf_group *g, struct perf_reading *ret) MUST_CHECK;
void perf_group__close(struct perf_group *g);

/*
 * Errno of perf_event_open to the reason shown (kernel.md 1.7). What more the host can tell
 * (the watchdog, a protected process) perf_explain adds.
 */
enum reason perf_reason(int err);

/* The block's cross-check: differences of two readings of a software group. */
void perf_check_fill(struct rec_check *ret, const struct perf_reading *from,
		     const struct perf_reading *to);
