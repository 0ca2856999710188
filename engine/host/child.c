/* SPDX-License-Identifier: BSD-2-Clause */
#include "child.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "../util/clock.h"
#include "launch.h"
#include "lineage.h"

#define NS_PER_SEC	  1000000000ull
#define TERM_GRACE_NS	  (2 * NS_PER_SEC)
#define KILL_LIMIT_NS	  (5 * NS_PER_SEC)
#define ORPHAN_GRACE_NS	  (NS_PER_SEC / 10)
#define LEAF_LOOK_MSEC	  2
#define CHILD_REFUSED_MAX 1000
#define DRAIN_CHUNK	  16384
#define DRAIN_WAKE_MAX	  65536	    /* a pipe's usual capacity: one wake-up stays short */
#define DRAIN_END_MAX	  (1 << 20) /* the largest a pipe may be; a left writer must not hold us */

static uint64_t from_now(uint64_t ns)
{
	return clock_ns(CLOCK_MONOTONIC) + ns;
}

int child_engine_setup(void)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
		return -errno;
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return -errno;
	/* Inherited as ignored, the kernel would reap our children and drop their status. */
	if (signal(SIGCHLD, SIG_DFL) == SIG_ERR)
		return -errno;
	return 0;
}

static void child__adopt(struct child *c, struct launch *l, pid_t pid)
{
	c->pid = pid;
	c->init = l->note->init;
	c->tag = l->tag;
	c->sandbox = l->spec->sandbox;
	c->listener = launch_take_listener(l);
	c->exec_cpu_ns = l->note->cpu_ns;
	c->exec_ns = l->note->at_ns;
	c->out_fd = TAKE_FD(l->out[0]);
}

static void join_leaf(struct child_spec *s)
{
	const struct cgroup_leaf *leaf = s->leaf;

	for (unsigned i = 0; leaf && i < leaf->join_cnt && s->join_cnt < CHILD_JOINS_MAX; i++)
		s->join_fd[s->join_cnt++] = leaf->join_fd[i];
}

/* NaN: not known. */
static double leaf_cpu_ns(const struct cgroup_leaf *leaf)
{
	double ns;

	return cgroup_leaf__cpu_ns(leaf, &ns) ? NAN : ns;
}

int child__start(struct child *c, const struct child_spec *spec)
{
	CLEANUP(launch__close) struct launch l;
	struct child_spec joined = *spec;
	pid_t pid;
	int err = launch__open(&l, &joined);

	join_leaf(&joined);
	*c = (struct child){.pidfd = -1, .out_fd = -1, .listener = -1};
	if (err)
		return err;
	c->leaf_from_ns = leaf_cpu_ns(spec->leaf);
	c->spawn_ns = clock_ns(CLOCK_MONOTONIC);
	pid = launch__go(&l);
	if (pid < 0) {
		c->exec_ns = l.note->at_ns;
		return pid;
	}
	child__adopt(c, &l, pid);
	c->leaf = spec->leaf;
	c->pidfd = pidfd_open(pid, 0);
	if (c->pidfd < 0) {
		err = -errno;
		child__done(c);
	}
	return err;
}

static void close_listener(struct child *c)
{
	cleanup_fd(&c->listener);
	c->listener = -1;
}

/*
 * Calls beyond the limit are refused by the kernel itself, with ENOSYS, once the listener is closed:
 * a program that makes them in a loop must not keep the engine busy on the measured CPU.
 */
static void serve_listener(struct child *c)
{
	int cnt = sandbox__serve(c->sandbox, c->listener);

	if (cnt > 0)
		c->refused_cnt += (unsigned)cnt;
	if (cnt < 0 || c->refused_cnt >= CHILD_REFUSED_MAX)
		close_listener(c);
}

static void close_output(struct child *c)
{
	cleanup_fd(&c->out_fd);
	c->out_fd = -1;
}

/* Takes at most about `max` bytes of what is there; closes at the end of the output. */
static void drain(struct child *c, size_t max)
{
	char buf[DRAIN_CHUNK];
	size_t taken = 0;

	while (c->out_fd >= 0 && taken < max) {
		ssize_t n = read(c->out_fd, buf, sizeof(buf));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			close_output(c);
			return;
		}
		kept__add(&c->output, buf, (size_t)n);
		taken += (size_t)n;
	}
}

/* After the program is reaped: the namespace ends only when nobody is in it any more. */
static void end_init(struct child *c)
{
	if (c->init <= 0)
		return;
	(void)kill(c->init, SIGKILL);
	while (waitpid(c->init, NULL, 0) < 0 && errno == EINTR)
		;
	c->init = 0;
}

/* Whether the leaf is not empty; helpers that end by themselves get the same grace as by lineage. */
static bool leaf_left(const struct child *c)
{
	uint64_t deadline_ns = from_now(ORPHAN_GRACE_NS);
	int n;

	while ((n = cgroup_leaf__populated(c->leaf)) == 1 &&
	       clock_ns(CLOCK_MONOTONIC) < deadline_ns)
		(void)poll(NULL, 0, LEAF_LOOK_MSEC);
	return n == 1;
}

/*
 * Left processes are sought while the child is a zombie: its number cannot be used anew, so the
 * session that bears it is its own. They may hold the pipe: its end is never waited for.
 */
