/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * Who is to blame for a thread's waiting. While a watched thread waits on a CPU, every switch there
 * bills the time since the last one to the task that leaves. The list of a CPU's waiting threads is
 * protected by the lock of its run queue; a thread that was moved away meanwhile stays on it until the
 * next switch there, and what it waited elsewhere is nobody's.
 */
#include "tables.bpf.h"
#include "threads.bpf.h"

static __always_inline uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	if ((int64_t)(value - low) < 0)
		return low;
	return (int64_t)(high - value) < 0 ? high : value;
}

/* When the task that leaves came, by its notes; `now` if they do not tell. */
static __always_inline uint64_t notes_came(const struct watch_cpu_state *c, uint64_t now)
{
	return c->arrival_ns && c->offset_ns ? c->arrival_ns + c->offset_ns : now;
}

static __always_inline bool is_waiting(const struct watch_thread *th)
{
	return th->state == INTERFERENCE_PREEMPTED || th->state == INTERFERENCE_WOKEN;
}

static __always_inline void waiting_begin(uint32_t t, uint32_t cpu, uint64_t now)
{
	struct watch_thread *th = thread_of(t);
	struct watch_cpu_state *c = cpu_of(cpu);
	uint32_t at = c->waiters_cnt;

	th->wait_seq++;
	th->billed_ns = now;
	th->idle_ns = 0;
	th->busy = 0;
	if (at >= WATCH_WAITERS)
		return;
	if (!at)
		c->next_tid = 0; /* who runs there was not looked at */
	c->waiter[at].index = t;
	c->waiter[at].seq = th->wait_seq;
	c->waiters_cnt = at + 1;
}

static __always_inline void unknown(uint32_t lane, uint64_t span_ns)
{
	__sync_fetch_and_add(&watch_lane_of(lane)->unknown_ns, span_ns);
}

static __always_inline void waiting_end(uint32_t t, uint64_t now)
{
	struct watch_thread *th = thread_of(t);
	uint64_t unbilled = now - th->billed_ns;

	if (!unbilled || now < th->billed_ns)
		return;
	th->busy = 1; /* perhaps not, but nobody can tell */
	unknown(th->lane, unbilled);
}

/* The place of a process in the table of a lane; a new one is named. NULL: there is none free. */
static __always_inline struct watch_culprit *culprit_of(uint32_t lane, uint32_t pid)
{
	struct watch_culprit *all = state.culprit[lane & (INTERFERENCE_LANES - 1)];

	for (uint32_t i = 0; i < WATCH_PROBES; i++) {
		struct watch_culprit *known = &all[(pid + i) & (WATCH_PREEMPTORS - 1)];
		uint32_t owner = *(volatile uint32_t *)&known->pid;

		if (!owner)
			owner = __sync_val_compare_and_swap(&known->pid, 0, pid);
		if (!owner) {
			/* Who leaves is current still. Not by plain loads: kernels since 6.4 look
			 * up type names for each of these when they verify. */
			struct task_struct *leaver = (void *)bpf_get_current_task();

			BPF_CORE_READ_STR_INTO(&known->comm, leaver, group_leader, comm);
		}
		if (!owner || owner == pid)
			return known;
	}
	return NULL;
}

/* Bills the process that leaves a CPU. */
__noinline int culprit_add(uint32_t lane, uint32_t pid, uint64_t span_ns)
{
	struct watch_culprit *known = culprit_of(lane, pid);

	if (known) {
		__sync_fetch_and_add(&known->time_ns, span_ns);
		__sync_fetch_and_add(&known->cnt, 1);
	} else {
		unknown(lane, span_ns);
	}
	return 0;
}

/*
 * One waiting thread; true: it goes on waiting here. The task that leaves has been there since
 * `came`, or for all that is unbilled if that is earlier.
 */
__noinline int bill_one(uint32_t cpu, uint32_t i, uint64_t came, uint32_t next_tid, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	struct watch_waiter w = c->waiter[i & (WATCH_WAITERS - 1)];
	struct watch_thread *th = thread_of(w.index);

	if (!threads_current(th) || th->wait_seq != w.seq || !is_waiting(th))
		return 0;
	came = clamp(came, th->billed_ns, now);
	if (came != th->billed_ns) {
		th->busy = 1;
		unknown(th->lane, came - th->billed_ns);
	}
	th->billed_ns = now;
	if (!c->leaver_pid) {
		th->idle_ns += now - came;
	} else {
		bool own = c->leaver_lane == th->lane + 1;

		th->busy = 1;
		culprit_add(th->lane, own ? WATCH_OWN : c->leaver_pid, now - came);
	}
	return th->tid != next_tid;
}

__noinline int waiting_bill(uint32_t cpu, uint32_t prev_tid, uint32_t next_tid, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	uint32_t cnt = c->waiters_cnt, kept = 0;
	uint64_t came = 0;

	/* It was not seen to come: others were there before it, and when it came is in its notes. */
	if (c->next_tid && c->next_tid != prev_tid)
		came = notes_came(c, now);
	for (uint32_t i = 0; i < WATCH_WAITERS; i++) {
		if (i >= cnt)
			break;
		if (!bill_one(cpu, i, came, next_tid, now))
			continue;
		c->waiter[kept & (WATCH_WAITERS - 1)] = c->waiter[i];
		kept++;
	}
	c->waiters_cnt = kept;
	return 0;
}

/* The thread that was running here has left unseen. */
__noinline int running_missed(uint32_t cpu, uint64_t now)
{
	struct watch_cpu_state *c = cpu_of(cpu);
	uint32_t t = c->running - 1;
	const struct watch_thread *th = thread_of(t);

	c->running = 0;
	if (!threads_current(th) || th->state != INTERFERENCE_RUNNING || th->cpu != cpu)
		return 0;
	c->broken_cnt++;
	record_count(t, RECORD_LOST);
	return record_move(t, INTERFERENCE_UNSEEN, cpu, now);
}
