/* SPDX-License-Identifier: BSD-2-Clause */
#include "build_limits.h"
#include <stdio.h>
#include <stdlib.h>
#include "../host/child.h"

#define TIME_S 3600.0
#define PIDS   4096 /* make -j of a large machine, some processes a job */

struct build_limits build_limits_of(const struct config *c, struct cgroup *cgroup)
{
	return (struct build_limits){
		.cgroup = cgroup && cgroup->cnt ? cgroup : NULL,
		.memory_bytes = c->limits.build_memory_bytes,
		.pids = c->limits.build_pids,
		.time_s = c->limits.build_time_s,
	};
}

int build_limits__leaf(const struct build_limits *l, struct cgroup_leaf *ret)
{
	const struct cgroup_limits limits = {
		.memory_bytes =
			l->memory_bytes ? l->memory_bytes : cgroup_default_memory(l->cgroup),
		.pids = l->pids ? l->pids : PIDS};

	return l->cgroup ? cgroup_leaf__open(ret, l->cgroup, "build", &limits) : 0;
}

double build_limits_time_s(const struct build_limits *l)
{
	return l->time_s > 0 ? l->time_s : TIME_S;
}

char *build_end_text(const struct build_limits *l, const struct build_end *e)
{
	AUTO_FREE char *end = child_end_name(e->status);
	const char *limit = cgroup_hit_memory(&e->events) ? "memory"
			    : e->events.pids_max	  ? "pids"
							  : NULL;
	char *text;
	int n;

	if (!end)
		return NULL;
	if (e->timed_out)
		n = asprintf(&text, "no end after %g s; [limits] build-time allows more",
			     build_limits_time_s(l));
	else if (limit)
		n = asprintf(&text, "%s; its limit was reached, [limits] build-%s allows more", end,
			     limit);
	else
		return TAKE_PTR(end);
	return n < 0 ? NULL : text;
}
