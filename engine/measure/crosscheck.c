/* SPDX-License-Identifier: BSD-2-Clause */
#include "crosscheck.h"
#include <errno.h>
#include <math.h>
#include <time.h>

/*
 * Of a process whose other threads run the clock lags theirs, by a tick each at most (of 10 ms:
 * CONFIG_HZ is 100 at least). task-clock is no measure here: it differs from the clocks by 2
 * to 40 us in every switch, most of all on virtual machines.
 */
#define TICK_NS 10000000.0

/*
 * What a worker does beside its windows, for each of them: it answers, reads its counters and waits.
 * That is 30 us at most; of a worker that claims less than half of what then remains the clock is
 * wrong, or it speaks the protocol in other units. Of one block that proves nothing: on a virtual
 * machine whose CPU is taken away between two windows the clock of the process runs on (13 ms beside
 * 2 ms of windows were seen, once in 7000 workers). A wrong clock is wrong in each of them.
 */
#define BESIDE_NS    200000.0
#define LEAST_CLAIM  0.5
#define LEAST_BLOCKS 3

static uint64_t process_ns(pid_t pid)
{
	struct timespec ts = {0};
	clockid_t id;

	if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &ts))
		return 0; /* it is gone: then nothing can be said */
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* NaN: not known, for that takes a group of version 2. */
static double leaf_ns(const struct worker *w)
{
	double ns;

	return cgroup_leaf__cpu_ns(w->child.leaf, &ns) ? NAN : ns;
}

void crosscheck__begin(struct crosscheck *c, const struct worker *w, struct rec_check *ret)
{
	int err;

	/* the group last, and first in the end: in between lies what is the worker's in both */
	*c = (struct crosscheck){.process_ns = process_ns(w->child.pid)};
	c->leaf_ns = leaf_ns(w);
	ret->missing = w->sw_missing;
	if (ret->missing != REASON_NONE)
		return;
	err = perf_group__read(&w->sw, &c->from);
	if (err)
		ret->missing = err == -EBADF ? REASON_PERF_FORBIDDEN : perf_reason(err);
}

void crosscheck__add(struct crosscheck *c, const struct frame_sample *f)
{
	if (f->cpu != CPU_UNKNOWN) {
		c->cpu_ns += (double)(f->cpu_after_ns - f->cpu_before_ns);
		c->windows++;
	}
	c->waited_ns += (double)f->foreign_cpu_ns;
	c->faults += (double)(f->minor_faults + f->major_faults);
	c->switches += (double)(f->voluntary + f->involuntary);
	if (f->seen.state == SEEN_ALL)
		c->migrations += (double)f->seen.migrations;
}

static void give_up(struct rec_bench *b, enum metric_id id, enum reason why)
{
	if (b->metric[id].missing == REASON_NONE)
		b->metric[id].missing = why;
}

static void disbelieve(struct rec_bench *b, enum metric_id id)
{
	give_up(b, id, REASON_COUNTER_MISMATCH);
}

static void disbelieve_times(struct rec_bench *b)
{
	disbelieve(b, METRIC_CPU);
	disbelieve(b, METRIC_CPU_TOTAL);
}

/*
 * A reading of the process's clock may lack a tick of what runs on another CPU just then, such as the
 * start of a worker that has said that it is ready and does not sleep yet. That of perf asks that CPU;
 * but it has too much where others take the CPU away often: 18 ms in 443 switches were seen on a virtual
 * machine.
 */
static double used_at_least_ns(const struct rec_check *kernel)
{
	if (isnan(kernel->task_clock_ns))
		return kernel->cpu_ns - TICK_NS;
	return fmin(kernel->task_clock_ns, kernel->cpu_ns);
}

double crosscheck_claimed(const struct crosscheck *c, const struct rec_check *kernel)
{
	double own_ns = used_at_least_ns(kernel) - BESIDE_NS * (double)c->windows;

	if (!c->windows || isnan(own_ns))
		return NAN;
	return own_ns > c->cpu_ns ? c->cpu_ns / own_ns : 1;
}

bool crosscheck_claims_enough(const struct rec_bench *b, enum side side)
{
	size_t few = 0, known = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		double claimed = b->blocks[i].check[side].claimed;

		known += !isnan(claimed);
		few += claimed < LEAST_CLAIM;
	}
	return few < LEAST_BLOCKS || 2 * few <= known;
}

bool crosscheck_sees_all(const struct crosscheck *c, double leaf_ns, double process_ns,
			 uint64_t ended_cnt)
{
	return !unwaited_is_work(leaf_ns - process_ns - c->waited_ns, process_ns, ended_cnt);
}

bool crosscheck_agrees(const struct crosscheck *c, const struct rec_check *kernel,
		       struct rec_bench *b)
{
	double lag = b->threads > 1 ? TICK_NS * (double)b->threads : 0;
	bool cpu = !(c->cpu_ns > kernel->cpu_ns + lag); /* NaN: it cannot be told */
	bool faults = c->faults <= kernel->page_faults;
	bool switches = c->switches <= kernel->switches;

	if (!cpu)
		disbelieve_times(b);
	if (!faults)
		disbelieve(b, METRIC_PAGE_FAULTS);
	if (!switches)
		disbelieve(b, METRIC_VOLUNTARY_SWITCHES);
	return cpu && faults && switches && c->migrations <= kernel->migrations;
}

static void read_kernel(const struct crosscheck *c, const struct worker *w, struct rec_check *ret)
{
	struct perf_reading to;
	int err = perf_group__read(&w->sw, &to);

	if (err)
		ret->missing = perf_reason(err);
	else
		perf_check_fill(ret, &c->from, &to);
}

static void check_group(const struct crosscheck *c, struct rec_bench *b, double leaf_ns,
			double process_ns, uint64_t ended_cnt)
{
	if (ended_cnt == ENDS_UNKNOWN) {
		if (b->threads > 1) /* each iteration may end some */
			return;
		ended_cnt = 0;
	}
	if (crosscheck_sees_all(c, leaf_ns, process_ns, ended_cnt))
		return;
	give_up(b, METRIC_CPU, REASON_UNWAITED_PROCESSES);
	give_up(b, METRIC_CPU_TOTAL, REASON_UNWAITED_PROCESSES);
}

void crosscheck__end(const struct crosscheck *c, const struct worker *w, uint64_t ended_cnt,
		     struct rec_bench *b, struct rec_block *blk, enum side side)
{
	double used_ns = leaf_ns(w) - c->leaf_ns;
	uint64_t now_ns = process_ns(w->child.pid);
	struct rec_check *check = &blk->check[side];

	if (now_ns && c->process_ns)
		check->cpu_ns = (double)(now_ns - c->process_ns);
	check_group(c, b, used_ns, check->cpu_ns, ended_cnt);
	if (check->missing == REASON_NONE)
		read_kernel(c, w, check);
	check->claimed = crosscheck_claimed(c, check);
	if (!crosscheck_claims_enough(b, side))
		disbelieve_times(b);
	if (check->missing == REASON_NONE && !crosscheck_agrees(c, check, b))
		check->missing = REASON_COUNTER_MISMATCH;
}
