/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The record of what the kernel did to one process: a "lane", written by bpf/interference.bpf.c and
 * read by the engine and, mapped read-only, by the measured process itself. Numbers of that process
 * only: who disturbed it stays in a map that the engine alone holds. Both worlds compile this.
 *
 * A thread that finds a row has it for itself (one writer at a time, a sequence count). Threads
 * beyond ROWS share `rest`, whose sums are exact too. bpf/interference_read.h reads; times are
 * nanoseconds of CLOCK_MONOTONIC.
 */
#include <stddef.h>
#include <stdint.h>

#define INTERFERENCE_VERSION 1
#define INTERFERENCE_LANES   8	/* that a watch has; a power of two */
#define INTERFERENCE_ROWS    32 /* of a lane; a power of two */

/* A thread is always in one of these; the kernel's switches and wake-ups are the transitions. */
enum interference_state {
	INTERFERENCE_UNSEEN,	/* enrolled, no event yet: this time is not accounted */
	INTERFERENCE_RUNNING,	/* on a CPU */
	INTERFERENCE_PREEMPTED, /* left the CPU against its will (or yielded), waits for one */
	INTERFERENCE_WOKEN,	/* woken or new-born, waits for a CPU */
	INTERFERENCE_BLOCKED,	/* waits for an event */
	INTERFERENCE_ENDED,
	INTERFERENCE_STATES,
};

/* What interrupts a running thread; of nested interrupts the outermost is billed, once. */
enum interference_irq {
	INTERFERENCE_TIMER,
	INTERFERENCE_VECTOR, /* reschedule, function calls, irq work, thermal */
	INTERFERENCE_DEVICE, /* on arm64 the timer too */
	INTERFERENCE_SOFTIRQ,
	INTERFERENCE_IRQS,
};

struct interference_counts {
	/* By state. entries: RUNNING = switches in, PREEMPTED = involuntary switches, BLOCKED =
	 * voluntary ones, ENDED = ends. */
	uint64_t time_ns[INTERFERENCE_STATES];
	uint64_t entries_cnt[INTERFERENCE_STATES];
	/* The part of WOKEN during which the CPU idled: latency of the wake-up, nobody's fault. */
	uint64_t wake_idle_ns, wake_idle_cnt;
	uint64_t migrations_cnt; /* switches in on another CPU than the last */
	uint64_t irq_ns[INTERFERENCE_IRQS], irq_cnt[INTERFERENCE_IRQS]; /* parts of RUNNING */
	uint64_t frequency_cnt; /* changes of the CPU's frequency while it ran there */
	uint64_t lost_cnt;	/* events that must have happened and were not seen */
	/* Switches in that were not seen, but found out from the kernel's own notes when the thread
	 * left: counts and times hold, interrupts and preemptors of that interval do not. */
	uint64_t repaired_cnt;
	/* Switches after a thread's end, when it is only taken apart: at least one. The kernel counts
	 * them nowhere, but of a process that has not been waited for yet. */
	uint64_t late_cnt;
};

struct interference_row {
	uint32_t seq; /* odd: being written */
	uint32_t generation;
	uint32_t tid; /* in the kernel's first PID namespace */
	uint32_t state;
	uint32_t cpu; /* where it runs or ran last */
	uint32_t reserved0;
	uint64_t since_ns; /* when it entered `state`: that interval is not in `counts` yet */
	uint64_t born_ns;  /* 0: it was there before it was enrolled */
	struct interference_counts counts;
};

/* Several writers at once: begin_cnt != end_cnt while one is at work. */
struct interference_rest {
	uint64_t begin_cnt, end_cnt;
	/* Threads now in a state; an open interval is in time_ns as minus its start. */
	uint64_t open_cnt[INTERFERENCE_STATES];
	struct interference_counts counts;
	uint64_t reserved[5];
};

struct interference_lane {
	uint32_t version;     /* INTERFERENCE_VERSION; 0: never enrolled */
	uint32_t generation;  /* counts the processes that used this lane */
	uint32_t threads_cnt; /* seen so far, the first ROWS of them have rows */
	uint32_t reserved0;
	uint64_t unwatched_cnt; /* threads for which there was no place: nothing of them is known */
	uint64_t reserved1[5];
	struct interference_rest rest;
	struct interference_row row[INTERFERENCE_ROWS];
};

_Static_assert(sizeof(struct interference_counts) == 27 * 8, "counts have no holes");
_Static_assert(sizeof(struct interference_row) == 256, "a row is four cache lines");
_Static_assert(offsetof(struct interference_row, since_ns) == 24, "row: since_ns");
_Static_assert(offsetof(struct interference_row, counts) == 40, "row: counts");
_Static_assert(sizeof(struct interference_rest) == 320, "rest is five cache lines");
_Static_assert(offsetof(struct interference_rest, counts) == 64, "rest: counts");
_Static_assert(offsetof(struct interference_lane, unwatched_cnt) == 16, "lane: unwatched_cnt");
_Static_assert(offsetof(struct interference_lane, rest) == 64, "lane: rest");
_Static_assert(offsetof(struct interference_lane, row) == 384, "lane: rows");
_Static_assert(sizeof(struct interference_lane) == 384 + INTERFERENCE_ROWS * 256, "lane");
