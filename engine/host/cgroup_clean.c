/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup_clean.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include "../util/clock.h"
#include "../util/num.h"
#include "cgroup_files.h"
#include "procstat.h"
#include "smallfile.h"

#define NAME_PREFIX   "joust."
#define KILL_LIMIT_NS 5000000000ull
#define DEPTH_MAX     8
#define WAIT_MSEC     2
#define PROCS_BYTES   65536

/* Ticks since boot at which a process began. */
static int start_of(pid_t pid, uint64_t *ret)
{
	struct procstat s;
	int err = procstat_read(pid, &s);

	if (!err)
		*ret = s.start;
	return err;
}

/*
 * Whoever is called dead is killed with all that it started, so only what is certain counts: a process
 * that could not be looked at, for want of a descriptor or because /proc hides it, lives.
 */
static bool is_gone(pid_t pid, uint64_t start)
{
	uint64_t now;
	int err = start_of(pid, &now);

	if (!err)
		return now != start;
	return (err == -ENOENT || err == -ESRCH) && kill(pid, 0) && errno == ESRCH;
}

static int pid_namespace(uint64_t *ret)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		return -errno;
	*ret = st.st_ino;
	return 0;
}

int cgroup_name(char *ret, size_t size)
{
	uint64_t start, ns;
	int err = start_of(getpid(), &start);

	if (!err)
		err = pid_namespace(&ns);
	if (!err)
		(void)snprintf(ret, size, NAME_PREFIX "%d.%" PRIu64 ".%" PRIu64, (int)getpid(),
			       start, ns);
	return err;
}

/* The next number of "N.N.N"; false when there is none. */
static bool take_number(char **rest, uint64_t *ret)
{
	char *word = strsep(rest, ".");

	return word && !num_u64(word, 1, UINT64_MAX, ret);
}

bool cgroup_name_is_dead(const char *name)
{
	char copy[80], *rest = copy;
	uint64_t pid, start, ns, own_ns = 0;

	if (strncmp(name, NAME_PREFIX, strlen(NAME_PREFIX)) || strlen(name) >= sizeof(copy))
		return false;
	strcpy(copy, name + strlen(NAME_PREFIX));
	if (!take_number(&rest, &pid) || !take_number(&rest, &start) || !take_number(&rest, &ns) ||
	    rest || pid > INT32_MAX)
		return false;
	/* Of another namespace nobody here can tell whether its process lives. */
	if (pid_namespace(&own_ns) || own_ns != ns)
		return false;
	return is_gone((pid_t)pid, start);
}

/* Ours, and not the end of a name: processes outside of our namespace read as 0. */
static void kill_listed(char *procs)
{
	char *rest = procs, *line;

	while ((line = strsep(&rest, "\n"))) {
		uint64_t pid;

		if (!num_u64(line, 1, INT32_MAX, &pid) && (pid_t)pid != getpid())
			(void)kill((pid_t)pid, SIGKILL);
	}
}

int cgroup_populated(int dir_fd)
{
	char one[32];
	ssize_t len = cgroup_file_read(dir_fd, "cgroup.procs", one, sizeof(one));

	return len < 0 ? (int)len : len > 0;
}

static int kill_once(int dir_fd)
{
	AUTO_FREE char *procs = malloc(PROCS_BYTES);
	ssize_t len =
		procs ? cgroup_file_read(dir_fd, "cgroup.procs", procs, PROCS_BYTES) : -ENOMEM;

	if (len > 0)
		kill_listed(procs);
	return len < 0 ? (int)len : 0;
}

int cgroup_kill_all(int dir_fd, unsigned long long deadline_ns)
{
	bool all = !cgroup_file_write(dir_fd, "cgroup.kill", "1"); /* Linux 5.14, v2 */
	int n;

	if (!all) /* nobody is born while they are killed one by one; absent without pids */
		IGNORE_ERROR(cgroup_file_write(dir_fd, "pids.max", "0"));
	for (;;) {
		n = cgroup_populated(dir_fd);
		if (n <= 0)
			return n;
		if (clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
			return -ETIMEDOUT;
		if (!all)
			IGNORE_ERROR(kill_once(dir_fd)); /* asked again just above */
		(void)poll(NULL, 0, WAIT_MSEC);
	}
}

static int take_down(int parent_fd, const char *name, unsigned depth);

static void take_down_below(int dir_fd, unsigned depth)
{
	int copy = dup(dir_fd);
	AUTO_DIR DIR *d = copy < 0 ? NULL : fdopendir(copy);

	if (!d && copy >= 0)
		(void)close(copy);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			IGNORE_ERROR(take_down(dir_fd, e->d_name, depth + 1)); /* rmdir tells */
	}
}

static int take_down(int parent_fd, const char *name, unsigned depth)
{
	AUTO_FD int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	IGNORE_ERROR(cgroup_kill_all(fd, clock_ns(CLOCK_MONOTONIC) + KILL_LIMIT_NS)); /* EBUSY */
	if (depth < DEPTH_MAX)
		take_down_below(fd, depth);
	/* A zombie that nobody has waited for does not keep its group. */
	if (unlinkat(parent_fd, name, AT_REMOVEDIR) && errno != ENOENT)
		return -errno;
	return 0;
}

int cgroup_take_down(int parent_fd, const char *name)
{
	return take_down(parent_fd, name, 0);
}

/* A joust that a worker of a killed joust runs lives in the tree of a dead engine. */
static bool holds(const char *base, const char *name, const char *home)
{
	size_t base_len = strlen(base), len = strlen(name);

	return !strncmp(home, base, base_len) && home[base_len] == '/' &&
	       !strncmp(home + base_len + 1, name, len) &&
	       (home[base_len + 1 + len] == '/' || !home[base_len + 1 + len]);
}

void cgroup_clean_dead(int base_fd, const char *base, const char *home)
{
	int copy = openat(base_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_DIR DIR *d = copy < 0 ? NULL : fdopendir(copy);

	if (!d && copy >= 0)
		(void)close(copy);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (e->d_type == DT_DIR && cgroup_name_is_dead(e->d_name) &&
		    !holds(base, e->d_name, home))
			IGNORE_ERROR(cgroup_take_down(base_fd, e->d_name)); /* see the header */
	}
}
