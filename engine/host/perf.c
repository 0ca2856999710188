/* SPDX-License-Identifier: BSD-2-Clause */
#include "perf.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TOUCHED_PAGES 8
#define PROBE_TRIPS   1000

struct event {
	uint32_t type;
	uint64_t config;
	bool user_only; /* never on scheduler events: they fire with kernel registers, and count 0 */
	bool optional;	/* a host with few counters is served without it */
};

static const struct event hw_events[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true, false},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true, true},
};
#define HW_EVENTS (sizeof(hw_events) / sizeof(hw_events[0]))

enum { SW_TASK_CLOCK, SW_FAULTS, SW_SWITCHES, SW_MIGRATIONS };
static const struct event sw_events[] = {
	[SW_TASK_CLOCK] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false, false},
	[SW_FAULTS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false, false},
	[SW_SWITCHES] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false},
	[SW_MIGRATIONS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, false, false},
};
#define SW_EVENTS (sizeof(sw_events) / sizeof(sw_events[0]))

_Static_assert(HW_EVENTS <= PERF_GROUP_MAX && SW_EVENTS <= PERF_GROUP_MAX, "groups fit");

static int event_open(struct perf_event_attr *attr, pid_t tid, int leader)
{
	for (int attempt = 0;; attempt++) {
		uint32_t size = attr->size;
		long fd = syscall(SYS_perf_event_open, attr, tid, -1, leader, PERF_FLAG_FD_CLOEXEC);

		if (fd >= 0)
			return (int)fd;
		/* An older kernel writes the size it knows (128 on 6.1, 136 on 6.18). */
		if (errno != E2BIG || attempt || !attr->size || attr->size >= size)
			return -errno;
	}
}

static int group_add(struct perf_group *g, const struct event *e, pid_t tid, bool pinned)
{
	bool leads = g->cnt == 0;
	/*
	 * Leader disabled, siblings enabled: a task-clock leader enabled at open loses its siblings
	 * until the next switch on 6.12 and 6.18 (fits 2d17cf1abcbe). Pinned only on the leader:
	 * EINVAL on a sibling.
	 */
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof(attr),
		.config = e->config,
		.disabled = leads,
		.pinned = leads && pinned,
		.exclude_kernel = e->user_only,
		.exclude_hv = e->user_only,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd = event_open(&attr, tid, leads ? -1 : g->fd[0]);

	if (fd < 0)
		return fd;
	g->fd[g->cnt++] = fd;
	return 0;
}

static bool may_be_left_out(const struct event *e, int err)
{
	return e->optional && err != -EMFILE && err != -ENFILE && err != -ESRCH;
}

