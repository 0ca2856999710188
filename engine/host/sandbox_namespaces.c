/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "sandbox_private.h"

#define HOST_NAME "joust"

/* ---- In the engine, once. ---- */

static int write_file(const char *path, const char *text)
{
	AUTO_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	return write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -1;
}

/*
 * One user and one group under the numbers they have outside: what a program sees of itself is the
 * same with and without this layer. All others are nobody. user_namespaces(7): a process may map
 * itself without privilege once setgroups is denied.
 */
static int map_self(uid_t uid, gid_t gid)
{
	char map[64];

	if (write_file("/proc/self/setgroups", "deny"))
		return -1;
	(void)snprintf(map, sizeof(map), "%u %u 1", gid, gid);
	if (write_file("/proc/self/gid_map", map))
		return -1;
	(void)snprintf(map, sizeof(map), "%u %u 1", uid, uid);
	return write_file("/proc/self/uid_map", map);
}

/* Lives only until the engine has opened its namespaces. */
static _Noreturn void hold(int flags, int said, int wait)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	char byte;
	int err = 0;

	if (unshare(flags) || (flags & CLONE_NEWUSER && map_self(uid, gid)))
		err = errno;
	if (write(said, &err, sizeof(err)) == sizeof(err))
		(void)!read(wait, &byte, 1); /* the end of the pipe */
	_exit(0);
}

static int open_of(pid_t pid, const char *name, int *ret)
{
	char path[48];

	(void)snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, name);
	*ret = open(path, O_RDONLY | O_CLOEXEC);
	return *ret < 0 ? -errno : 0;
}

/* 0, also where the host refuses, as *ret_refused says; else it is not known what it would do. */
static int collect(struct sandbox *s, int flags, pid_t pid, int said, int *ret_refused)
{
	int err = 0;
	ssize_t n;

	do
		n = read(said, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(err)) /* it was killed */
		return n < 0 ? -errno : -EIO;
	if (err) {
		*ret_refused = -err;
		return sandbox_is_shortage(err) ? -err : 0;
	}
	if (flags & CLONE_NEWUSER)
		err = open_of(pid, "user", &s->user_fd);
	if (!err && flags & CLONE_NEWNET)
		err = open_of(pid, "net", &s->net_fd);
	if (err != -EACCES && err != -EPERM)
		return err;
	*ret_refused = err;
	return 0;
}

static int make(struct sandbox *s, int flags, int *ret_refused)
{
	AUTO_FD int said = -1;
	AUTO_FD int wait = -1;
	int up[2], down[2], err;
	pid_t pid;

	*ret_refused = 0;
	if (pipe2(up, O_CLOEXEC))
		return -errno;
	said = up[0];
	if (pipe2(down, O_CLOEXEC)) {
		err = -errno;
		(void)close(up[1]);
		return err;
	}
	wait = down[1];
	pid = fork();
	if (pid == 0) {
		(void)close(wait);
		hold(flags, up[1], down[0]);
	}
	err = pid < 0 ? -errno : 0;
	(void)close(up[1]);
	(void)close(down[0]);
	if (!err)
		err = collect(s, flags, pid, said, ret_refused);
	(void)close(TAKE_FD(wait));
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return err;
}

static void miss(struct sandbox *s, enum sandbox_layer layer, int err)
{
	s->layers &= ~(1u << layer);
	s->missing[layer] = -err;
}

int sandbox_namespaces__open(struct sandbox *s)
{
	bool net = sandbox_layer_on(s, LAYER_NET);
	int refused, alone, err = make(s, CLONE_NEWUSER | (net ? CLONE_NEWNET : 0), &refused);

	if (err || !refused)
		return err;
	if (!net) {
		miss(s, LAYER_USER, refused);
		return 0;
	}
	err = make(s, CLONE_NEWUSER, &alone);
	if (err)
		return err;
	if (!alone) { /* the network alone is refused */
		miss(s, LAYER_NET, refused);
		return 0;
	}
	miss(s, LAYER_USER, refused); /* root can have the others without it */
	err = make(s, CLONE_NEWNET, &refused);
	if (!err && refused)
		miss(s, LAYER_NET, refused);
	return err;
}

/* ---- In a child. ---- */

static const struct {
	enum sandbox_layer layer;
	int flag;
} fresh[] = {
	{LAYER_ROOT, CLONE_NEWNS},
	{LAYER_PID, CLONE_NEWPID},
	{LAYER_IPC, CLONE_NEWIPC},
	{LAYER_UTS, CLONE_NEWUTS},
};

static int join(const struct sandbox *s, enum sandbox_layer layer, int fd, int flag,
		enum sandbox_layer *ret_layer)
{
	*ret_layer = layer;
	return sandbox_layer_on(s, layer) ? setns(fd, flag) : 0;
}

int sandbox_enter_namespaces(const struct sandbox *s, enum sandbox_layer *ret_layer)
{
	(void)setgroups(0, NULL); /* root's; others may not, and keep theirs */
	if (join(s, LAYER_USER, s->user_fd, CLONE_NEWUSER, ret_layer) ||
	    join(s, LAYER_NET, s->net_fd, CLONE_NEWNET, ret_layer))
		return -1;
	for (size_t i = 0; i < sizeof(fresh) / sizeof(fresh[0]); i++) {
		*ret_layer = fresh[i].layer;
		if (sandbox_layer_on(s, fresh[i].layer) && unshare(fresh[i].flag))
			return -1;
	}
	if (sandbox_layer_on(s, LAYER_UTS) && sethostname(HOST_NAME, sizeof(HOST_NAME) - 1))
		return -1;
	/* Nothing mounted here may show up outside. */
	*ret_layer = LAYER_ROOT;
	return sandbox_layer_on(s, LAYER_ROOT) ? mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL)
					       : 0;
}

void sandbox_become_init(const struct sandbox *s)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	char *const argv[] = {(char *)"joust-init", NULL}, *const envp[] = {NULL};

	(void)setsid();
	(void)sigaction(SIGCHLD, &ignore, NULL); /* orphans are reaped by the kernel */
	/* It is the engine's child, like the worker: the end of the engine is the end of all. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || close_range(0, ~0u, CLOSE_RANGE_CLOEXEC))
		return;
	(void)fexecve(s->init_fd, argv, envp); /* execveat of an empty path: Linux 3.19 */
}
