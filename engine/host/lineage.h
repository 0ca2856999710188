/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Which processes came from one child of the engine, so that nothing it started outlives it and
 * nothing of another live child is touched.
 *
 * A process belongs to a child when it carries the child's tag, is in its session, or descends
 * from one that does. The tag is the hard limit RLIMIT_RTTIME: inherited by fork, kept by exec and
 * setsid, independent of the environment, and without effect unless a thread runs 10^5 years in a
 * real-time class. Only descendants of the engine are ever signalled.
 *
 * What escapes: a process that has left the session, lost every ancestor that we can see *and*
 * lowered its own RLIMIT_RTTIME (as the workers of a joust inside a worker do, but these die with
 * their engine); and work handed to a service that was there before (systemd-run, docker). A cgroup
 * would hold the former.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct lineage {
	pid_t root;   /* the child itself: session leader, not reaped yet; never counted */
	uint64_t tag; /* 0: none, the session and the ancestry alone decide */
	pid_t init;   /* PID 1 of its namespace, which adopts its orphans; never counted; 0: none */
};

/* A tag that no other child and no other engine has; 0 where the engine's own limit forbids one. */
uint64_t lineage_tag_new(void);
/* In the child, after fork: async-signal-safe. */
void lineage_tag_wear(uint64_t tag);

/*
 * True when processes of a dead (not reaped) root are still alive after `grace_ns`: helpers that
 * end by themselves when their parent does get that long. Dead ones are reaped. Cheap when there
 * are none: it looks at the engine's own children only, because an orphan is adopted by the engine.
 */
bool lineage_left(const struct lineage *l, uint64_t grace_ns);

/*
 * SIGKILL to the root's group and to all others of the lineage, again and again until a look finds
 * nobody (a look can miss a process that is being born) or the deadline has passed. True when none
 * is left.
 */
bool lineage_kill(const struct lineage *l, uint64_t deadline_ns);
