/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "sandbox_private.h"

/* linux/mount.h cannot stand beside sys/mount.h before glibc 2.37 */
#define TREE_CLONE    1u      /* OPEN_TREE_CLONE */
#define RECURSIVE     0x8000u /* AT_RECURSIVE */
#define MOVE_EMPTY    4u      /* MOVE_MOUNT_F_EMPTY_PATH */
#define ATTR_RDONLY   1ull    /* MOUNT_ATTR_* */
#define ATTR_NOSUID   2ull
#define ATTR_NODEV    4ull
#define TMPFS_OPTIONS "mode=755,size=1m,nr_inodes=4096"
/* Read-only: uid 0 would write host-wide sysctls, which look at the number alone. */
#define PROC_FLAGS (MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)

struct attributes { /* struct mount_attr, Linux 5.12 */
	uint64_t set, clear, propagation, user;
};

static int set_attributes(int fd, const char *path, unsigned flags, uint64_t set)
{
	struct attributes a = {.set = set};

	return (int)syscall(SYS_mount_setattr, fd, path, flags, &a, sizeof(a));
}

int sandbox_open_source(const struct sandbox_bind *b)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC};

	if (!(b->flags & BIND_NO_LINKS))
		return open(b->from, O_PATH | O_CLOEXEC);
	how.resolve = RESOLVE_NO_SYMLINKS;
	return (int)syscall(SYS_openat2, AT_FDCWD, b->from, &how, sizeof(how));
}

static int clone_source(const struct sandbox_bind *b)
{
	const unsigned flags = TREE_CLONE | RECURSIVE | (unsigned)O_CLOEXEC;
	int fd, source;

	if (!(b->flags & BIND_NO_LINKS)) /* one call less in each start */
		return (int)syscall(SYS_open_tree, AT_FDCWD, b->from, flags);
	source = sandbox_open_source(b);
	if (source < 0)
		return -1;
	fd = (int)syscall(SYS_open_tree, source, "", flags | (unsigned)AT_EMPTY_PATH);
	(void)close(source);
	return fd;
}

/* A copy of a mount, attached to nothing, with its rights already set. */
static int open_bind(const struct sandbox_bind *b)
{
	uint64_t set = ATTR_NOSUID;
	int fd = clone_source(b);

	if (fd < 0)
		return -1;
	/*
	 * A device takes what is written to it on a read-only mount too, which keeps its mode, its owner
	 * and its times: those are the host's own node's.
	 */
	if (!(b->flags & BIND_WRITE) || b->flags & BIND_DEVICE)
		set |= ATTR_RDONLY;
	if (!(b->flags & BIND_DEVICE))
		set |= ATTR_NODEV;
	if (set_attributes(fd, "", AT_EMPTY_PATH | RECURSIVE, set)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* EROFS: within a directory that is bound read-only, it must exist. */
static int make_dir(const char *path)
{
	return mkdir(path, 0755) && errno != EEXIST && errno != EROFS ? -1 : 0;
}

/* mkdir -p of all of it, or of all but the last part. What is there already is good. */
static int make_path(const char *path, bool file)
{
	char part[PATH_MAX];
	size_t len = strlen(path);

	if (len >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!file && !make_dir(path)) /* mostly only the last part is new */
		return 0;
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i])
			continue;
		if (!path[i] && file)
			break;
		memcpy(part, path, i);
		part[i] = '\0';
		if (make_dir(part))
			return -1;
	}
	return 0;
}

/* Something is there already: a file of a directory that was bound, or one that may not be a link. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0444);

	if (fd < 0)
		return errno == EROFS || errno == EACCES ? 0 : -1; /* the mount itself will tell */
	(void)close(fd);
	return 0;
}

static int make_file(const char *path)
{
	int err = mknod(path, S_IFREG | 0444, 0); /* mostly all that it takes */

	if (err && errno == ENOENT && !make_path(path, true))
		err = mknod(path, S_IFREG | 0444, 0);
	return err ? open_file(path) : 0;
}

static int make_target(const struct sandbox_bind *b)
{
	return b->flags & BIND_FILE ? make_file(b->to) : make_path(b->to, false);
}

