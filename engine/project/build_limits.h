/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A build that runs for ever or takes all there is must not take the host with it. */
#include <stdbool.h>
#include "config.h"
#include "../host/cgroup_leaf.h"
#include "../../report/reasons.h"

struct build_limits {
	struct cgroup_room room; /* nowhere: only time is limited */
	double time_s;
};

/* How a build ended. */
struct build_end {
	int status;
	bool timed_out;
	enum reason limit; /* of its group, that it has met; REASON_NONE */
};

/* What [limits] of a configuration sets; `cgroup` is the engine's, or NULL. */
struct build_limits build_limits_of(const struct config *c, struct cgroup *cgroup);
/*
 * A build that went on without what a limit took from it has made who knows what: it has failed
 * whatever its status says.
 */
bool build_end_failed(const struct build_end *e);
/* How a build failed, with what to do about a limit. Owned; NULL without memory. */
char *build_end_text(const struct build_limits *l, const struct build_end *e);
