/* SPDX-License-Identifier: BSD-2-Clause */
#include "beneath.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include "dirs.h"
#include "../util/files.h"

#define COPY_TRIES 3

bool interrupted(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

int transfer_next(struct transfer *t, uint64_t bytes)
{
	if (interrupted(t->interrupt_fd))
		return -EINTR;
	if (++t->files > TREE_FILES_MAX || bytes > TREE_BYTES_MAX - t->bytes)
		return -E2BIG;
	t->bytes += bytes;
	return 0;
}

/* Directories along a path */

static int step_into(int dir, const char *name, bool make)
{
	int fd;

	if (make && mkdirat(dir, name, 0755) && errno != EEXIST)
		return -errno;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int beneath_parent(int root_fd, const char *path, bool make, const char **ret_name)
{
	AUTO_FD int dir = fcntl(root_fd, F_DUPFD_CLOEXEC, 0);
	char name[NAME_MAX + 1];
	const char *slash;
	size_t len;
	int next;

	if (dir < 0)
		return -errno;
	for (;; path = slash + 1) {
		slash = strchrnul(path, '/');
		len = (size_t)(slash - path);
		if (!len || (len == 1 && path[0] == '.') || (len == 2 && !memcmp(path, "..", 2)))
			return -EINVAL;
		if (len > NAME_MAX)
			return -ENAMETOOLONG;
		if (!*slash)
			break;
		memcpy(name, path, len);
		name[len] = '\0';
		next = step_into(dir, name, make);
		if (next < 0)
			return next;
		(void)close(dir); /* opened for reading: nothing can be lost */
		dir = next;
	}
	*ret_name = path;
	return TAKE_FD(dir);
}

/* Writing */

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* Modes are git's two, whatever the umask or the source said: equal trees are equal. */
static int create(int dir, const char *name, bool executable)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	if (fchmod(fd, executable ? 0755 : 0644)) {
		int err = -errno;

		(void)close(fd); /* still empty */
		return err;
	}
	return fd;
}

int beneath_write(int root_fd, const char *path, const void *data, size_t len, bool executable)
{
	const char *name;
	AUTO_FD int dir = beneath_parent(root_fd, path, true, &name);
	AUTO_FD int fd = -1;
	int err;

	if (dir < 0)
		return dir;
	fd = create(dir, name, executable);
	if (fd < 0)
		return fd;
	err = write_all(fd, data, len);
	if (!err && close(TAKE_FD(fd)))
		err = -errno;
	return err;
}

int beneath_symlink(int root_fd, const char *path, const char *target)
{
	const char *name;
	AUTO_FD int dir = beneath_parent(root_fd, path, true, &name);

	if (dir < 0)
		return dir;
	return symlinkat(target, dir, name) ? -errno : 0;
}

/* Copying */

static int copy_by_reading(int from, int to)
{
	AUTO_FREE char *buffer = malloc(1 << 16);
	ssize_t n;
	int err = 0;

	if (!buffer)
		return -ENOMEM;
	while (!err && (n = read(from, buffer, 1 << 16)) != 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		err = n > 0 ? write_all(to, buffer, (size_t)n) : 0;
	}
	return err;
}

static int copy_bytes(int from, int to)
{
	ssize_t n;

	if (!ioctl(to, FICLONE, from))
		return 0;
	while ((n = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
		;
	/* It ends with 0 at once on some virtual file systems: what is left is read. */
	return copy_by_reading(from, to);
}

static bool same_moment(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* 0, or -EAGAIN when the file changed meanwhile (the copy is gone then). */
static int copy_once(int from_dir, const char *name, int to_dir)
{
	AUTO_FD int from = openat(from_dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	AUTO_FD int to = -1;
	struct stat before, after;
	int err;

	if (from < 0 || fstat(from, &before))
		return -errno;
	if (!S_ISREG(before.st_mode))
		return -EAGAIN;
	to = create(to_dir, name, before.st_mode & 0100);
	if (to < 0)
		return to;
	err = copy_bytes(from, to);
	if (!err && fstat(from, &after))
		err = -errno;
	if (!err && !same_moment(&before, &after))
		err = -EAGAIN;
	if (close(TAKE_FD(to)) && !err)
		err = -errno;
	if (err)
		(void)unlinkat(to_dir, name, 0); /* the whole tree goes away if this fails */
	return err;
}

static int copy_symlink(int from_dir, const char *name, int to_dir)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from_dir, name, target, sizeof(target) - 1);

	if (n < 0)
		return -errno;
	target[n] = '\0';
	return symlinkat(target, to_dir, name) ? -errno : 0;
}

static int copy_entry(int from_dir, const char *name, int to_dir, const struct stat *st,
		      struct transfer *t)
{
	int err;

	if (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode))
		return 0; /* sockets, pipes, devices belong to no version */
	err = transfer_next(t, (uint64_t)st->st_size);
	if (err)
		return err;
	err = S_ISLNK(st->st_mode) ? copy_symlink(from_dir, name, to_dir) : -EAGAIN;
	for (int i = 0; i < COPY_TRIES && err == -EAGAIN; i++)
		err = copy_once(from_dir, name, to_dir);
	return err == -EEXIST && t->keep_existing ? 0 : err;
}

static int copy_dir(int from_fd, int to_fd, unsigned depth, struct transfer *t)
{
	AUTO_DIR DIR *dir = NULL;
	const struct dirent *e;
	int err = 0, fd;

	if (depth > TREE_DEPTH_MAX)
		return -E2BIG;
	fd = openat(from_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		err = -errno;
		if (fd >= 0)
			(void)close(fd); /* a directory: nothing to lose */
		return err;
	}
	while (!err && (e = readdir(dir))) {
		AUTO_FD int from = -1;
		AUTO_FD int to = -1;
		struct stat st;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    !strcmp(e->d_name, ".git") || files_is_slot(e->d_name))
			continue;
		if (fstatat(from_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			return -errno;
		if (!S_ISDIR(st.st_mode)) {
			err = copy_entry(from_fd, e->d_name, to_fd, &st, t);
			continue;
		}
		if (dirs_is_own(&st))
			continue;
		from = step_into(from_fd, e->d_name, false);
		to = from < 0 ? from : step_into(to_fd, e->d_name, true);
		err = to < 0 ? to : copy_dir(from, to, depth + 1, t);
	}
	return err;
}

int beneath_copy_all(int from_fd, int to_fd, struct transfer *t)
{
	return copy_dir(from_fd, to_fd, 0, t);
}

static int copy_any(int from_fd, int to_fd, const char *path, bool recurse, struct transfer *t)
{
	const char *name;
	AUTO_FD int from = beneath_parent(from_fd, path, false, &name);
	AUTO_FD int to = -1;
	AUTO_FD int from_sub = -1;
	AUTO_FD int to_sub = -1;
	struct stat st;

	if (from == -ENOTDIR || from == -ELOOP)
		return -ENOENT; /* a directory of the path was replaced by a file or symlink */
	if (from < 0)
		return from;
	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	if (S_ISDIR(st.st_mode) && !recurse)
		return -ENOENT;
	to = beneath_parent(to_fd, path, true, &name);
	if (to < 0)
		return to;
	if (!S_ISDIR(st.st_mode))
		return copy_entry(from, name, to, &st, t);
	from_sub = step_into(from, name, false);
	to_sub = from_sub < 0 ? from_sub : step_into(to, name, true);
	return to_sub < 0 ? to_sub : copy_dir(from_sub, to_sub, 1, t);
}

int beneath_copy(int from_fd, int to_fd, const char *path, struct transfer *t)
{
	return copy_any(from_fd, to_fd, path, true, t);
}

int beneath_copy_file(int from_fd, int to_fd, const char *path, struct transfer *t)
{
	return copy_any(from_fd, to_fd, path, false, t);
}
