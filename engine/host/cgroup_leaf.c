/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup_leaf.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include "../util/num.h"
#include "cgroup_clean.h"
#include "cgroup_files.h"

#define NEAR_LIMIT_BYTES (1u << 20) /* an allocation that does not fit may be so large */

#define WORKER_EIGHTHS 4 /* two may live at once */
#define WORKER_PIDS    256
#define BUILD_EIGHTHS  6 /* it is alone, and a linker may need much */
#define BUILD_PIDS     4096

/* What a controller is called where: v1, v2. */
static const char *const peak_file[] = {NULL, "memory.max_usage_in_bytes", "memory.peak"};
static const char *const usage_file[] = {NULL, "memory.usage_in_bytes", "memory.current"};

/*
 * Limits in the order in which they are written: of v1 the limit with swap must not lie below the
 * one without. What is missing (no swap accounting) is no failure; the first column says whether.
 */
enum limit_value { LIMIT_MEMORY, LIMIT_PIDS, LIMIT_ZERO, LIMIT_ONE };
static const struct limit_row {
	enum cgroup_controller controller;
	int version;
	bool needed;
	const char *file;
	enum limit_value value;
} limit_rows[] = {
	{CGROUP_MEMORY, 1, true, "memory.limit_in_bytes", LIMIT_MEMORY},
	{CGROUP_MEMORY, 1, false, "memory.memsw.limit_in_bytes", LIMIT_MEMORY},
	{CGROUP_MEMORY, 1, false, "memory.swappiness", LIMIT_ZERO},
	{CGROUP_MEMORY, 2, true, "memory.max", LIMIT_MEMORY},
	{CGROUP_MEMORY, 2, false, "memory.swap.max", LIMIT_ZERO},
	/* One process less would leave a worker whose threads or helpers are missing. */
	{CGROUP_MEMORY, 2, false, "memory.oom.group", LIMIT_ONE},
	{CGROUP_PIDS, 1, true, "pids.max", LIMIT_PIDS},
	{CGROUP_PIDS, 2, true, "pids.max", LIMIT_PIDS},
};

static struct cgroup_room room(struct cgroup *c, const struct cgroup_limits *asked,
			       unsigned eighths, uint64_t pids)
{
	struct cgroup_room r = {.cgroup = c && c->cnt ? c : NULL};

	if (!r.cgroup)
		return r;
	r.limits = *asked;
	if (!r.limits.memory_bytes)
		r.limits.memory_bytes = cgroup_memory_share(c, eighths);
	if (!r.limits.pids)
		r.limits.pids = pids;
	return r;
}

struct cgroup_room cgroup_worker_room(struct cgroup *c, const struct cgroup_limits *asked)
{
	return room(c, asked, WORKER_EIGHTHS, WORKER_PIDS);
}

struct cgroup_room cgroup_build_room(struct cgroup *c, const struct cgroup_limits *asked)
{
	return room(c, asked, BUILD_EIGHTHS, BUILD_PIDS);
}

static int version_of(const struct cgroup_leaf *l, enum cgroup_controller id)
{
	return cgroup_has(l->cgroup, id) ? l->cgroup->hierarchy[l->cgroup->of[id]].version : 0;
}

/* The leaf's directory in the hierarchy of a controller; -1. */
static int dir_of(const struct cgroup_leaf *l, enum cgroup_controller id)
{
	return cgroup_has(l->cgroup, id) ? l->dir_fd[l->cgroup->of[id]] : -1;
}

static uint64_t limit_value(const struct cgroup_limits *limits, enum limit_value v)
{
	const uint64_t values[] = {
		[LIMIT_MEMORY] = limits->memory_bytes,
		[LIMIT_PIDS] = limits->pids,
		[LIMIT_ZERO] = 0,
		[LIMIT_ONE] = 1,
	};

	return values[v];
}

static int set_limits(const struct cgroup_leaf *l)
{
	for (size_t i = 0; i < sizeof(limit_rows) / sizeof(limit_rows[0]); i++) {
		const struct limit_row *row = &limit_rows[i];
		uint64_t value = limit_value(&l->limits, row->value);
		int err;

		if (version_of(l, row->controller) != row->version)
			continue;
		if (!value && row->value != LIMIT_ZERO)
			continue; /* no limit asked for */
		err = cgroup_file_write_u64(dir_of(l, row->controller), row->file, value);
		if (err && row->needed)
			return err;
	}
	return 0;
}

