/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* How a process ended, or why it did not begin, as a reason of the closed table. */
#include "../../report/reasons.h"
#include "child.h"

/*
 * The limit of its own that a child has met, whatever else followed from that: memory-limit,
 * pids-limit; cgroup-lost when nobody can tell any more; REASON_NONE. Of one that still runs as well.
 */
enum reason end_limit(const struct child *c);

/*
 * Why a reaped child has ended: the limits first, then killed-by-system (a SIGKILL that is not
 * ours), signal, exit-status, and left-processes where all else was well. REASON_NONE: well.
 */
enum reason end_of(const struct child *c);

/* Why child__start failed with `err`: cpu-gone where its CPU is no more, else start-failed. */
enum reason end_of_start(const struct child_spec *spec, int err);