static int group_open(struct perf_group *g, const struct event *events, size_t cnt, pid_t tid,
		      bool pinned)
{
	*g = (struct perf_group){.fd = {-1, -1, -1, -1}};
	for (size_t i = 0; i < cnt; i++) {
		int err = group_add(g, &events[i], tid, pinned);

		if (err && !may_be_left_out(&events[i], err))
			return err;
	}
	return ioctl(g->fd[0], PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

static int group_open_or_close(struct perf_group *g, const struct event *events, size_t cnt,
			       pid_t tid, bool pinned, enum reason *ret_why)
{
	int err = group_open(g, events, cnt, tid, pinned);

	if (!err)
		return 0;
	perf_group__close(g);
	*ret_why = perf_reason(err);
	return err;
}

int perf_group__open_hw(struct perf_group *g, pid_t tid, enum reason *ret_why)
{
	return group_open_or_close(g, hw_events, HW_EVENTS, tid, true, ret_why);
}

int perf_group__open_sw(struct perf_group *g, pid_t tid, enum reason *ret_why)
{
	return group_open_or_close(g, sw_events, SW_EVENTS, tid, false, ret_why);
}

int perf_group__read(const struct perf_group *g, struct perf_reading *ret)
{
	struct {
		uint64_t nr, enabled, running, value[PERF_GROUP_MAX];
	} raw = {0};
	ssize_t len;

	if (g->cnt == 0)
		return -EBADF;
	len = read(g->fd[0], &raw, sizeof(raw));
	if (len < 0)
		return -errno;
	/* Error state of a pinned group: the NMI watchdog, another perf or few counters. */
	if (len == 0)
		return -EBUSY;
	if (raw.nr != g->cnt || (size_t)len != (3 + g->cnt) * sizeof(uint64_t))
		return -EIO;
	*ret = (struct perf_reading){.enabled_ns = raw.enabled, .running_ns = raw.running};
	for (unsigned i = 0; i < g->cnt; i++)
		ret->value[i] = raw.value[i];
	return 0;
}

void perf_group__close(struct perf_group *g)
{
	while (g->cnt > 0) {
		cleanup_fd(&g->fd[--g->cnt]);
		g->fd[g->cnt] = -1;
	}
}

enum reason perf_reason(int err)
{
	switch (err < 0 ? -err : err) {
	case 0:
		return REASON_NONE;
	case EACCES:
	case EPERM:
		return REASON_PERF_FORBIDDEN;
	case EBUSY:
		return REASON_PERF_BUSY;
	case EMFILE:
	case ENFILE:
		return REASON_PERF_FILES;
	default: /* ENOENT, EOPNOTSUPP, ENODEV; also ENOSYS and what no kernel said so far */
		return REASON_NO_PMU;
	}
}

static int touch_fresh_pages(size_t cnt)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p =
		mmap(NULL, cnt * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	/* One huge page would be one fault. EINVAL: a kernel without them. */
	(void)madvise((void *)p, cnt * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < cnt; i++)
		p[i * page] = 1;
	(void)munmap((void *)p, cnt * page);
	return 0;
}

static enum reason self_test(const struct perf_group *g)
{
	struct perf_reading from, to;
	int err = perf_group__read(g, &from);

	if (!err)
		err = touch_fresh_pages(TOUCHED_PAGES);
	if (!err)
		err = perf_group__read(g, &to);
	if (err)
		return perf_reason(err);
	return to.value[SW_FAULTS] - from.value[SW_FAULTS] >= TOUCHED_PAGES
		       ? REASON_NONE
		       : REASON_COUNTER_MISMATCH;
}

enum reason perf_self_test(void)
{
	CLEANUP(perf_group__close) struct perf_group g;
	enum reason why;

	return perf_group__open_sw(&g, 0, &why) ? why : self_test(&g);
}

enum reason perf_hw_available(void)
{
	CLEANUP(perf_group__close) struct perf_group g;
	struct perf_reading from, to;
	enum reason why;
	int err;

	if (perf_group__open_hw(&g, 0, &why))
		return why;
	err = perf_group__read(&g, &from);
	for (volatile int i = 0; i < PROBE_TRIPS;)
		i++;
	if (!err)
		err = perf_group__read(&g, &to);
	if (err)
		return perf_reason(err);
	if (to.running_ns - from.running_ns < to.enabled_ns - from.enabled_ns)
		return REASON_PERF_BUSY;
	/* A hypervisor may offer the event and never count. */
	return to.value[0] - from.value[0] >= PROBE_TRIPS ? REASON_NONE : REASON_NO_PMU;
}

void perf_check_fill(struct rec_check *ret, const struct perf_reading *from,
		     const struct perf_reading *to)
{
	const uint64_t *a = from->value, *b = to->value;

	*ret = (struct rec_check){NAN, NAN, NAN, NAN, REASON_MULTIPLEXED};
	if (to->running_ns - from->running_ns < to->enabled_ns - from->enabled_ns)
		return; /* never scaled */
	ret->missing = REASON_NONE;
	ret->task_clock_ns = (double)(b[SW_TASK_CLOCK] - a[SW_TASK_CLOCK]);
	ret->page_faults = (double)(b[SW_FAULTS] - a[SW_FAULTS]);
	ret->switches = (double)(b[SW_SWITCHES] - a[SW_SWITCHES]);
	ret->migrations = (double)(b[SW_MIGRATIONS] - a[SW_MIGRATIONS]);
}
