/* SPDX-License-Identifier: BSD-2-Clause */
#include "crosscheck.h"
#include <errno.h>

/*
 * The thread clock and task-clock differ by 2 to 3 us per switch (kernel.md 2.6), and each of them is
 * read a little before or after the other.
 */
#define CPU_SHARE     1.01
#define CPU_SWITCH_NS 4000
#define CPU_ENDS_NS   50000

void crosscheck__begin(struct crosscheck *c, const struct worker *w, struct rec_check *ret)
{
	int err;

	*c = (struct crosscheck){0};
	ret->missing = w->sw_missing;
	if (ret->missing != REASON_NONE)
		return;
	err = perf_group__read(&w->sw, &c->from);
	if (err)
		ret->missing = err == -EBADF ? REASON_PERF_FORBIDDEN : perf_reason(err);
}

void crosscheck__add(struct crosscheck *c, const struct frame_sample *f)
{
	if (f->cpu != CPU_UNKNOWN)
		c->cpu_ns += (double)(f->cpu_after_ns - f->cpu_before_ns);
	c->faults += (double)(f->minor_faults + f->major_faults);
	c->switches += (double)(f->voluntary + f->involuntary);
	if (f->seen.state == SEEN_ALL)
		c->migrations += (double)f->seen.migrations;
}

static void disbelieve(struct rec_bench *b, enum metric_id id)
{
	if (b->metric[id].missing == REASON_NONE)
		b->metric[id].missing = REASON_COUNTER_MISMATCH;
}

bool crosscheck_agrees(const struct crosscheck *c, const struct rec_check *kernel,
		       struct rec_bench *b)
{
	double cpu_most =
		kernel->task_clock_ns * CPU_SHARE + kernel->switches * CPU_SWITCH_NS + CPU_ENDS_NS;
	bool cpu = c->cpu_ns <= cpu_most, faults = c->faults <= kernel->page_faults;
	bool switches = c->switches <= kernel->switches;

	if (!cpu) {
		disbelieve(b, METRIC_CPU);
		disbelieve(b, METRIC_CPU_TOTAL);
	}
	if (!faults)
		disbelieve(b, METRIC_PAGE_FAULTS);
	if (!switches)
		disbelieve(b, METRIC_VOLUNTARY_SWITCHES);
	return cpu && faults && switches && c->migrations <= kernel->migrations;
}

void crosscheck__end(const struct crosscheck *c, const struct worker *w, struct rec_bench *b,
		     struct rec_check *ret)
{
	struct perf_reading to;
	int err;

	if (ret->missing != REASON_NONE)
		return;
	err = perf_group__read(&w->sw, &to);
	if (err) {
		ret->missing = perf_reason(err);
		return;
	}
	perf_check_fill(ret, &c->from, &to);
	if (ret->missing == REASON_NONE && !crosscheck_agrees(c, ret, b))
		ret->missing = REASON_COUNTER_MISMATCH;
}