/* EEXIST: a leaf that could not be removed. It has charges and counts of its own: never reused. */
static int make_dir(int top_fd, const char *name)
{
	int err;

	if (!mkdirat(top_fd, name, 0755))
		return 0;
	if (errno != EEXIST)
		return -errno;
	err = cgroup_take_down(top_fd, name);
	if (!err && mkdirat(top_fd, name, 0755))
		err = -errno;
	return err;
}

static int make_in(struct cgroup_leaf *l, unsigned i)
{
	int top_fd = l->cgroup->hierarchy[i].top_fd;
	int err = make_dir(top_fd, l->name);

	if (err)
		return err;
	l->dir_fd[i] = openat(top_fd, l->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->dir_fd[i] < 0)
		return -errno;
	l->join_fd[i] = openat(l->dir_fd[i], "cgroup.procs", O_WRONLY | O_CLOEXEC);
	if (l->join_fd[i] < 0)
		return -errno;
	l->join_cnt = i + 1;
	return 0;
}

/* Read and write: the write resets, where the kernel can. */
static void open_peak(struct cgroup_leaf *l)
{
	int version = version_of(l, CGROUP_MEMORY);

	if (version)
		l->peak_fd =
			openat(dir_of(l, CGROUP_MEMORY), peak_file[version], O_RDWR | O_CLOEXEC);
}

int cgroup_leaf__open(struct cgroup_leaf *l, struct cgroup *c, const char *name,
		      const struct cgroup_limits *limits)
{
	int err = 0;

	*l = (struct cgroup_leaf){.cgroup = c, .limits = *limits, .peak_fd = -1};
	for (int i = 0; i < CGROUP_CONTROLLER_CNT; i++)
		l->dir_fd[i] = l->join_fd[i] = -1;
	(void)snprintf(l->name, sizeof(l->name), "%s", name);
	for (unsigned i = 0; i < c->cnt && !err; i++)
		err = make_in(l, i);
	if (!err)
		err = set_limits(l);
	if (err) {
		cgroup_leaf__close(l);
		return err;
	}
	open_peak(l);
	return 0;
}

int cgroup_leaf__open_in(struct cgroup_leaf *l, const struct cgroup_room *room, const char *name)
{
	*l = (struct cgroup_leaf){0};
	return room->cgroup ? cgroup_leaf__open(l, room->cgroup, name, &room->limits) : 0;
}

void cgroup_leaf__close(struct cgroup_leaf *l)
{
	struct cgroup *c = l->cgroup;

	if (!c)
		return;
	cleanup_fd(&l->peak_fd);
	for (unsigned i = 0; i < c->cnt; i++) {
		cleanup_fd(&l->dir_fd[i]);
		cleanup_fd(&l->join_fd[i]);
		IGNORE_ERROR(cgroup_take_down(c->hierarchy[i].top_fd, l->name)); /* see close */
	}
	*l = (struct cgroup_leaf){0};
}

static int read_peak(const struct cgroup_leaf *l, uint64_t *ret)
{
	char text[32];
	ssize_t len;

	if (l->peak_fd < 0)
		return -ENOTSUP;
	len = pread(l->peak_fd, text, sizeof(text) - 1, 0);
	if (len < 0)
		return -errno;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return num_u64(text, 0, UINT64_MAX, ret);
}

int cgroup_leaf__mark(struct cgroup_leaf *l)
{
	int version = l->cgroup ? version_of(l, CGROUP_MEMORY) : 0;
	uint64_t usage;
	int err;

	if (!version || l->peak_fd < 0)
		return -ENOTSUP;
	if (pwrite(l->peak_fd, "0", 1, 0) != 1) /* v2 before 6.12: EINVAL */
		return -errno;
	err = cgroup_file_u64(dir_of(l, CGROUP_MEMORY), usage_file[version], &usage);
	if (!err)
		l->start_bytes = (double)usage;
	return err;
}

int cgroup_leaf__peak(const struct cgroup_leaf *l, double *ret_bytes)
{
	uint64_t peak;
	int err = l->cgroup ? read_peak(l, &peak) : -ENOTSUP;

	if (err)
		return err;
	*ret_bytes = (double)peak > l->start_bytes ? (double)peak - l->start_bytes : 0;
	return 0;
}

