// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Follows the threads of watched processes through the scheduler: every switch, wake-up and
 * interrupt moves a thread from one state (bpf/interference.h) to the next, and the time between goes
 * to the state it leaves. Unwatched tasks cost a look at two bits.
 */
#include "kernel.bpf.h"
#include "interference.h"
#include "watch_private.h"
#include "tables.bpf.h"
#include "record.bpf.h"
#include "threads.bpf.h"
#include "waiting.bpf.h"
#include "notes.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* A watched thread leaves its CPU, for one of three states; `dead`: it never comes back. */
__noinline int leave(uint32_t t, uint32_t state, uint32_t cpu, bool dead, uint64_t now)
{
	if (thread_of(t)->state != INTERFERENCE_ENDED)
		record_move(t, state, cpu, now);
	if (state == INTERFERENCE_ENDED)
		record_count(t, RECORD_LATE);
	if (dead)
		threads_remove(t);
	else if (state == INTERFERENCE_PREEMPTED)
		waiting_begin(t, cpu, now);
	return 0;
}

__noinline int enter(uint32_t t, uint32_t cpu, uint64_t queued, uint64_t now)
{
	struct watch_thread *th = thread_of(t);

	if (th->state == INTERFERENCE_RUNNING)
		record_count(t, RECORD_LOST);
	else if (th->state == INTERFERENCE_BLOCKED)
		notes_woken(t, cpu, queued, now);
	if (is_waiting(th))
		waiting_end(t, now);
	return record_move(t, INTERFERENCE_RUNNING, cpu, now);
}

/*
 * Its parent may know of its end already, and wait for it no longer: what is left is work of the
 * kernel's. Other threads than the first have an end of their own, at which their counts are handed on.
 */
static __always_inline bool has_ended(struct task_struct *task)
{
	return task->exit_state && (task->pid == task->tgid || !task->sighand);
}

/*
 * `preempt` marks only preemption inside the kernel; whoever leaves with state 0 is runnable as
 * well (kernel: nivcsw counts both). A task with a signal pending is made runnable again after its
 * state was read: before 6.15 only the task itself shows it.
 */
static uint32_t state_after(bool preempt, struct task_struct *prev, uint32_t prev_state)
{
	if (has_ended(prev) || prev_state & KERNEL_TASK_DEAD)
		return INTERFERENCE_ENDED;
	if (preempt || !prev_state)
		return INTERFERENCE_PREEMPTED;
	return prev->__state ? INTERFERENCE_BLOCKED : INTERFERENCE_PREEMPTED;
}

static int switched(bool preempt, struct task_struct *prev, struct task_struct *next,
		    uint32_t prev_state)
{
	uint32_t prev_tid = prev->pid, next_tid = next->pid;
	uint32_t cpu = prev->thread_info.cpu & (WATCH_MAX_CPUS - 1), p, n;
	struct watch_cpu_state *c = cpu_of(cpu);
	uint64_t now;

	if (!threads_maybe(prev_tid) && !threads_maybe(next_tid) && !c->running && !c->waiters_cnt)
		return 0;
	p = threads_find(prev_tid);
	n = threads_find(next_tid);
	if (p == NOT_WATCHED && n == NOT_WATCHED && !c->running && !c->waiters_cnt)
		return 0;
	now = bpf_ktime_get_ns();
	if (c->running && c->running != p + 1)
		running_missed(cpu, now);
	read_notes(c, prev);
	if (p != NOT_WATCHED)
		notes_compare(p, cpu, prev->nvcsw + prev->nivcsw, now);
	if (c->waiters_cnt) {
		c->leaver_pid = prev->tgid;
		c->leaver_lane = p == NOT_WATCHED ? 0 : thread_of(p)->lane + 1;
		waiting_bill(cpu, prev_tid, next_tid, now);
	}
	if (p != NOT_WATCHED)
		leave(p, state_after(preempt, prev, prev_state), cpu,
		      !preempt && prev_state & KERNEL_TASK_DEAD, now);
	if (n != NOT_WATCHED && thread_of(n)->state == INTERFERENCE_ENDED)
		n = NOT_WATCHED; /* it comes only to be taken apart */
	if (n != NOT_WATCHED)
		enter(n, cpu, queued_of(next), now);
	c->running = n + 1;
	c->irq_depth = 0;
	c->next_tid = next_tid;
	return 0;
}

SEC("tp_btf/sched_switch")
int on_switch(uint64_t *ctx)
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	uint32_t state;

	if (bpf_core_type_exists(btf_trace_sched_switch))
		state = ctx[3];
	else
		state = prev->__state;
	return switched(ctx[0], prev, next, state);
}

static __always_inline int woken(uint32_t tid, uint32_t cpu)
{
	uint32_t t = threads_find(tid);
	const struct watch_thread *th = thread_of(t);
	uint64_t now;

	if (t == NOT_WATCHED)
		return 0;
	/* Also seen of tasks that never left the CPU: they were about to, and now need not. */
	if (th->state != INTERFERENCE_BLOCKED && th->state != INTERFERENCE_UNSEEN)
		return 0;
	now = bpf_ktime_get_ns();
	record_move(t, INTERFERENCE_WOKEN, cpu, now);
	waiting_begin(t, cpu, now);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int on_wakeup(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];

	return woken(task->pid, task->thread_info.cpu);
}

