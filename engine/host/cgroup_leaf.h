/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One leaf of the engine's tree: the group of one worker, command or build. It is made anew for each
 * of them, because what a process leaves in the page cache stays charged to the group of the first
 * that read it, and because before Linux 6.12 the peak of v2 cannot be reset.
 */
#include <sys/types.h>
#include "cgroup.h"

#define CGROUP_JOINS_MAX 4

/* 0: no limit. Swap is always 0: a peak that was swapped out would not be seen. */
struct cgroup_limits {
	uint64_t memory_bytes;
	uint64_t pids;
};

/* Where a process gets a leaf of its own, and with which limits. */
struct cgroup_room {
	struct cgroup *cgroup; /* NULL: nowhere */
	struct cgroup_limits limits;
};

/*
 * The room of a worker: half of what there is and 256 processes where `asked` has 0. Of a build, which
 * is alone: three quarters and 4096. Nowhere where `c` has no group.
 */
struct cgroup_room cgroup_worker_room(struct cgroup *c, const struct cgroup_limits *asked);
struct cgroup_room cgroup_build_room(struct cgroup *c, const struct cgroup_limits *asked);

/* What the kernel has noted about a leaf. */
struct cgroup_events {
	bool lost;	     /* somebody removed the group */
	uint64_t memory_max; /* times the memory limit was reached */
	uint64_t oom_kill;   /* processes killed for lack of memory, here or on the whole host */
	uint64_t pids_max;   /* forks refused */
};

struct cgroup_leaf {
	struct cgroup *cgroup; /* NULL: none, every function does nothing */
	char name[32];
	struct cgroup_limits limits;
	int dir_fd[CGROUP_CONTROLLER_CNT]; /* by hierarchy; -1 */
	int join_fd[CGROUP_JOINS_MAX];	   /* cgroup.procs of each, for the child to write to */
	unsigned join_cnt;
	int peak_fd;	    /* kept open: the reset of v2 holds for a descriptor; -1 */
	double start_bytes; /* by cgroup_leaf__mark; 0 before */
};

/* Makes the leaf. 0, or why not: nothing is left then. */
int cgroup_leaf__open(struct cgroup_leaf *l, struct cgroup *c, const char *name,
		      const struct cgroup_limits *limits) MUST_CHECK;

/* The same in a room; nowhere, the leaf stays zeroed. */
int cgroup_leaf__open_in(struct cgroup_leaf *l, const struct cgroup_room *room,
			 const char *name) MUST_CHECK;

/* Kills what is in it and removes it. Accepts a zeroed leaf and one that is gone already. */
void cgroup_leaf__close(struct cgroup_leaf *l);

/*
 * Measured work begins: what is charged now is the start, and the peak begins anew. -EINVAL where
 * the kernel cannot reset the peak (v2 before 6.12), -ENOTSUP without the memory controller.
 */
int cgroup_leaf__mark(struct cgroup_leaf *l) MUST_CHECK;

/*
 * The most bytes charged at once since the leaf was made, or above the start since the mark. Moves
 * in quanta of 64 pages for each CPU used. -ENOTSUP: no memory controller, or v2 before 5.19.
 */
int cgroup_leaf__peak(const struct cgroup_leaf *l, double *ret_bytes) MUST_CHECK;

/*
 * CPU time of everything that ever ran in it, whoever waited for it: of the v2 tree, which counts it
 * without any controller, by the clock whose sums wait4 gives (kernel: cgroup_account_cputime is
 * called where sum_exec_runtime grows). Steps of 1 us. -ENOTSUP: no leaf, or none in a v2 tree.
 */
int cgroup_leaf__cpu_ns(const struct cgroup_leaf *l, double *ret) MUST_CHECK;

/* Zeros for a leaf that is none. */
struct cgroup_events cgroup_leaf__events(const struct cgroup_leaf *l);

/* Whether the limit of the leaf itself was what stopped its processes. */
bool cgroup_hit_memory(const struct cgroup_events *e);

/* 1: a process lives in it, 0: none, negative: cannot be told. Zombies do not count. */
int cgroup_leaf__populated(const struct cgroup_leaf *l) MUST_CHECK;

/* SIGKILL to all of it, until it is empty: 0, -ETIMEDOUT, or why it cannot be read. */
int cgroup_leaf__kill(const struct cgroup_leaf *l, uint64_t deadline_ns) MUST_CHECK;