int cgroup_leaf__cpu_ns(const struct cgroup_leaf *l, double *ret)
{
	int fd = l && l->cgroup ? dir_of(l, CGROUP_TREE) : -1;
	uint64_t us;
	int err = fd < 0 ? -ENOTSUP : cgroup_file_key(fd, "cpu.stat", "usage_usec", &us);

	if (!err)
		*ret = (double)us * 1e3;
	return err;
}

/* --- what happened to it --- */

static const struct event_row {
	enum cgroup_controller controller;
	int version;
	const char *file, *key; /* key NULL: the file is one number */
	size_t field;
} event_rows[] = {
	{CGROUP_MEMORY, 1, "memory.failcnt", NULL, offsetof(struct cgroup_events, memory_max)},
	/* with swap accounted, this counter is asked first and the one above never fails */
	{CGROUP_MEMORY, 1, "memory.memsw.failcnt", NULL,
	 offsetof(struct cgroup_events, memory_max)},
	{CGROUP_MEMORY, 1, "memory.oom_control", "oom_kill",
	 offsetof(struct cgroup_events, oom_kill)},
	/* `oom` counts this group's own limit alone, `oom_kill` also what the whole host lacked */
	{CGROUP_MEMORY, 2, "memory.events.local", "oom",
	 offsetof(struct cgroup_events, memory_max)},
	{CGROUP_MEMORY, 2, "memory.events.local", "oom_kill",
	 offsetof(struct cgroup_events, oom_kill)},
	{CGROUP_PIDS, 1, "pids.events", "max", offsetof(struct cgroup_events, pids_max)},
	{CGROUP_PIDS, 2, "pids.events", "max", offsetof(struct cgroup_events, pids_max)},
};

/* What cannot be read (a kernel without that file) counts as not having happened. */
static void add_event(const struct cgroup_leaf *l, const struct event_row *row,
		      struct cgroup_events *e)
{
	int fd = dir_of(l, row->controller);
	uint64_t v;

	if (row->key ? cgroup_file_key(fd, row->file, row->key, &v)
		     : cgroup_file_u64(fd, row->file, &v))
		return;
	*(uint64_t *)((char *)e + row->field) += v;
}

static bool is_gone(const struct cgroup_leaf *l)
{
	for (unsigned i = 0; i < l->cgroup->cnt; i++) {
		int n = cgroup_populated(l->dir_fd[i]);

		if (n == -ENODEV || n == -ENOENT)
			return true;
	}
	return false;
}

/* Linux 6.18 leaves failcnt of v1 at 0 even where the limit kills: then the peak stands at the limit. */
static bool reached_limit(const struct cgroup_leaf *l)
{
	uint64_t peak, limit = l->limits.memory_bytes;

	return limit && version_of(l, CGROUP_MEMORY) == 1 && !read_peak(l, &peak) &&
	       peak + NEAR_LIMIT_BYTES >= limit;
}

struct cgroup_events cgroup_leaf__events(const struct cgroup_leaf *l)
{
	struct cgroup_events e = {0};

	if (!l || !l->cgroup)
		return e;
	e.lost = is_gone(l);
	for (size_t i = 0; i < sizeof(event_rows) / sizeof(event_rows[0]) && !e.lost; i++) {
		const struct event_row *row = &event_rows[i];

		if (version_of(l, row->controller) == row->version)
			add_event(l, row, &e);
	}
	if (!e.lost && reached_limit(l))
		e.memory_max++;
	return e;
}

bool cgroup_hit_memory(const struct cgroup_events *e)
{
	return e->oom_kill && e->memory_max;
}

/* The hierarchy that kills best: the v2 tree, else the one whose forks can be forbidden. */
static int kill_dir(const struct cgroup_leaf *l)
{
	static const enum cgroup_controller order[] = {CGROUP_TREE, CGROUP_PIDS, CGROUP_MEMORY};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (dir_of(l, order[i]) >= 0)
			return dir_of(l, order[i]);
	}
	return -1;
}

int cgroup_leaf__populated(const struct cgroup_leaf *l)
{
	int fd = l && l->cgroup ? kill_dir(l) : -1;

	return fd < 0 ? -ENOTSUP : cgroup_populated(fd);
}

int cgroup_leaf__kill(const struct cgroup_leaf *l, uint64_t deadline_ns)
{
	int fd = l && l->cgroup ? kill_dir(l) : -1;

	return fd < 0 ? -ENOTSUP : cgroup_kill_all(fd, deadline_ns);
}
