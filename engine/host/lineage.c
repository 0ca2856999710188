/* SPDX-License-Identifier: BSD-2-Clause */
#include "lineage.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "../util/clock.h"
#include "../util/num.h"
#include "procstat.h"
#include "smallfile.h"

#define TAG_TOP	      (1ull << 62)
#define TAG_LOWEST    (1ull << 60)
#define TAG_RANDOM    ((1ull << 40) - 1)
#define LOOK_AGAIN_NS 20000000
#define LOOKS_MAX     100

struct proc {
	pid_t pid, ppid, sid;
	char state;
	uint64_t start; /* ticks since boot: tells a reused number */
	bool below;	/* a descendant of the engine */
	bool ours;
};

struct procs {
	struct proc *v; /* ascending pid */
	size_t cnt, room;
};

static void procs__done(struct procs *p)
{
	free(p->v);
}

uint64_t lineage_tag_new(void)
{
	struct rlimit r;
	uint64_t top, noise;

	_Static_assert(sizeof(rlim_t) == 8, "the tag needs 62 bits");
	if (getrlimit(RLIMIT_RTTIME, &r))
		return 0;
	/* An engine run by a worker of another engine has a tag itself and may only go lower. */
	top = r.rlim_max == RLIM_INFINITY ? TAG_TOP : r.rlim_max;
	if (top < TAG_LOWEST)
		return 0;
	if (getrandom(&noise, sizeof(noise), GRND_NONBLOCK) != sizeof(noise))
		noise = clock_ns(CLOCK_MONOTONIC) ^ ((uint64_t)getpid() << 20);
	return top - 1 - (noise & TAG_RANDOM);
}

void lineage_tag_wear(uint64_t tag)
{
	const struct rlimit r = {.rlim_cur = tag, .rlim_max = tag};

	if (tag)
		(void)setrlimit(RLIMIT_RTTIME, &r); /* without it session and ancestry remain */
}

static uint64_t tag_of(pid_t pid)
{
	static const char key[] = "Max realtime timeout";
	char path[48], buf[4096];
	const char *line;
	uint64_t tag;

	(void)snprintf(path, sizeof(path), "/proc/%d/limits", (int)pid);
	if (smallfile_read("", path, buf, sizeof(buf)) <= 0)
		return 0;
	line = strstr(buf, key);
	if (!line || smallfile_word_u64(line + sizeof(key) - 1, 1, &tag))
		return 0; /* "unlimited" */
	return tag;
}

/* 0, or a negative errno: it is gone. */
static int proc_look(pid_t pid, struct proc *ret)
{
	struct procstat s;
	int err = procstat_read(pid, &s);

	if (err)
		return err;
	*ret = (struct proc){
		.pid = pid, .ppid = s.ppid, .sid = s.sid, .state = s.state, .start = s.start};
	return 0;
}

static bool is_alive(const struct proc *p)
{
	return p->state != 'Z' && p->state != 'X';
}

static bool bears_mark(const struct lineage *l, const struct proc *p)
{
	return p->sid == l->root || (l->tag && tag_of(p->pid) == l->tag);
}

static int procs__add(struct procs *all, const struct proc *p)
{
	if (all->cnt == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct proc *v = reallocarray(all->v, room, sizeof(*v));

		if (!v)
			return -ENOMEM;
		all->v = v;
		all->room = room;
	}
	all->v[all->cnt++] = *p;
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct proc *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int procs__scan(struct procs *all)
{
	AUTO_DIR DIR *dir = opendir("/proc");
	const struct dirent *e;
	struct proc p;
	uint64_t pid;

	if (!dir)
		return -errno;
	while ((e = readdir(dir))) {
		if (num_u64(e->d_name, 1, INT32_MAX, &pid) || proc_look((pid_t)pid, &p))
			continue;
		if (procs__add(all, &p))
			return -ENOMEM;
	}
	if (all->cnt)
		qsort(all->v, all->cnt, sizeof(*all->v), by_pid);
	return 0;
}

static const struct proc *procs__parent(const struct procs *all, const struct proc *p)
{
	const struct proc key = {.pid = p->ppid};

	return all->cnt ? bsearch(&key, all->v, all->cnt, sizeof(*all->v), by_pid) : NULL;
}

/* Passes until nothing changes: a child may have a lower number than its parent. */
static void procs__mark_below(struct procs *all)
{
	pid_t engine = getpid();

	for (bool changed = true; changed;) {
		changed = false;
		for (struct proc *p = all->v; p < all->v + all->cnt; p++) {
			const struct proc *up = procs__parent(all, p);

			if (p->below || !(p->ppid == engine || (up && up->below)))
				continue;
			p->below = true;
			changed = true;
		}
	}
}

static void procs__mark_ours(struct procs *all, const struct lineage *l)
{
	for (struct proc *p = all->v; p < all->v + all->cnt; p++)
		p->ours = p->below && (p->pid == l->root || bears_mark(l, p) ||
				       (l->init && (p->pid == l->init || p->ppid == l->init)));
	for (bool changed = true; changed;) {
		changed = false;
		for (struct proc *p = all->v; p < all->v + all->cnt; p++) {
			const struct proc *up = procs__parent(all, p);

			if (p->ours || !p->below || !up || !up->ours)
				continue;
			p->ours = true;
			changed = true;
		}
	}
}

/* By pidfd and start time, so that a number used anew meanwhile is not hit. */
static void proc_kill(const struct proc *p)
{
	AUTO_FD int fd = pidfd_open(p->pid, 0);
	struct proc again;

	if (fd >= 0 && !proc_look(p->pid, &again) && again.start == p->start)
		(void)pidfd_send_signal(fd, SIGKILL, NULL, 0); /* gone is as good */
}

static void wait_for_end(pid_t pid, uint64_t up_to_ns)
{
	AUTO_FD int fd = pidfd_open(pid, 0);
	struct pollfd poll_end = {.fd = fd, .events = POLLIN};
	const struct timespec t = {.tv_sec = (time_t)(up_to_ns / 1000000000),
				   .tv_nsec = (long)(up_to_ns % 1000000000)};

	if (fd >= 0)
		(void)ppoll(&poll_end, 1, &t, NULL); /* the next look decides */
}

static bool reaped(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) > 0; /* ECHILD: its parent's business */
}