/*
 * From here on "raw_tp": what happens seldom, or needs no member of a task. Such a program knows no
 * types, so that it is looked up nowhere when it is loaded, and one is enough for several tracepoints.
 */
SEC("raw_tp")
int on_wakeup_new(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];

	return woken(BPF_CORE_READ(task, pid), BPF_CORE_READ(task, thread_info.cpu));
}

/* In the parent, before the child can run. */
SEC("raw_tp")
int on_newtask(uint64_t *ctx)
{
	uint32_t parent = threads_find((uint32_t)bpf_get_current_pid_tgid());
	const struct task_struct *task = (void *)ctx[0];
	uint64_t flags = ctx[1];
	uint32_t lane;

	if (parent == NOT_WATCHED)
		return 0;
	lane = thread_of(parent)->lane & (INTERFERENCE_LANES - 1);
	if (flags & KERNEL_CLONE_THREAD || watch_lane_of(lane)->follow)
		threads_add(BPF_CORE_READ(task, pid), lane, bpf_ktime_get_ns());
	return 0;
}

/* The task itself still runs for a while; its number may be given away before its last switch. */
SEC("raw_tp")
int on_exit(uint64_t *ctx)
{
	uint32_t tid = (uint32_t)bpf_get_current_pid_tgid(), t = threads_find(tid);

	if (t != NOT_WATCHED)
		thread_of(t)->exiting = 1;
	else if (threads_maybe(tid))
		threads_forget(tid);
	return 0;
}

static __always_inline int irq_begin(uint32_t kind)
{
	struct watch_cpu_state *c = cpu_of(bpf_get_smp_processor_id());

	if (!c->running || c->irq_depth++)
		return 0;
	c->irq_kind = kind;
	c->irq_start_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int irq_end(void)
{
	struct watch_cpu_state *c = cpu_of(bpf_get_smp_processor_id());

	if (!c->running || !c->irq_depth || --c->irq_depth)
		return 0;
	record_irq(c->running - 1, c->irq_kind, bpf_ktime_get_ns() - c->irq_start_ns);
	return 0;
}

/*
 * A program that is running on a CPU is skipped when it is called there again. Between the interrupts
 * of hardware that cannot be: none comes while another is handled, so they share their end. Soft
 * interrupts are interrupted by those.
 */
#define IRQ(name, what)                                                                            \
	SEC("raw_tp")                                                                              \
	int name(uint64_t *ctx)                                                                    \
	{                                                                                          \
		return what;                                                                       \
	}

IRQ(timer_begin, irq_begin(INTERFERENCE_TIMER))
IRQ(vector_begin, irq_begin(INTERFERENCE_VECTOR))
IRQ(device_begin, irq_begin(INTERFERENCE_DEVICE))
IRQ(hard_end, irq_end())
IRQ(softirq_begin, irq_begin(INTERFERENCE_SOFTIRQ))
IRQ(softirq_end, irq_end())

SEC("raw_tp")
int on_frequency(uint64_t *ctx)
{
	struct watch_cpu_state *c = cpu_of((uint32_t)ctx[1]);

	c->frequency_khz = ctx[0];
	__sync_fetch_and_add(&c->frequency_cnt, 1);
	if (c->running)
		record_count(c->running - 1, RECORD_FREQUENCY);
	return 0;
}

/* Run by the engine; everything that needs a clean start happens in the kernel, where no event of a
 * thread can come between: the maps that others read are frozen. */
SEC("syscall")
int control(struct watch_request *rq)
{
	uint32_t lane = rq->lane & (INTERFERENCE_LANES - 1);

	if (rq->op == WATCH_OP_EMPTY) {
		watch_lane_of(lane)->follow = rq->follow;
		rq->generation = record_empty(lane);
	}
	if (rq->op == WATCH_OP_RELEASE)
		watch_lane_of(lane)->generation = 0;
	if (rq->op == WATCH_OP_ADD)
		return threads_add(rq->tid, lane, 0);
	return 0;
}

/* The number of a task in the namespace that is looked for, 0: it has none there. */
static uint32_t number_in(struct task_struct *task, uint32_t inode)
{
	struct pid *pid = BPF_CORE_READ(task, group_leader, thread_pid);
	uint32_t level = BPF_CORE_READ(pid, level);

	for (uint32_t i = 0; i < 32; i++) {
		const char *at = (const char *)pid + bpf_core_field_offset(pid->numbers) +
				 i * bpf_core_type_size(struct upid);
		const struct upid *number = (const void *)at;

		if (i > level)
			break;
		if (BPF_CORE_READ(number, ns, ns.inum) == inode)
			return BPF_CORE_READ(number, nr);
	}
	return 0;
}

/* Enrols a process that the engine knows by another number than the scheduler does. */
SEC("iter/task")
int find(struct bpf_iter__task *ctx)
{
	const struct watch_wanted *wanted = &state.wanted;
	struct task_struct *task = ctx->task;

	if (!task || number_in(task, wanted->namespace_inode) != wanted->pid)
		return 0;
	if (!threads_add(task->pid, wanted->lane & (INTERFERENCE_LANES - 1), 0))
		state.wanted.found_cnt++;
	return 0;
}
