/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A process that is watched while it does a known thing, and what the kernel says of it elsewhere,
 * read at the same two instants: no switch comes between the readings of one instant.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "bpf/watch.h"

#define PREEMPTORS 128 /* all that a watch can name: all waiting must be billed */

struct instant {
	struct interference_reading record;
	uint64_t width_ns;		   /* of the readings of clocks; of both in a difference */
	uint64_t wall_ns, thread_ns;	   /* clocks */
	uint64_t voluntary, involuntary;   /* getrusage */
	uint64_t status_vol, status_invol; /* /proc/thread-self/status */
	uint64_t schedstat_run, schedstat_wait; /* /proc/thread-self/schedstat */
	uint64_t perf_clock_ns, perf_switches, perf_migrations;
	uint64_t naps; /* sleeps of the readings themselves */
};

struct meters;

/* Shared by the test, the subject and its competitors. */
struct stage {
	struct instant before, after;
	const struct meters *meters; /* in the subject */
	/* stage_look(): turns on a CPU and the kernel's clocks at the last look, and what came of it. */
	uint64_t turns_cnt, moved_ns;
	int64_t ahead_ns;
	uint32_t generation;
	uint64_t known;			      /* what the subject counted itself */
	const struct interference_lane *lane; /* in the subject */
	pid_t competitor;
	int start[2];	   /* a pipe: the competitor waits for the subject */
	uint32_t running;  /* the competitor does */
	uint32_t finished; /* it has done what it was to do */
	int read_err;
};

struct outcome {
	struct instant diff;
	struct interference_reading
		total; /* since it was enrolled, when the preemptors were taken */
	uint32_t threads_cnt;
	uint64_t known;
	pid_t competitor;
	struct watch_preemptor preemptor[PREEMPTORS];
	size_t preemptors_cnt;
	uint64_t unknown_ns, missed_cnt;
	uint64_t moved_ns; /* of the kernel's clocks against each other: stage_look() */
};

struct proof {
	const char *name;
	void (*work)(struct stage *s);
	void (*compete)(
		struct stage *s); /* in a process of its own, on the same CPU; may be NULL */
	/* NULL, or what is wrong, in `why`. */
	const char *(*check)(const struct outcome *o, char why[static 256]);
	bool process;	/* getrusage of the process, not of its first thread */
	bool realtime;	/* the competitor has priority */
	bool other_cpu; /* needs a second CPU */
	bool tree;	/* the processes it starts are watched too */
};

extern const struct proof proofs[];
extern const size_t proofs_cnt;

/*
 * What the kernel's own clocks disagree about at a switch on this machine: the thread clock counts
 * the switch itself, perf's task-clock does not. Measured, for it is 2 us here and 20 us there.
 */
extern uint64_t switch_ns;

/* CPUs that this program may use; [1] is -1 if there is one only. */
extern int allowed_cpus[2];
void find_cpus(void);
void pin(int cpu);

/* 0 or a negative errno: something of the test itself failed. */
int subject_run(struct watch *w, const struct proof *p, struct outcome *ret);

/*
 * By a subject, again and again while it works: each time it was switched away and came back, how far
 * that moved the kernel's thread clock and perf's task-clock against each other is added to s->moved_ns,
 * whichever way. Over all turns, which is what those have who do not look, it may cancel out.
 */
void stage_look(struct stage *s);

uint64_t now_of(clockid_t clock);

/* The switches in /proc/.../status, open as `fd`. */
void status_switches(int fd, uint64_t *ret_voluntary, uint64_t *ret_involuntary);
/* All of a process pinned to the CPU of the caller: it leaves no switch half counted. 0: it is gone. */
uint64_t process_switches(pid_t pid);
/* In a sleep that a signal ends. */
bool is_asleep(pid_t pid);
/* Until it is: what it does before would be seen as a disturbance. 0, or -ECHILD when it has ended. */
int wait_asleep(pid_t pid);

/* The i-th case of privileges.c: 0, -EPERM (it cannot be set up here) or another negative errno. */
int privileges_run(size_t i, const char **ret_name);
extern const size_t privileges_cnt;
