/* SPDX-License-Identifier: BSD-2-Clause */
#include "build_limits.h"
#include <stdio.h>
#include <stdlib.h>
#include "../host/child.h"

#define TIME_S 3600.0

struct build_limits build_limits_of(const struct config *c, struct cgroup *cgroup)
{
	return (struct build_limits){
		.room = cgroup_build_room(cgroup, &c->build_limits),
		.time_s = c->build_time_s > 0 ? c->build_time_s : TIME_S,
	};
}

bool build_end_failed(const struct build_end *e)
{
	return e->status || e->timed_out || e->limit != REASON_NONE;
}

static int limit_text(char **ret, enum reason limit)
{
	const struct reason_row *row = reason_get(limit);
	const char *key = limit == REASON_MEMORY_LIMIT ? "memory" : "pids";

	if (limit != REASON_MEMORY_LIMIT && limit != REASON_PIDS_LIMIT)
		return asprintf(ret, "%s: %s", row->name, row->sentence);
	return asprintf(ret, "%s: %s; [limits] build-%s allows more", row->name, row->sentence,
			key);
}

char *build_end_text(const struct build_limits *l, const struct build_end *e)
{
	char *text;
	int n;

	if (e->timed_out)
		n = asprintf(&text, "no end after %g s; [limits] build-time allows more",
			     l->time_s);
	else if (e->limit != REASON_NONE)
		n = limit_text(&text, e->limit);
	else
		return child_end_name(e->status);
	return n < 0 ? NULL : text;
}
