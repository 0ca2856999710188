/* SPDX-License-Identifier: BSD-2-Clause */
#include "ends.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include "cpus.h"

enum reason end_limit(const struct child *c)
{
	struct cgroup_events now = c->reaped ? c->events : cgroup_leaf__events(c->leaf);

	if (now.lost)
		return REASON_CGROUP_LOST;
	if (cgroup_hit_memory(&now))
		return REASON_MEMORY_LIMIT;
	return now.pids_max ? REASON_PIDS_LIMIT : REASON_NONE;
}

enum reason end_of(const struct child *c)
{
	enum reason why = end_limit(c);

	if (why != REASON_NONE)
		return why;
	if (WIFSIGNALED(c->status) && WTERMSIG(c->status) == SIGKILL && !c->killed_by_us)
		return REASON_KILLED_BY_SYSTEM;
	if (c->status)
		return WIFSIGNALED(c->status) ? REASON_SIGNAL : REASON_EXIT_STATUS;
	return c->left_processes ? REASON_LEFT_PROCESSES : REASON_NONE;
}

/* EINVAL is what sched_setaffinity(2) says of a set without a CPU that may be used. */
enum reason end_of_start(const struct child_spec *spec, int err)
{
	if (err == -EINVAL && spec->cpus && !cpus_present(spec->cpus))
		return REASON_CPU_GONE;
	return REASON_START_FAILED;
}
