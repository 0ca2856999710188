/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* What bpf/interference.bpf.c and bpf/watch.c share and nobody else sees. */
#include <stdint.h>
#include "interference.h"

#define WATCH_MAX_CPUS	 1024
#define WATCH_BUCKETS	 1024
#define WATCH_WAYS	 4
#define WATCH_THREADS	 (WATCH_BUCKETS * WATCH_WAYS)
#define WATCH_WAITERS	 8   /* watched threads that wait on one CPU and whose waiting is billed */
#define WATCH_PREEMPTORS 128 /* processes that can be named, of a lane; a power of two */
#define WATCH_PROBES	 4   /* places where one of them is looked for */
#define WATCH_NO_ROW	 UINT32_MAX
#define WATCH_NO_CPU	 UINT32_MAX
#define WATCH_NOT_NOTED	 UINT64_MAX
#define WATCH_OWN	 UINT32_MAX /* WATCH_OWN_PID of watch.h */

/* A watched thread, found by its number: WATCH_WAYS of them to a bucket. */
struct watch_thread {
	uint32_t tid;	     /* 0: a free place */
	uint32_t generation; /* 0: not, or not yet, a thread */
	uint32_t lane;
	uint32_t row; /* WATCH_NO_ROW: shares the rest */
	uint32_t state;
	uint32_t cpu;	   /* where it ran last, WATCH_NO_CPU before its first switch in */
	uint32_t wait_seq; /* tells one waiting from the next */
	uint32_t busy;	   /* somebody else ran meanwhile */
	uint32_t exiting;
	uint32_t reserved;
	uint64_t since_ns;
	uint64_t billed_ns; /* its waiting is billed up to here */
	uint64_t idle_ns;   /* so much of this waiting the CPU idled */
	/* What the scheduler had noted when it left last; WATCH_NOT_NOTED before that. */
	uint64_t arrivals_cnt, delay_ns;
	/* How often the kernel says that it had left by then; WATCH_NOT_NOTED before it is known. */
	uint64_t switches_cnt;
} __attribute__((aligned(64)));

struct watch_waiter {
	uint32_t index, seq;
};

struct watch_cpu_state {
	uint32_t running; /* index + 1 of the watched thread on this CPU, 0: none */
	uint32_t waiters_cnt;
	uint32_t irq_depth, irq_kind;
	uint64_t irq_start_ns;
	uint32_t next_tid; /* who was switched in last, while somebody waited; 0: not known */
	uint32_t frequency_khz;
	uint64_t frequency_cnt;
	uint64_t broken_cnt; /* watched threads that must have left and were not seen to */
	uint64_t offset_ns;  /* of our clock to the scheduler's; 0: not known yet */
	/* The scheduler's notes on the task that leaves: arrivals on a CPU, the last of them, and
	 * all its waiting in the run queue. arrival_ns 0: this kernel keeps none. */
	uint64_t arrivals_cnt, arrival_ns, delay_ns;
	uint32_t leaver_pid;  /* the process that leaves, while somebody waits */
	uint32_t leaver_lane; /* + 1, 0: it is not watched */
	struct watch_waiter waiter[WATCH_WAITERS];
} __attribute__((aligned(64)));

struct watch_lane {
	uint32_t generation; /* whose threads are watched; 0: nobody's */
	uint32_t follow;     /* enum watch_scope */
	uint64_t unknown_ns; /* waiting that was billed to nobody */
};

/* A process that had the CPU while a thread of the lane waited. */
struct watch_culprit {
	uint32_t pid; /* 0: a free place */
	uint32_t reserved;
	uint64_t time_ns, cnt;
	char comm[16];
};

/* What the program "control" is asked to do. */
enum watch_op {
	WATCH_OP_EMPTY, /* a lane, for a new generation */
	WATCH_OP_ADD,	/* a thread to it */
	WATCH_OP_RELEASE,
};

struct watch_request {
	uint32_t op, lane, follow, tid;
	uint32_t generation; /* answer */
	uint32_t reserved;
};

/* Which process the program "find" is to enrol: a number in a PID namespace. */
struct watch_wanted {
	uint32_t lane, pid, namespace_inode, found_cnt;
};

/*
 * All that the programs keep. What a switch between unwatched tasks looks at comes first and close
 * together: where entering the kernel empties the TLB, a page that is touched costs more than what is
 * done there.
 */
struct watch_state {
	uint32_t maybe[WATCH_BUCKETS / 32]; /* a bit for each bucket: it may hold a thread */
	struct watch_lane lane[INTERFERENCE_LANES];
	struct watch_cpu_state cpu[WATCH_MAX_CPUS];
	struct watch_thread thread[WATCH_THREADS];
	struct watch_culprit culprit[INTERFERENCE_LANES][WATCH_PREEMPTORS];
	struct watch_wanted wanted;
};

/* Both worlds lay them out alike, and a reserved place is where a hole would be. */
_Static_assert(sizeof(struct watch_thread) == 128, "a thread is two cache lines");
_Static_assert(offsetof(struct watch_thread, since_ns) == 40, "thread: since_ns");
_Static_assert(offsetof(struct watch_thread, arrivals_cnt) == 64, "thread: arrivals_cnt");
_Static_assert(offsetof(struct watch_thread, delay_ns) == 72, "thread: delay_ns");
_Static_assert(offsetof(struct watch_thread, switches_cnt) == 80, "thread: switches_cnt");
_Static_assert(sizeof(struct watch_waiter) == 8, "waiter");
_Static_assert(sizeof(struct watch_cpu_state) == 192, "a CPU is three cache lines");
_Static_assert(offsetof(struct watch_cpu_state, irq_start_ns) == 16, "cpu: irq_start_ns");
_Static_assert(offsetof(struct watch_cpu_state, frequency_cnt) == 32, "cpu: frequency_cnt");
_Static_assert(offsetof(struct watch_cpu_state, delay_ns) == 72, "cpu: delay_ns");
_Static_assert(offsetof(struct watch_cpu_state, waiter) == 88, "cpu: waiters");
_Static_assert(sizeof(struct watch_lane) == 16, "lane");
_Static_assert(offsetof(struct watch_lane, unknown_ns) == 8, "lane: unknown_ns");
_Static_assert(sizeof(struct watch_culprit) == 40, "culprit");
_Static_assert(offsetof(struct watch_culprit, time_ns) == 8, "culprit: time_ns");
_Static_assert(offsetof(struct watch_culprit, comm) == 24, "culprit: comm");
_Static_assert(sizeof(struct watch_request) == 24, "request");
_Static_assert(offsetof(struct watch_request, generation) == 16, "request: generation");
_Static_assert(sizeof(struct watch_wanted) == 16, "wanted");
_Static_assert(offsetof(struct watch_state, lane) == 128, "state: lanes");
_Static_assert(offsetof(struct watch_state, cpu) % 64 == 0, "state: CPUs");
_Static_assert(offsetof(struct watch_state, thread) ==
		       offsetof(struct watch_state, cpu) + WATCH_MAX_CPUS * 192,
	       "state: threads");
_Static_assert(offsetof(struct watch_state, culprit) ==
		       offsetof(struct watch_state, thread) + WATCH_THREADS * 128,
	       "state: culprits");
_Static_assert(offsetof(struct watch_state, wanted) ==
		       offsetof(struct watch_state, culprit) +
			       INTERFERENCE_LANES * WATCH_PREEMPTORS * 40,
	       "state: wanted");
