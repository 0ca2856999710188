/* SPDX-License-Identifier: BSD-2-Clause */
#include "perf.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CORE_TYPE_SHIFT 32   /* PERF_PMU_TYPE_SHIFT, not in the headers of 5.12 and older */
#define ARM_USER_READ	0x3u /* config1 of armv8_pmuv3: bit 0 64 bits wide, bit 1 user access */

#define HARDWARE(id) .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id, .user_only = true
#define SOFTWARE(id) .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##id

static const struct perf_event_spec hw_events[] = {
	[PERF_HW_INSTRUCTIONS] = {HARDWARE(INSTRUCTIONS)},
	[PERF_HW_CYCLES] = {HARDWARE(CPU_CYCLES), .optional = true},
};
static const struct perf_event_spec misses_events[] = {
	[PERF_MISSES_BRANCH] = {HARDWARE(BRANCH_MISSES), .optional = true},
	[PERF_MISSES_CACHE] = {HARDWARE(CACHE_MISSES), .optional = true},
};
static const struct perf_event_spec sw_events[] = {
	[PERF_SW_TASK_CLOCK] = {SOFTWARE(TASK_CLOCK)},
	[PERF_SW_FAULTS] = {SOFTWARE(PAGE_FAULTS)},
	[PERF_SW_SWITCHES] = {SOFTWARE(CONTEXT_SWITCHES)},
	[PERF_SW_MIGRATIONS] = {SOFTWARE(CPU_MIGRATIONS)},
};

#define SET(events, pin)                                                                           \
	{                                                                                          \
		events, sizeof(events) / sizeof((events)[0]), pin                                  \
	}
static const struct {
	const struct perf_event_spec *events;
	size_t cnt;
	bool pinned; /* on the PMU always or not at all: what is judged must not be shared */
} sets[PERF_SET_CNT] = {
	[PERF_SET_HW] = SET(hw_events, true),
	[PERF_SET_MISSES] = SET(misses_events, false),
	[PERF_SET_SW] = SET(sw_events, false),
};

_Static_assert(sizeof(sw_events) / sizeof(sw_events[0]) <= PERF_GROUP_MAX, "groups fit");

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

static uint64_t core_config(const struct perf_event_spec *e, const struct perf_target *t)
{
	bool generic = e->type == PERF_TYPE_HARDWARE || e->type == PERF_TYPE_HW_CACHE;

	return generic ? e->config | (uint64_t)t->core_type << CORE_TYPE_SHIFT : e->config;
}

static uint64_t user_read_config(const struct perf_event_spec *e, const struct perf_target *t)
{
#ifdef __aarch64__
	if (t->user_read)
		return e->config1 | ARM_USER_READ;
#else
	(void)t; /* x86: whoever maps the event may read it */
#endif
	return e->config1;
}

static int group_add(struct perf_group *g, const struct perf_event_spec *e,
		     const struct perf_target *t, bool pinned)
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
		.config = core_config(e, t),
		.config1 = user_read_config(e, t),
		.config2 = e->config2,
		.disabled = leads,
		.inherit = t->inherit,
		.pinned = leads && pinned,
		.exclude_kernel = e->user_only,
		.exclude_hv = e->user_only,
		.exclude_user = e->kernel_only,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd = event_open(&attr, t->tid, leads ? -1 : g->fd[0]);

	if (fd < 0)
		return fd;
	g->fd[g->cnt++] = fd;
	return 0;
}

static bool may_be_left_out(const struct perf_event_spec *e, int err)
{
	return e->optional && err != -EMFILE && err != -ENFILE && err != -ESRCH;
}

static int group_open(struct perf_group *g, const struct perf_event_spec *events, size_t cnt,
		      const struct perf_target *t, bool pinned)
{
	int left_out = 0;

	*g = (struct perf_group){.fd = {-1, -1, -1, -1}};
	if (cnt < 1 || cnt > PERF_GROUP_MAX)
		return -EINVAL;
	for (size_t i = 0; i < cnt; i++) {
		int err = group_add(g, &events[i], t, pinned);

		if (err && !may_be_left_out(&events[i], err))
			return err;
		if (err)
			left_out = err;
		else
			g->event[g->cnt - 1] = (unsigned)i;
	}
	if (!g->cnt)
		return left_out;
	return ioctl(g->fd[0], PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

static int open_or_close(struct perf_group *g, const struct perf_event_spec *events, size_t cnt,
			 const struct perf_target *t, bool pinned, enum reason *ret_why)
{
	int err = group_open(g, events, cnt, t, pinned);

	if (!err)
		return 0;
	perf_group__close(g);
	*ret_why = perf_reason(err);
	return err;
}

int perf_group__open_set(struct perf_group *g, enum perf_set set, const struct perf_target *t,
			 enum reason *ret_why)
{
	size_t cnt = sets[set].cnt;

	if (t->events_max && cnt > t->events_max)
		cnt = t->events_max;
	return open_or_close(g, sets[set].events, cnt, t, sets[set].pinned, ret_why);
}

int perf_group__open_events(struct perf_group *g, const struct perf_event_spec *events, size_t cnt,
			    const struct perf_target *t, enum reason *ret_why)
{
	return open_or_close(g, events, cnt, t, false, ret_why);
}

int perf_group__open_hw(struct perf_group *g, pid_t tid, enum reason *ret_why)
{
	return perf_group__open_set(g, PERF_SET_HW, &(struct perf_target){.tid = tid}, ret_why);
}

int perf_group__open_sw(struct perf_group *g, pid_t tid, enum reason *ret_why)
{
	return perf_group__open_set(g, PERF_SET_SW, &(struct perf_target){.tid = tid}, ret_why);
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
	case ENOSPC: /* more events in a group than the PMU has counters */
		return REASON_PERF_FEW;
	case EMFILE:
	case ENFILE:
		return REASON_PERF_FILES;
	default: /* ENOENT, EOPNOTSUPP, ENODEV; also ENOSYS and what no kernel said so far */
		return REASON_NO_PMU;
	}
}

void perf_check_fill(struct rec_check *ret, const struct perf_reading *from,
		     const struct perf_reading *to)
{
	const uint64_t *a = from->value, *b = to->value;

	*ret = (struct rec_check){.task_clock_ns = NAN,
				  .page_faults = NAN,
				  .switches = NAN,
				  .migrations = NAN,
				  .cpu_ns = ret->cpu_ns,
				  .claimed = ret->claimed,
				  .missing = REASON_MULTIPLEXED};
	if (to->running_ns - from->running_ns < to->enabled_ns - from->enabled_ns)
		return; /* never scaled */
	ret->missing = REASON_NONE;
	ret->task_clock_ns = (double)(b[PERF_SW_TASK_CLOCK] - a[PERF_SW_TASK_CLOCK]);
	ret->page_faults = (double)(b[PERF_SW_FAULTS] - a[PERF_SW_FAULTS]);
	ret->switches = (double)(b[PERF_SW_SWITCHES] - a[PERF_SW_SWITCHES]);
	ret->migrations = (double)(b[PERF_SW_MIGRATIONS] - a[PERF_SW_MIGRATIONS]);
}