/*
 * What one look found. A look that reaped somebody proves nothing: the dead one may have had a
 * child that was born after the list was read.
 */
struct sight {
	size_t alive, reaped;
	pid_t last; /* one of those alive */
};

static int look_at_all(const struct lineage *l, bool kill_them, struct sight *ret)
{
	CLEANUP(procs__done) struct procs all = {0};
	int err = procs__scan(&all);

	*ret = (struct sight){0};
	if (err)
		return err;
	procs__mark_below(&all);
	procs__mark_ours(&all, l);
	for (const struct proc *p = all.v; p < all.v + all.cnt; p++) {
		if (!p->ours || p->pid == l->root || p->pid == l->init)
			continue;
		if (!is_alive(p)) {
			ret->reaped += reaped(p->pid);
			continue;
		}
		if (kill_them)
			proc_kill(p);
		ret->last = p->pid;
		ret->alive++;
	}
	return 0;
}

bool lineage_kill(const struct lineage *l, uint64_t deadline_ns)
{
	struct sight s;

	for (;;) {
		/* A group is hit as a whole, also by one that forks at this moment. */
		(void)kill(-l->root, SIGKILL);
		if (l->init > 0) /* and so is a namespace */
			(void)kill(l->init, SIGKILL);
		if (look_at_all(l, true, &s))
			return false;
		if (!s.alive && !s.reaped)
			return true;
		if (clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
			return false;
		if (s.alive)
			wait_for_end(s.last, LOOK_AGAIN_NS);
	}
}

static void look_at_child(const struct lineage *l, pid_t pid, struct sight *s)
{
	struct proc p;

	if (pid == l->root || pid == l->init || proc_look(pid, &p))
		return;
	if (!(l->init && p.ppid == l->init) && !bears_mark(l, &p))
		return;
	if (is_alive(&p)) {
		s->last = pid;
		s->alive++;
	} else {
		s->reaped += reaped(pid);
	}
}

/* -ENOENT: the kernel has no such list (CONFIG_PROC_CHILDREN), or it is too long. */
static int look_at_list(const struct lineage *l, const char *path, struct sight *s)
{
	char buf[4096];
	uint64_t pid;
	ssize_t len;

	len = smallfile_read("", path, buf, sizeof(buf));
	if (len < 0 || (size_t)len == sizeof(buf) - 1)
		return -ENOENT;
	for (char *save, *word = strtok_r(buf, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (!num_u64(word, 1, INT32_MAX, &pid))
			look_at_child(l, (pid_t)pid, s);
	return 0;
}

static int look_at_thread(const struct lineage *l, const char *tid, struct sight *s)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/task/%.20s/children", tid);
	return look_at_list(l, path, s);
}

static int look_at_init(const struct lineage *l, struct sight *s)
{
	char path[64];

	if (!l->init)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)l->init, (int)l->init);
	return look_at_list(l, path, s);
}

/* The engine's own children: every orphan of a dead root is, or descends from, one of them. */
static int look_at_children(const struct lineage *l, struct sight *ret)
{
	AUTO_DIR DIR *dir = opendir("/proc/self/task");
	const struct dirent *e;

	*ret = (struct sight){0};
	if (!dir)
		return -errno;
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.' && look_at_thread(l, e->d_name, ret))
			return -ENOENT;
	return look_at_init(l, ret);
}

/* 0: none; without /proc nothing can be known. */
static pid_t survivor_of(const struct lineage *l)
{
	struct sight s;

	for (int look = 0; look < LOOKS_MAX; look++) {
		if (look_at_children(l, &s) && look_at_all(l, false, &s))
			return 0;
		if (s.alive || !s.reaped)
			return s.last;
	}
	return l->root; /* dead ones without end: somebody makes them */
}

bool lineage_left(const struct lineage *l, uint64_t grace_ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), end = now + grace_ns;
	pid_t alive;

	while ((alive = survivor_of(l)) && now < end) {
		wait_for_end(alive, end - now);
		now = clock_ns(CLOCK_MONOTONIC);
	}
	return alive != 0;
}
