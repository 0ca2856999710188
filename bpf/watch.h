/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Scheduler interference, by BPF: loads and attaches bpf/interference.bpf.c once, and hands out
 * lanes, one for a process that is being measured. Needs CAP_BPF and CAP_PERFMON (root has them)
 * and a kernel that describes its types (6.1 and later are tried). Not thread-safe; one watch a
 * program. Built with `make NO_BPF=1`, watch_none.c stands in for it: everything says "built
 * without", and libbpf is not needed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "interference.h"
#include "interference_read.h"

#define WATCH_LANES	  INTERFERENCE_LANES
#define WATCH_COMM	  16
#define WATCH_TRACEPOINTS 32 /* no more are looked up */

#define WATCH_MUST_CHECK __attribute__((warn_unused_result))

struct watch;

/* Why there is no watch; each has a sentence and a remedy of its own. */
enum watch_result {
	WATCH_ATTACHED,
	WATCH_NOT_BUILT,     /* NO_BPF=1 */
	WATCH_NO_KERNEL,     /* no bpf() system call, or one that is filtered away */
	WATCH_NO_BTF,	     /* no /sys/kernel/btf/vmlinux */
	WATCH_NO_CAPABILITY, /* not CAP_BPF and CAP_PERFMON */
	WATCH_NO_TRACEPOINT, /* sched_switch or sched_wakeup do not exist */
	WATCH_REJECTED,	     /* the verifier said no */
	WATCH_NO_MEMORY,
	WATCH_FAILED, /* anything else: the errno that watch__open() returned tells */
	WATCH_RESULTS,
};

/* Never NULL; the remedy may be "". */
const char *watch_result_str(enum watch_result why);
const char *watch_result_remedy(enum watch_result why);

/* What watch__open() would say, found out without loading a program of any size. */
enum watch_result watch_probe(void) WATCH_MUST_CHECK;

/* 0, or a negative errno with *ret_why set (it is set on success too). Some 30 ms. */
int watch__open(struct watch **ret, enum watch_result *ret_why) WATCH_MUST_CHECK;
/* Detaches and frees; takes NULL. Lanes that are mapped elsewhere stop counting. */
void watch__close(struct watch *w);

/*
 * Names of the i-th tracepoint that this kernel does not have, or that is silent here; NULL after
 * the last. What it would have told is missing from every record: *ret_what says it in words.
 */
const char *watch__missing(const struct watch *w, size_t i, const char **ret_what);

/* The lane's map, frozen, owned by `w`, close-on-exec: to be passed on, mapped PROT_READ. */
int watch__lane_fd(const struct watch *w, unsigned lane);

enum watch_scope {
	WATCH_PROCESS, /* its threads, those to be born too */
	WATCH_TREE,    /* also the processes it starts */
};

/*
 * Empties a lane and watches a process from its next event on: pid as this program's PID namespace
 * sees it. To be called while the process is parked; threads that it has by then are found in
 * /proc. Whatever was on the lane before is watched no more. 0, -ESRCH, -ENOSPC (more threads than
 * there are places), or another negative errno; *ret_generation is what readers must ask for.
 */
int watch__enrol(struct watch *w, unsigned lane, pid_t pid, enum watch_scope scope,
		 uint32_t *ret_generation) WATCH_MUST_CHECK;
/* Watches it no more; the record stays as it is. */
void watch__release(struct watch *w, unsigned lane);

/*
 * joust_interference_read() on the engine's own mapping, at the present time; a child before its
 * exec may.
 */
int watch__read(const struct watch *w, unsigned lane,
		struct interference_reading *ret) WATCH_MUST_CHECK;
/* As it was at now_ns (CLOCK_MONOTONIC), if nothing has happened since. */
int watch__read_at(const struct watch *w, unsigned lane, uint64_t now_ns,
		   struct interference_reading *ret) WATCH_MUST_CHECK;
/* One thread of the lane; -ENOENT: no such row. */
int watch__thread(const struct watch *w, unsigned lane, uint32_t index,
		  struct interference_row *ret) WATCH_MUST_CHECK;

#define WATCH_OWN_PID UINT32_MAX
#define WATCH_NAMES   128 /* that a lane can have at once */

/* Who had the CPU while a watched thread waited for it. */
struct watch_preemptor {
	/* Of the process, in the kernel's first PID namespace; WATCH_OWN_PID: other threads and
	 * processes that are watched on the same lane. */
	uint32_t pid;
	uint32_t cnt;	       /* intervals */
	uint64_t time_ns;      /* summed over the threads that waited */
	char comm[WATCH_COMM]; /* NUL-terminated, any bytes: escape on output */
};

/*
 * Takes the lane's preemptors since the last call or its enrolment, worst first, at most `max`;
 * *ret_unknown_ns (may be NULL) is waiting that is nobody's: the thread was moved meanwhile, or the
 * table was full. The process should be parked: what happens during the call may be cut in two.
 */
int watch__take_preemptors(struct watch *w, unsigned lane, struct watch_preemptor *ret, size_t max,
			   size_t *ret_cnt, uint64_t *ret_unknown_ns) WATCH_MUST_CHECK;

/*
 * Events that never reached a program (the kernel skips a program that is already running on that
 * CPU), and watched threads whose CPU was found with another: on the whole machine, since
 * watch__open(). A count that has grown makes the interference of that time unknown. UINT64_MAX: it
 * cannot be told. Other tasks that come and go unseen while a watched thread waits are not counted:
 * how long it waits is known all the same, and that time is nobody's (watch__take_preemptors).
 */
uint64_t watch__lost(const struct watch *w);

struct watch_cpu {
	uint64_t frequency_cnt; /* changes seen */
	uint32_t frequency_khz; /* the last one; 0: none seen */
	uint32_t reserved;
};

/*
 * What was seen on a CPU since watch__open(). -ERANGE: no such CPU in the table; -ENODATA: this
 * kernel does not tell, or not here (watch__missing).
 */
int watch__cpu(const struct watch *w, unsigned cpu, struct watch_cpu *ret) WATCH_MUST_CHECK;
