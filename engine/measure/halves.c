/* SPDX-License-Identifier: BSD-2-Clause */
#include "halves.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include "unwaited.h"
#include "values.h"

#define FOREIGN_SHARE                                                                              \
	0.01 /* of the window's CPU time: less is a timer or a library's housekeeping */

/* Which value of which group is which metric. */
static const struct counted {
	enum metric_id id;
	enum frame_group_role group;
	unsigned event; /* in its set */
} counted[] = {
	{METRIC_INSTRUCTIONS, GROUP_HARDWARE, PERF_HW_INSTRUCTIONS},
	{METRIC_CYCLES, GROUP_HARDWARE, PERF_HW_CYCLES},
	{METRIC_BRANCH_MISSES, GROUP_MISSES, PERF_MISSES_BRANCH},
	{METRIC_CACHE_MISSES, GROUP_MISSES, PERF_MISSES_CACHE},
};

/* What only the record of interference knows. */
static const struct seen {
	enum metric_id id;
	size_t offset; /* in struct frame_seen */
} seen[] = {
	{METRIC_BLOCKED, offsetof(struct frame_seen, blocked_ns)},
	{METRIC_MIGRATIONS, offsetof(struct frame_seen, migrations)},
	{METRIC_WAITING, offsetof(struct frame_seen, waiting_ns)},
	{METRIC_WAKEUP, offsetof(struct frame_seen, wakeup_ns)},
	{METRIC_INTERRUPTS, offsetof(struct frame_seen, interrupts_ns)},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void half_lacks(struct rec_half *h, struct rec_bench *b, enum metric_id id, enum reason why)
{
	h->value[id] = NAN;
	if (b->metric[id].missing == why)
		return; /* the benchmark says it for all halves */
	h->missing[id] = why;
	if (b->metric[id].missing == REASON_NONE && metric_get(id)->judge != JUDGE_NEVER)
		b->metric[id].missing = why;
}

/* REASON_NONE when the group counted during the whole window. */
static enum reason group_problem(const struct half_source *src, const struct frame_sample *f,
				 enum frame_group_role role)
{
	const struct frame_reading *r = &f->group[role];

	if (!src->worker->group[role].cnt)
		return src->worker->group_missing[role];
	if (!r->valid) /* 0 bytes: thrown off the PMU */
		return perf_explain("", REASON_PERF_BUSY, 0);
	if (r->running_ns >= r->enabled_ns)
		return REASON_NONE;
	return src->core_type ? REASON_HYBRID_CORES : REASON_MULTIPLEXED;
}

/* The place of event number `event` of its set in the group; -1: it was left out. */
static int place_of(const struct perf_group *g, unsigned event)
{
	for (unsigned i = 0; i < g->cnt; i++)
		if (g->event[i] == event)
			return (int)i;
	return -1;
}

static void fill_counted(struct rec_half *h, const struct frame_sample *f, struct rec_bench *b,
			 const struct half_source *src)
{
	double iterations = (double)f->n * f->k;

	for (size_t i = 0; i < COUNT(counted); i++) {
		const struct counted *c = &counted[i];
		enum reason why = group_problem(src, f, c->group);
		int at = place_of(&src->worker->group[c->group], c->event);

		if (why == REASON_NONE && at < 0)
			why = REASON_PERF_FEW;
		/* No window is without instructions: the counter fails in silence. */
		if (why == REASON_NONE && c->id == METRIC_INSTRUCTIONS &&
		    !f->group[c->group].value[at])
			why = REASON_COUNTER_MISMATCH;
		if (why == REASON_NONE)
			h->value[c->id] = (double)f->group[c->group].value[at] / iterations;
		else
			half_lacks(h, b, c->id, why);
	}
}

static void fill_events(struct rec_half *h, const struct frame_sample *f,
			const struct half_source *src)
{
	double iterations = (double)f->n * f->k;

	for (size_t i = 0; src->events && i < src->events->cnt; i++) {
		enum frame_group_role role =
			(enum frame_group_role)(GROUP_EVENTS + i / PERF_GROUP_MAX);

		if (group_problem(src, f, role) == REASON_NONE)
			h->event[src->events->index[i]] =
				(double)f->group[role].value[i % PERF_GROUP_MAX] / iterations;
	}
}

void half_fill_seen(struct rec_half *h, const struct frame_seen *f, double iterations,
		    struct rec_bench *b)
{
	for (size_t i = 0; i < COUNT(seen); i++) {
		const uint64_t *value = (const void *)((const char *)f + seen[i].offset);
		bool waiting = f->state == SEEN_WAITING && seen[i].id == METRIC_WAITING;

		if (f->state == SEEN_ALL || waiting)
			h->value[seen[i].id] = (double)*value / iterations;
		else if (f->state == SEEN_LOST)
			half_lacks(h, b, seen[i].id, REASON_EVENTS_LOST);
	}
}

void half_lose_seen(struct rec_half *h, struct rec_bench *b)
{
	for (size_t i = 0; i < COUNT(seen); i++)
		if (!isnan(h->value[seen[i].id]))
			half_lacks(h, b, seen[i].id, REASON_EVENTS_LOST);
}

/* Whether the CPU times are those of all the work. */
static enum reason cpu_problem(const struct frame_sample *f)
{
	double used = (double)(f->cpu_after_ns - f->cpu_before_ns);

	if (f->cpu == CPU_UNKNOWN)
		return REASON_THREADS_UNSEEN;
	if ((double)f->foreign_cpu_ns > used * FOREIGN_SHARE)
		return REASON_UNDECLARED_THREADS;
	return REASON_NONE;
}

static void check_cpu(struct rec_half *h, const struct frame_sample *f, struct rec_bench *b)
{
	enum reason why = cpu_problem(f);

	if (why == REASON_NONE)
		return;
	half_lacks(h, b, METRIC_CPU, why);
	if (h->slices > 1)
		half_lacks(h, b, METRIC_CPU_TOTAL, why);
	/* A group of one thread misses what the others do, too. */
	for (size_t i = 0; why == REASON_UNDECLARED_THREADS && i < COUNT(counted); i++)
		if (!isnan(h->value[counted[i].id]))
			half_lacks(h, b, counted[i].id, why);
}

void half_check_unwaited(struct rec_half *h, struct rec_bench *b, double unwaited_ns,
			 uint64_t ended_cnt)
{
	if (unwaited_is_work(unwaited_ns, h->cpu_ns[0], ended_cnt))
		half_lacks(h, b, METRIC_CPU, REASON_UNWAITED_PROCESSES);
}

static double known(uint64_t ns)
{
	return ns == UINT64_MAX ? NAN : (double)ns;
}

static int fill_threads(struct rec_half *h, const struct frame_sample *f)
{
	int err = f->threads_cnt ? rec_half__reserve_threads(h, f->threads_cnt) : 0;

	for (size_t i = 0; !err && i < f->threads_cnt; i++)
		h->threads[i] = (struct rec_thread){
			.cpu_ns = known(f->thread[i].cpu_ns),
			.running_ns = known(f->thread[i].running_ns),
			.waiting_ns = known(f->thread[i].waiting_ns),
			.blocked_ns = known(f->thread[i].blocked_ns),
		};
	return err;
}

int half_fill(struct rec_half *h, const struct frame_sample *f, struct rec_bench *b,
	      const struct half_source *src)
{
	double iterations = (double)f->n * f->k;

	h->slices = f->k;
	for (uint32_t i = 0; i < f->k; i++) {
		h->cpu_ns[i] = (double)f->cpu_ns[i];
		h->wall_ns[i] = (double)f->wall_ns[i];
	}
	values_from_slices(h, f->n);
	h->value[METRIC_PAGE_FAULTS] = (double)(f->minor_faults + f->major_faults) / iterations;
	h->value[METRIC_VOLUNTARY_SWITCHES] = (double)f->voluntary / iterations;
	h->value[METRIC_INVOLUNTARY_SWITCHES] = (double)f->involuntary / iterations;
	fill_counted(h, f, b, src);
	fill_events(h, f, src);
	half_fill_seen(h, &f->seen, iterations, b);
	check_cpu(h, f, b);
	return fill_threads(h, f);
}

void half_fix_missing(struct rec_bench *b, const struct perf_tiers *tiers,
		      enum interference_source recorded)
{
	bool command = b->kind == BENCH_COMMAND;

	for (size_t i = 0; i < COUNT(counted); i++) {
		enum reason why = counted[i].group == GROUP_HARDWARE ? tiers->hw : tiers->misses;

		if (counted[i].id == METRIC_CYCLES && why == REASON_NONE && tiers->hw_events < 2)
			why = REASON_PERF_FEW;
		b->metric[counted[i].id].missing = command ? REASON_NOT_FOR_COMMANDS : why;
	}
	for (size_t i = 0; i < COUNT(seen); i++) {
		/* /proc tells how long one thread waited, and nothing else; it goes with a command */
		bool told = recorded == INTERFERENCE_BPF ||
			    (seen[i].id == METRIC_WAITING && b->threads == 1 && !command);

		b->metric[seen[i].id].missing = told ? REASON_NONE : REASON_NO_BPF;
	}
	if (b->k == 1)
		b->metric[METRIC_CPU_TOTAL].missing = REASON_ONE_SLICE;
}
