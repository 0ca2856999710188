/* SPDX-License-Identifier: BSD-2-Clause */
#include "counters.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SCHEDSTAT "/proc/thread-self/schedstat"

void joust_sources__init(struct joust_sources *s, bool several)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		s->group[i].fd = -1;
	s->schedstat_fd = -1;
	joust_peak__take(&s->peak, PEAK_KIND_NONE, NULL);
	s->several = several;
}

static size_t descriptors_of(const struct frame_group *g)
{
	if (!g->values)
		return 0;
	return g->user_read ? g->values : 1;
}

/* A counter that cannot be mapped is read by read(), with its whole group. */
static void take_group(struct joust_group *g, const struct frame_group *f, const int *fds)
{
	g->values = f->values;
	g->fd = fds[0];
	g->user_read = f->user_read == 1;
	for (uint32_t i = 0; f->user_read && i < f->values; i++) {
		if (joust_userread_map(&g->counter[i], fds[i]) < 0)
			g->user_read = false;
		if (i > 0)
			(void)close(fds[i]); /* the mapping holds the counter */
	}
}

int joust_sources__take(struct joust_sources *s, const struct frame_open *o, const int *fds,
			size_t fds_cnt)
{
	size_t due = (o->lane ? 1 : 0) + joust_peak_fds(o->peak);

	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++) {
		if (o->group[i].values > PROTOCOL_VALUES_MAX || o->group[i].user_read > 1)
			return -1;
		due += descriptors_of(&o->group[i]);
	}
	if (due != fds_cnt || o->lane > 1 || o->schedstat > 1 || o->peak >= PEAK_KIND_CNT)
		return -1;
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++) {
		if (o->group[i].values)
			take_group(&s->group[i], &o->group[i], fds);
		fds += descriptors_of(&o->group[i]);
	}
	if (o->lane) {
		s->lane = joust_interference_map(fds[0]);
		(void)close(fds[0]); /* the mapping holds the record */
	}
	joust_peak__take(&s->peak, o->peak, fds + o->lane);
	if (o->schedstat && !s->several)
		s->schedstat_fd = open(SCHEDSTAT, O_RDONLY | O_CLOEXEC);
	return 0;
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

/* No clock of this process has it. Only the sum is exact: the split is sampled by the tick. */
static void read_children(struct joust_counters *c)
{
	struct rusage u = {0};

	(void)getrusage(RUSAGE_CHILDREN, &u); /* cannot fail */
	c->children_ns = timeval_ns(&u.ru_utime) + timeval_ns(&u.ru_stime);
}

/* Of the process: the record of interference has all threads too, also those nobody declared. */
static void read_usage(struct joust_counters *c)
{
	struct rusage u = {0};

	(void)getrusage(RUSAGE_SELF, &u); /* cannot fail */
	c->minor_faults = (uint64_t)u.ru_minflt;
	c->major_faults = (uint64_t)u.ru_majflt;
	c->voluntary = (uint64_t)u.ru_nvcsw;
	c->involuntary = (uint64_t)u.ru_nivcsw;
}

/* "run-ns wait-ns slices": the second number. */
static void read_waiting(const struct joust_sources *s, struct joust_counters *c)
{
	char text[64];
	ssize_t n = s->schedstat_fd >= 0 ? pread(s->schedstat_fd, text, sizeof(text), 0) : -1;
	ssize_t i = 0;

	c->waiting_ns = 0;
	while (i < n && text[i] != ' ')
		i++;
	c->waiting_valid = i + 1 < n;
	for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		c->waiting_ns = c->waiting_ns * 10 + (uint64_t)(text[i] - '0');
}

static bool read_in_user_space(const struct joust_group *g, struct frame_reading *r)
{
	if (!g->user_read)
		return false;
	for (uint32_t i = 0; i < g->values; i++)
		if (joust_userread(&g->counter[i], &r->value[i], &r->enabled_ns, &r->running_ns) <
		    0)
			return false;
	return true;
}

static bool read_by_call(const struct joust_group *g, struct frame_reading *r)
{
	uint64_t buf[3 + PROTOCOL_VALUES_MAX] = {0}; /* nr, enabled, running, value[nr] */
	size_t want = (3 + g->values) * sizeof(*buf);

	/* 0 bytes: a pinned group that was thrown off the PMU */
	if (read(g->fd, buf, want) != (ssize_t)want || buf[0] != g->values)
		return false;
	r->enabled_ns = buf[1];
	r->running_ns = buf[2];
	memcpy(r->value, &buf[3], sizeof(r->value));
	return true;
}

static void read_group(const struct joust_group *g, struct frame_reading *r)
{
	r->valid = 0;
	if (g->values)
		r->valid = read_in_user_space(g, r) || read_by_call(g, r);
}