static void reap(struct child *c)
{
	const struct lineage l = {.root = c->pid, .tag = c->tag, .init = c->init};

	c->exit_ns = clock_ns(CLOCK_MONOTONIC);
	if (c->listener >= 0)
		serve_listener(c); /* nobody who is left may hang in it */
	close_listener(c);
	drain(c, DRAIN_END_MAX);
	if (lineage_left(&l, ORPHAN_GRACE_NS)) {
		c->left_processes = true;
		(void)lineage_kill(&l, clock_ns(CLOCK_MONOTONIC) + KILL_LIMIT_NS); /* reported */
	}
	if (leaf_left(c)) { /* one that has shed every mark of lineage */
		c->left_processes = true;
		IGNORE_ERROR(cgroup_leaf__kill(c->leaf, from_now(KILL_LIMIT_NS))); /* reported */
	}
	c->events = cgroup_leaf__events(c->leaf);
	drain(c, DRAIN_END_MAX);
	close_output(c);
	while (wait4(c->pid, &c->status, 0, &c->usage) < 0 && errno == EINTR)
		;
	c->reaped = true;
	c->leaf_cpu_ns = leaf_cpu_ns(c->leaf) - c->leaf_from_ns;
	end_init(c);
	cleanup_fd(&c->pidfd);
	c->pidfd = -1;
}

enum { POLL_FD, POLL_OUTPUT, POLL_LISTENER, POLL_PID, POLL_INTERRUPT, POLL_CNT };

/* Number of ready descriptors; 0 when the deadline has passed. */
static int poll_until(struct pollfd p[static POLL_CNT], uint64_t deadline_ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
	const struct timespec t = {.tv_sec = (time_t)(left / NS_PER_SEC),
				   .tv_nsec = (long)(left % NS_PER_SEC)};
	int n = ppoll(p, POLL_CNT, deadline_ns == UINT64_MAX ? NULL : &t, NULL);

	return n >= 0 ? n : -errno;
}

static bool is_ready(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

enum child_event child__wait(struct child *c, int fd, uint64_t deadline_ns, int interrupt_fd)
{
	for (;;) {
		struct pollfd p[POLL_CNT] = {
			[POLL_FD] = {.fd = fd, .events = POLLIN},
			[POLL_OUTPUT] = {.fd = c->out_fd, .events = POLLIN},
			[POLL_LISTENER] = {.fd = c->listener, .events = POLLIN},
			[POLL_PID] = {.fd = c->pidfd, .events = POLLIN},
			[POLL_INTERRUPT] = {.fd = interrupt_fd, .events = POLLIN},
		};
		int n = poll_until(p, c->reaped ? 0 : deadline_ns);

		if (n > 0 && p[POLL_OUTPUT].revents)
			drain(c, DRAIN_WAKE_MAX);
		if (n > 0 && p[POLL_LISTENER].revents)
			serve_listener(c);
		if (n > 0 && p[POLL_FD].revents)
			return CHILD_READABLE;
		if (n > 0 && p[POLL_PID].revents) {
			/* An answer sent between the poll and the exit comes first. */
			if (is_ready(fd))
				return CHILD_READABLE;
			reap(c);
		}
		if (c->reaped)
			return CHILD_EXITED;
		if (n > 0 && p[POLL_INTERRUPT].revents)
			return CHILD_INTERRUPTED;
		/* Also with n > 0: output without end must not hide the deadline. */
		if (n != -EINTR && clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
			return CHILD_TIMED_OUT;
	}
}

void child__kill(struct child *c, bool now)
{
	const struct lineage l = {.root = c->pid, .tag = c->tag, .init = c->init};

	if (c->pid <= 0 || c->reaped)
		return;
	c->killed_by_us = !is_ready(c->pidfd); /* else it has ended by itself, unseen so far */
	if (c->killed_by_us && !now) {
		(void)kill(-c->pid, SIGTERM);
		(void)kill(-c->pid, SIGCONT); /* a stopped process handles nothing */
		if (child__wait(c, -1, from_now(TERM_GRACE_NS), -1) == CHILD_EXITED)
			return;
	}
	(void)kill(-c->pid, SIGKILL);
	IGNORE_ERROR(cgroup_leaf__kill(c->leaf, from_now(KILL_LIMIT_NS))); /* lineage goes on */
	(void)lineage_kill(&l, from_now(KILL_LIMIT_NS)); /* what is left shows in left_processes */
	/* A process in uninterruptible sleep may not end; it is given up then. */
	(void)child__wait(c, -1, from_now(KILL_LIMIT_NS), -1);
}

void child__done(struct child *c)
{
	if (c->pid <= 0) /* zeroed or not started: no descriptor is ours */
		return;
	child__kill(c, true);
	end_init(c); /* also of a program that could not be killed */
	close_listener(c);
	close_output(c);
	cleanup_fd(&c->pidfd);
	kept__done(&c->output);
	*c = (struct child){.pidfd = -1, .out_fd = -1, .listener = -1};
}

static double timeval_ns(const struct timeval *t)
{
	return (double)t->tv_sec * 1e9 + (double)t->tv_usec * 1e3;
}

/* Only the sum is exact: the split into user and system is sampled by the tick. */
static double usage_ns(const struct child *c)
{
	return timeval_ns(&c->usage.ru_utime) + timeval_ns(&c->usage.ru_stime);
}

double child_cpu_from_exec_ns(const struct child *c)
{
	return fmax(usage_ns(c) - (double)c->exec_cpu_ns, 0);
}

double child_cpu_unwaited_ns(const struct child *c)
{
	double ns = c->leaf_cpu_ns - usage_ns(c);

	return isnan(ns) ? ns : fmax(ns, 0);
}

int child_exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

char *child_end_name(int status)
{
	char *name = NULL;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	const char *abbrev = sig ? sigabbrev_np(sig) : NULL;
	int n;

	if (abbrev)
		n = asprintf(&name, "SIG%s", abbrev);
	else if (sig)
		n = asprintf(&name, "signal %d", sig);
	else
		n = asprintf(&name, "exit status %d", WEXITSTATUS(status));
	return n < 0 ? NULL : name;
}
