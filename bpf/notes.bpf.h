/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * Events that are not delivered. Some kernels run no tracepoint while certain tasks are current (seen on
 * a 6.18 guest: all of one system process's threads, for perf and ftrace alike), so that a watched
 * thread's wake-up and switch in are missing. The scheduler itself keeps notes of each task, whatever
 * is traced (sched_info, the source of schedstat): how often it arrived on a CPU, when last, and how
 * long it has queued. From these what was not seen is put in, to within the length of a switch: our
 * clock is read a little later in it than the scheduler's.
 */
#include "tables.bpf.h"
#include "record.bpf.h"
#include "waiting.bpf.h"

/* An offset that is too large by one long delay is forgotten at the next shorter one; one that has
 * become too small, by clocks that drift apart, is followed slowly. */
#define OFFSET_SHIFT 6

static __always_inline void read_notes(struct watch_cpu_state *c, struct task_struct *task)
{
	c->arrival_ns = 0;
	if (!bpf_core_field_exists(task->sched_info))
		return;
	c->arrivals_cnt = task->sched_info.pcount;
	c->arrival_ns = task->sched_info.last_arrival;
	c->delay_ns = task->sched_info.run_delay;
}

/* By the scheduler's clock, 0: not known. */
static __always_inline uint64_t queued_of(struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info) ? task->sched_info.last_queued : 0;
}

static __always_inline void learn_offset(struct watch_cpu_state *c, uint64_t came_ns)
{
	uint64_t offset_ns = came_ns - c->arrival_ns;
	int64_t more = (int64_t)(offset_ns - c->offset_ns);

	c->offset_ns =
		!c->offset_ns || more < 0 ? offset_ns : c->offset_ns + (more >> OFFSET_SHIFT);
}

/* It came unseen: exactly one arrival that is noted, and was perhaps woken unseen before that. */
static __always_inline void put_in(uint32_t t, uint32_t cpu, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	struct watch_thread *th = thread_of(t);
	uint64_t came = c->arrival_ns + c->offset_ns, woken;

	if (!c->arrival_ns || !c->offset_ns || c->arrivals_cnt != th->arrivals_cnt + 1) {
		record_count(t, RECORD_LOST);
		return;
	}
	came = clamp(came, th->since_ns, now);
	if (th->state == INTERFERENCE_BLOCKED) {
		woken = clamp(came - (c->delay_ns - th->delay_ns), th->since_ns, came);
		record_move(t, INTERFERENCE_WOKEN, cpu, woken);
		th->billed_ns = woken;
		th->idle_ns = 0;
	}
	th->busy = 1; /* somebody ran, or its events would have been seen */
	waiting_end(t, came);
	record_move(t, INTERFERENCE_RUNNING, cpu, came);
	record_count(t, RECORD_REPAIRED);
}

/*
 * Before a watched thread leaves: whether its coming was seen, and its leaving the last time.
 * `switches_cnt` is what the kernel shows in getrusage, this time included.
 */
__noinline int notes_compare(uint32_t t, uint32_t cpu, uint64_t switches_cnt, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	struct watch_thread *th = thread_of(t);

	if (th->switches_cnt != WATCH_NOT_NOTED && th->switches_cnt + 1 != switches_cnt)
		record_count(t, RECORD_LOST);
	th->switches_cnt = switches_cnt;
	if (th->state == INTERFERENCE_ENDED)
		return 0; /* how it came is nobody's concern */
	if (th->state == INTERFERENCE_RUNNING && c->arrival_ns)
		learn_offset(c, th->since_ns);
	else if (th->state != INTERFERENCE_RUNNING && th->state != INTERFERENCE_UNSEEN)
		put_in(t, cpu, now);
	th->arrivals_cnt = c->arrivals_cnt;
	th->delay_ns = c->delay_ns;
	return 0;
}

/* It comes, and was not seen to be woken. */
static __always_inline void notes_woken(uint32_t t, uint32_t cpu, uint64_t queued, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	struct watch_thread *th = thread_of(t);
	uint64_t woken;

	if (!queued || !c->offset_ns) {
		record_count(t, RECORD_LOST);
		return;
	}
	woken = clamp(queued + c->offset_ns, th->since_ns, now);
	record_move(t, INTERFERENCE_WOKEN, cpu, woken);
	th->billed_ns = woken;
	th->idle_ns = 0;
	th->busy = 1;
	record_count(t, RECORD_REPAIRED);
}
