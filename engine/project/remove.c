/* SPDX-License-Identifier: BSD-2-Clause */
#include "remove.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include "dirs.h"

#define DEPTH_MAX 100 /* each level holds a descriptor */

struct walk {
	struct removal *r;
	int top; /* where directories that lie too deep are moved */
	dev_t dev;
	unsigned moved;
};

/* Opens a directory for removing what is in it, although a build took the permission away. */
static int open_dir(int parent, const char *name, const struct stat *st)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == EACCES && !fchmodat(parent, name, 0700, 0))
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if ((st->st_mode & 0700) != 0700)
		(void)fchmod(fd, 0700); /* unlinkat tells if it did not help */
	return fd;
}

/*
 * The lock of KEY, KEY.ok, KEY.env and KEY.lock, held while they go, the marker first: whoever gets
 * the lock next finds no valid tree. -1: there is none; -EWOULDBLOCK: a live run has it.
 */
static int take_lock(int dir, const char *name)
{
	int key_len = (int)strcspn(name, ".");
	char path[300];
	AUTO_FD int fd = -1;

	(void)snprintf(path, sizeof(path), "%.*s.lock", key_len, name); /* names have at most 255 */
	fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB))
		return -EWOULDBLOCK;
	(void)snprintf(path, sizeof(path), "%.*s.ok", key_len, name);
	(void)unlinkat(dir, path, 0); /* it may be gone already */
	return TAKE_FD(fd);
}

static int empty_dir(struct walk *w, int fd, unsigned depth, bool *ret_kept);

static int remove_dir(struct walk *w, int parent, const char *name, const struct stat *st,
		      unsigned depth, bool *ret_kept)
{
	AUTO_FD int fd = -1;
	bool kept = false;
	char aside[32];
	int err;

	if (st->st_dev != w->dev)
		return -EXDEV;
	if (depth >= DEPTH_MAX) { /* the top is read again until it is empty */
		(void)snprintf(aside, sizeof(aside), ".deep-%u", w->moved++);
		return renameat(parent, name, w->top, aside) ? -errno : 0;
	}
	fd = open_dir(parent, name, st);
	if (fd < 0)
		return fd;
	if (w->r->keep_locked && flock(fd, LOCK_EX | LOCK_NB)) {
		w->r->kept++;
		*ret_kept = true;
		return 0;
	}
	err = empty_dir(w, fd, depth, &kept);
	*ret_kept |= kept;
	if (err || kept)
		return err;
	return unlinkat(parent, name, AT_REMOVEDIR) ? -errno : 0;
}

static int remove_entry(struct walk *w, int dir, const char *name, unsigned depth, bool *ret_kept)
{
	AUTO_FD int lock = -1;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	/* joust/trees/KEY*: the third level of a cleaning */
	if (w->r->keep_locked && depth == 1)
		lock = take_lock(dir, name);
	if (lock == -EWOULDBLOCK) {
		w->r->kept += S_ISDIR(st.st_mode) && !strchr(name, '.');
		*ret_kept = true;
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return remove_dir(w, dir, name, &st, depth + 1, ret_kept);
	if (unlinkat(dir, name, 0))
		return errno == ENOENT ? 0 : -errno;
	w->r->bytes += st.st_nlink == 1 ? (unsigned long long)st.st_blocks * 512 : 0;
	return 0;
}

static int empty_dir(struct walk *w, int fd, unsigned depth, bool *ret_kept)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	AUTO_DIR DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	int err = dir ? 0 : -errno;

	while (!err && (e = readdir(dir))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		err = remove_entry(w, fd, e->d_name, depth, ret_kept);
	}
	return err;
}

static int empty_top(int fd, dev_t dev, struct removal *r, bool *ret_kept)
{
	struct walk w = {.r = r, .top = fd, .dev = dev};
	unsigned before;
	int err;

	do { /* once more as long as something was moved up */
		before = w.moved;
		(void)lseek(fd, 0, SEEK_SET); /* its duplicates share the position */
		err = empty_dir(&w, fd, 0, ret_kept);
	} while (!err && w.moved != before);
	return err;
}

int remove_at(int dir, const char *name, struct removal *r)
{
	AUTO_FD int fd = -1;
	bool kept = false;
	struct stat st;
	int err;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISDIR(st.st_mode))
		return unlinkat(dir, name, 0) ? -errno : 0;
	fd = open_dir(dir, name, &st);
	if (fd < 0)
		return fd;
	err = empty_top(fd, st.st_dev, r, &kept);
	if (err || kept)
		return err;
	return unlinkat(dir, name, AT_REMOVEDIR) ? -errno : 0;
}

int remove_path(const char *path, struct removal *r)
{
	return remove_at(AT_FDCWD, path, r);
}

int dirs_remove(const char *path)
{
	struct removal r = {0};

	return remove_path(path, &r);
}

void remove_quietly(const char *path)
{
	if (dirs_remove(path))
		return;
}
