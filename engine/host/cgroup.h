/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The engine's own little tree of control groups: joust.PID.START.NAMESPACE below the group that it
 * was started in, with a leaf "engine" for itself and one for each process that it measures. The
 * kernel counts what a leaf needs, holds it to its limits and kills it as a whole; the engine is
 * never in one that it kills.
 *
 * Where controllers are missing or belong to somebody else, `of` and `err` of struct cgroup say so and
 * the rest works.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "../../report/cleanup.h"

enum cgroup_controller {
	CGROUP_MEMORY,
	CGROUP_PIDS,
	CGROUP_CPU,  /* builds only: it would change the scheduling of what is measured */
	CGROUP_TREE, /* v2 without any controller: kills and lists processes */
	CGROUP_CONTROLLER_CNT
};

/* One hierarchy in use: on v2 it serves several controllers. */
struct cgroup_hierarchy {
	int version;	     /* 1, 2 */
	char base[PATH_MAX]; /* our tree lies in this group */
	char home[PATH_MAX]; /* the engine was here and returns */
	int base_fd, top_fd;
	bool moved;	      /* the engine is in top/engine */
	unsigned switched_on; /* bits of controllers that base did not hand on before: put back */
};

struct cgroup {
	char name[64]; /* of our tree; "": there is none */
	unsigned cnt;
	struct cgroup_hierarchy hierarchy[CGROUP_CONTROLLER_CNT];
	int of[CGROUP_CONTROLLER_CNT];	/* index into hierarchy; -1: not to be had */
	int err[CGROUP_CONTROLLER_CNT]; /* why not: a negative errno, -ENOENT where it is nowhere */
};

/*
 * Removes what killed engines left in the same groups, makes the tree and moves the engine into its
 * leaf. What cannot be had is left out, see `of` and `err`; so it never fails. `build` takes the
 * cpu controller too.
 */
void cgroup__open(struct cgroup *c, bool build);

/* Takes every leaf down (killing what is left in them), returns the engine, removes the tree. */
void cgroup__close(struct cgroup *c);

static inline bool cgroup_has(const struct cgroup *c, enum cgroup_controller id)
{
	return c && c->name[0] && c->of[id] >= 0;
}

/* "memory v1, pids v1, kill v2": owned; NULL without memory. */
char *cgroup_describe(const struct cgroup *c);

/* So many eighths of the bytes that this host or our group has. */
uint64_t cgroup_memory_share(const struct cgroup *c, unsigned eighths);