/* The descriptor closes at exec: a call for each would only take longer. */
static int attach(const struct sandbox_bind *b, int fd)
{
	if (fd < 0) /* optional, and not there */
		return 0;
	if (make_target(b))
		return -1;
	return (int)syscall(SYS_move_mount, fd, "", AT_FDCWD, b->to, MOVE_EMPTY);
}

/* Every source is opened in the host's view, before /tmp and the root are covered. */
static int open_all(const struct sandbox_bind *b, size_t cnt, int *fds)
{
	for (size_t i = 0; i < cnt; i++) {
		fds[i] = open_bind(&b[i]);
		if (fds[i] < 0 && !(errno == ENOENT && b[i].flags & BIND_OPTIONAL))
			return -1;
	}
	return 0;
}

static int attach_all(const struct sandbox_bind *b, size_t cnt, const int *fds)
{
	for (size_t i = 0; i < cnt; i++) {
		if (attach(&b[i], fds[i]))
			return -1;
	}
	return 0;
}

/* An empty root; the host's lies in /old. */
static int change_root(void)
{
	if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, TMPFS_OPTIONS) || chdir("/tmp") ||
	    mkdir("old", 0700))
		return -1;
	if (syscall(SYS_pivot_root, ".", "old"))
		return -1;
	return chdir("/");
}

static int make_dirs(void)
{
	for (const struct sandbox_dir *d = sandbox_dirs; d->at; d++) {
		if (make_path(d->at, false))
			return -1;
		if (d->tmpfs && mount("tmpfs", d->at, "tmpfs", MS_NOSUID | MS_NODEV, d->tmpfs))
			return -1;
	}
	return 0;
}

/* A directory of that name is one that was bound. */
static int make_link(const struct sandbox_link *l)
{
	return symlink(l->to, l->at) && errno != EEXIST ? -1 : 0;
}

static int make_links(const struct sandbox *s)
{
	for (const struct sandbox_link *l = sandbox_links; l->at; l++) {
		if (make_link(l))
			return -1;
	}
	for (size_t i = 0; i < s->aliases_cnt; i++) {
		if (make_path(s->aliases[i].at, true) || make_link(&s->aliases[i]))
			return -1;
	}
	return 0;
}

/*
 * Of its own PID namespace; without one the host's, read-only. Where a container has covered parts
 * of the host's /proc the kernel refuses a new one to a user namespace (mount_too_revealing): it looks for
 * one that is visible, and finds that of the old root.
 */
static int make_proc(const struct sandbox *s)
{
	static const struct sandbox_bind host = {.from = "/old/proc", .to = "/proc"};
	int fd;

	if (sandbox_layer_on(s, LAYER_PID))
		return mount("proc", "/proc", "proc", PROC_FLAGS, NULL);
	fd = open_bind(&host);
	return fd < 0 ? -1 : attach(&host, fd);
}

int sandbox_enter_root(const struct sandbox *s, const struct sandbox_bind *extra, size_t extra_cnt,
		       enum sandbox_layer *ret_layer)
{
	int fds[SANDBOX_BINDS_MAX], extra_fds[SANDBOX_BINDS_MAX];

	*ret_layer = LAYER_ROOT;
	if (extra_cnt > SANDBOX_BINDS_MAX) {
		errno = E2BIG;
		return -1;
	}
	if (open_all(s->binds, s->binds_cnt, fds) || open_all(extra, extra_cnt, extra_fds))
		return -1;
	if (change_root() || make_dirs())
		return -1;
	/* The root can be had without /proc of a PID namespace, which a masked one forbids. */
	*ret_layer = sandbox_layer_on(s, LAYER_PID) ? LAYER_PID : LAYER_ROOT;
	if (make_proc(s))
		return -1;
	*ret_layer = LAYER_ROOT;
	/* A link in what is bound writable must not lead there while the next targets are made. */
	if (umount2("/old", MNT_DETACH) || rmdir("/old"))
		return -1;
	if (attach_all(s->binds, s->binds_cnt, fds) || attach_all(extra, extra_cnt, extra_fds) ||
	    make_links(s))
		return -1;
	return set_attributes(AT_FDCWD, "/", 0, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV);
}