static void read_lane(const struct joust_sources *s, struct joust_counters *c)
{
	struct timespec ts = {0};
	uint64_t now_ns;

	c->seen_valid = false;
	if (!s->lane)
		return;
	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	now_ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	c->seen_valid = joust_interference_read_own(s->lane, 0, now_ns, &c->seen) == 0;
}

void joust_counters_before(const struct joust_sources *s, struct joust_counters *ret)
{
	read_waiting(s, ret);
	read_children(ret);
	/* side by side: the one is held against the other */
	read_usage(ret);
	read_lane(s, ret);
	for (size_t i = PROTOCOL_GROUPS_MAX; i-- > 0;)
		read_group(&s->group[i], &ret->group[i]);
}

void joust_counters_after(const struct joust_sources *s, struct joust_counters *ret)
{
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		read_group(&s->group[i], &ret->group[i]);
	read_lane(s, ret);
	read_usage(ret);
	read_children(ret);
	read_waiting(s, ret);
}

static void fill_group(const struct frame_reading *from, const struct frame_reading *to,
		       struct frame_reading *ret)
{
	ret->valid = from->valid && to->valid;
	if (!ret->valid)
		return;
	ret->enabled_ns = to->enabled_ns - from->enabled_ns;
	ret->running_ns = to->running_ns - from->running_ns;
	for (size_t i = 0; i < PROTOCOL_VALUES_MAX; i++)
		ret->value[i] = to->value[i] - from->value[i];
}

static uint64_t sum_of(const uint64_t *x, size_t n)
{
	uint64_t sum = 0;

	while (n-- > 0)
		sum += x[n];
	return sum;
}

/* May wrap: only whether it stays the same matters. */
static uint64_t switches_ahead(const struct joust_counters *c)
{
	return c->seen.sum.entries_cnt[INTERFERENCE_BLOCKED] +
	       c->seen.sum.entries_cnt[INTERFERENCE_PREEMPTED] - c->voluntary - c->involuntary;
}

/*
 * Between two windows a worker sleeps: a record that has not counted that while getrusage has is
 * written no more, and would say of a window without a switch that nothing disturbed it. Other threads
 * may switch between the two readings, so that theirs are not compared.
 */
static bool agrees_between(struct joust_sources *src, const struct joust_counters *from,
			   const struct joust_counters *to)
{
	uint64_t ahead = switches_ahead(from);
	bool agrees = src->several || src->last_generation != from->seen.generation ||
		      src->last_ahead == ahead;

	src->last_generation = to->seen.generation;
	src->last_ahead = switches_ahead(to);
	return agrees && from->seen.generation == to->seen.generation;
}

static void fill_seen(struct joust_sources *src, const struct joust_counters *from,
		      const struct joust_counters *to, struct frame_sample *s)
{
	bool lost = !agrees_between(src, from, to);
	struct interference_counts d;

	joust_interference_diff(&d, &from->seen.sum, &to->seen.sum);
	s->seen.running_ns = d.time_ns[INTERFERENCE_RUNNING];
	s->seen.waiting_ns = joust_interference_disturbed_ns(&d);
	s->seen.wakeup_ns = d.wake_idle_ns;
	s->seen.blocked_ns = d.time_ns[INTERFERENCE_BLOCKED];
	s->seen.interrupts_ns = sum_of(d.irq_ns, INTERFERENCE_IRQS);
	s->seen.voluntary = d.entries_cnt[INTERFERENCE_BLOCKED];
	s->seen.involuntary = d.entries_cnt[INTERFERENCE_PREEMPTED];
	s->seen.migrations = d.migrations_cnt;
	/* A loss makes all of it unknown: what was lost may have been the disturbance. */
	lost = lost || to->seen.unwatched_cnt ||
	       !joust_interference_agrees(&d, s->voluntary, s->involuntary);
	s->seen.state = lost ? SEEN_LOST : SEEN_ALL;
}

void joust_counters_fill(struct joust_sources *src, const struct joust_counters *from,
			 const struct joust_counters *to, struct frame_sample *ret)
{
	ret->minor_faults = to->minor_faults - from->minor_faults;
	ret->major_faults = to->major_faults - from->major_faults;
	ret->voluntary = to->voluntary - from->voluntary;
	ret->involuntary = to->involuntary - from->involuntary;
	ret->foreign_cpu_ns = to->children_ns - from->children_ns;
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		fill_group(&from->group[i], &to->group[i], &ret->group[i]);
	if (from->seen_valid && to->seen_valid) {
		fill_seen(src, from, to, ret);
	} else if (src->lane) {
		ret->seen.state = SEEN_LOST;
	} else if (from->waiting_valid && to->waiting_valid) {
		ret->seen.state = SEEN_WAITING;
		ret->seen.waiting_ns = to->waiting_ns - from->waiting_ns;
	}
}
