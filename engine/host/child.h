/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One child process: started pinned, in its own session, dying with the engine, its output in a
 * capped buffer and never on the terminal; waited for together with a socket, the clock and the
 * user's interrupt. Nothing it started outlives it.
 */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "sandbox.h"
#include "../../report/cleanup.h"
#include "cgroup_leaf.h"
#include "kept.h"

#define CHILD_JOINS_MAX 4
#define CHILD_BINDS_MAX 10

/*
 * Who looks at a child from its exec on. `parked` is called by the engine while the child sleeps
 * with nothing but the exec before it; `leaves` by the child right before that: async-signal-safe
 * calls only, and what it writes is lost but for shared memory.
 */
struct child_witness {
	void (*parked)(void *arg, pid_t pid);
	void (*leaves)(void *arg);
	void *arg;
};

struct child_spec {
	const char *path; /* executed by this path (no PATH search) */
	const char *const *argv;
	const char *const *envp; /* the whole environment */
	const char *cwd;
	const cpu_set_t *cpus; /* NULL: as the engine */
	int protocol_fd;       /* becomes descriptor 3 of the child; -1: none */
	int output_fd;	       /* stdout and stderr go there (a log); -1: captured */
	bool stdout_null;      /* commands: stdout to /dev/null, stderr captured */
	/*
	 * Open cgroup.procs or tasks files (write access, the engine's): the child writes "0" to
	 * each before it allocates anything; the init of its namespace stays outside.
	 */
	int join_fd[CHILD_JOINS_MAX];
	unsigned join_cnt;
	/*
	 * NULL: none. With its root, `path` and `cwd` are paths inside, and these binds are added
	 * to its own. What the sandbox refuses is counted in it.
	 */
	struct sandbox *sandbox;
	struct sandbox_bind bind[CHILD_BINDS_MAX];
	unsigned bind_cnt;
	const struct child_witness *witness; /* NULL: none */
	struct cgroup_leaf *leaf; /* joined in the same way, watched and killed whole; NULL: none */
};

struct child {
	pid_t pid;    /* 0: never started */
	pid_t init;   /* PID 1 of its namespace, a child of the engine too; 0: none */
	uint64_t tag; /* of its lineage, see lineage.h */
	int pidfd;
	int listener; /* of the calls that its filter refuses; -1 */
	struct sandbox *sandbox;
	unsigned refused_cnt;
	int out_fd; /* captured output; -1 at its end */
	struct kept output;
	bool reaped;
	bool killed_by_us;
	int status;	      /* of wait4, once reaped */
	struct rusage usage;  /* itself and the descendants it waited for, once reaped */
	uint64_t exec_cpu_ns; /* its own CPU clock just before execve */
	/* CLOCK_MONOTONIC; exec_ns just before execve, of one that did not start too, or 0 */
	uint64_t spawn_ns, exec_ns, exit_ns;
	/* others of its session, of its leaf or adopted by us were still alive at its end */
	bool left_processes;
	const struct cgroup_leaf *leaf;	  /* NULL: none */
	double leaf_from_ns, leaf_cpu_ns; /* its leaf's CPU time: at the start, since then; NaN */
	struct cgroup_events events;	  /* of the leaf, once reaped */
};

enum child_event {
	CHILD_READABLE, /* the descriptor asked for has something (or its end) */
	CHILD_EXITED,	/* reaped: status and usage hold */
	CHILD_TIMED_OUT,
	CHILD_INTERRUPTED, /* interrupt_fd became readable (it is not read) */
};

/* Before the first child: the engine adopts orphans (PR_SET_CHILD_SUBREAPER), ignores SIGPIPE. */
int child_engine_setup(void) MUST_CHECK;

/*
 * fork, setsid, PDEATHSIG with a re-check of the parent, affinity, descriptors (0 = /dev/null; all
 * others closed), the sandbox, execve. In a sandbox the engine stays the parent, so that status and
 * usage are the program's own; a second child, the init of its namespace, ends with it. An exec
 * that fails is reported here (negative errno), not as a status.
 */
int child__start(struct child *c, const struct child_spec *spec) MUST_CHECK;

/*
 * Waits until `fd` (-1: none) is readable, the child has exited, `deadline_ns` (CLOCK_MONOTONIC;
 * UINT64_MAX: never) has passed, or interrupt_fd is readable. Drains captured output meanwhile.
 * Pending data on fd is reported before the exit. Blocks in one poll: the measured CPU is free.
 */
enum child_event child__wait(struct child *c, int fd, uint64_t deadline_ns, int interrupt_fd);

/* SIGTERM, 2 s of grace (0 when `now`), SIGKILL to its whole session; reaps it and its orphans. */
void child__kill(struct child *c, bool now);

/* Kills what is left, closes everything; accepts a zeroed or half-started child. */
void child__done(struct child *c);

/* CPU time from exec to exit, descendants it waited for included (1 us resolution). */
double child_cpu_from_exec_ns(const struct child *c);

/*
 * CPU time of descendants that is not in its usage, once reaped: nobody waited for them, or others
 * did. At least so much: what it used itself before it joined its leaf, some 0.5 ms, is not in the
 * leaf's. NaN: it has no leaf that tells.
 */
double child_cpu_unwaited_ns(const struct child *c);

/* The status that a program exited with by itself; 0 where a signal ended it. */
int child_exit_status(int status);
/* "SIGSEGV", "exit status 3": owned. */
char *child_end_name(int status);
