/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A build that runs for ever or takes all there is must not take the host with it. */
#include <stdbool.h>
#include "config.h"
#include "../host/cgroup_leaf.h"

struct build_limits {
	struct cgroup *cgroup;	     /* NULL: only time is limited */
	uint64_t memory_bytes, pids; /* 0: the default, half of the memory and 4096 */
	double time_s;		     /* likewise: an hour */
};

/* How a build ended. */
struct build_end {
	int status;
	bool timed_out;
	struct cgroup_events events;
};

/* What [limits] of a configuration sets; `cgroup` is the engine's, or NULL. */
struct build_limits build_limits_of(const struct config *c, struct cgroup *cgroup);
/* The group of one build; *ret stays zeroed where there are none. 0 or a negative errno. */
int build_limits__leaf(const struct build_limits *l, struct cgroup_leaf *ret) MUST_CHECK;
double build_limits_time_s(const struct build_limits *l);
/* How a build failed, with what to do about a limit. Owned; NULL without memory. */
char *build_end_text(const struct build_limits *l, const struct build_end *e);
