/* SPDX-License-Identifier: BSD-2-Clause */
#include "dirs.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include "../util/files.h"
#include "../util/num.h"
#include "../util/path.h"
#include "output_file.h"

#define NAME_TRIES 100

#define SUFFIX_MAX 24 /* ".", ".tmp.", a process's number, ".I" */

/* "DIR/.NAME.tmp." of "DIR/NAME"; owned. A number and ".I" follow. Of a long NAME it is the beginning. */
static char *temp_prefix(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash - path) + 1 : 0;
	char *ret;

	return asprintf(&ret, "%.*s.%.*s.tmp.", dir_len, path, NAME_MAX - SUFFIX_MAX,
			path + dir_len) < 0
		       ? NULL
		       : ret;
}

/* Whether "PID.I" is of a process that is no more, as far as can be seen from this PID namespace. */
static bool is_of_the_dead(const char *text)
{
	char pid[16];
	size_t len = strcspn(text, ".");
	uint64_t v, i;

	if (!text[len] || len >= sizeof(pid) || num_u64(text + len + 1, 0, NAME_TRIES - 1, &i))
		return false;
	(void)snprintf(pid, sizeof(pid), "%.*s", (int)len, text);
	return !num_u64(pid, 1, INT32_MAX, &v) && kill((pid_t)v, 0) && errno == ESRCH;
}

/* False also where the file system has no locks: then nobody has this one. */
static bool is_anothers(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
}

/*
 * Whoever writes one holds its lock: he may live in another container. Whoever removes one holds it, too,
 * so that nobody goes on with a file whose name is about to go.
 */
static void remove_left(int dir_fd, const char *name)
{
	AUTO_FD int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || (!is_anothers(fd) && files_still_there_at(fd, dir_fd, name)))
		(void)unlinkat(dir_fd, name, 0);
}

/* What killed runs left of this very file. What cannot be removed is in nobody's way. */
static void sweep(const char *prefix)
{
	const char *slash = strrchr(prefix, '/');
	const char *name = slash ? slash + 1 : prefix;
	AUTO_FREE char *dir = path_dir(prefix);
	AUTO_DIR DIR *d = dir ? opendir(dir) : NULL;
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, name, strlen(name)) &&
		    is_of_the_dead(e->d_name + strlen(name)))
			remove_left(dirfd(d), e->d_name);
}

/* The first name that is free, by `make`, which returns a descriptor or a negative errno. */
static int take_name(const char *prefix, int (*make)(const char *name, int fd), int fd, char **ret)
{
	for (int i = 0; i < NAME_TRIES; i++) { /* a killed run of the same pid may have left one */
		AUTO_FREE char *temp = NULL;
		int got;

		if (asprintf(&temp, "%s%d.%d", prefix, (int)getpid(), i) < 0) {
			temp = NULL;
			return -ENOMEM;
		}
		got = make(temp, fd);
		if (got >= 0)
			*ret = TAKE_PTR(temp);
		if (got != -EEXIST)
			return got;
	}
	return -EEXIST;
}

/* Until it is locked, another container may take it for one of the dead and remove it. */
static int make_file(const char *name, int none)
{
	AUTO_FD int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	(void)none;
	if (fd < 0)
		return -errno;
	return is_anothers(fd) || !files_still_there(fd, name) ? -EEXIST : TAKE_FD(fd);
}

static int link_file(const char *name, int fd)
{
	char own[32];

	(void)snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/*
 * A file without a name goes with the process, however that ends. It gets one right before it is
 * renamed, for a name that exists cannot be linked over. Not every file system has such files, and
 * the name needs /proc.
 */
static int create_temp(const char *path, char **ret)
{
	AUTO_FREE char *dir = path_dir(path);
	AUTO_FREE char *prefix = temp_prefix(path);
	int fd;

	if (!dir || !prefix)
		return -ENOMEM;
	sweep(prefix);
	fd = access("/proc/self/fd", X_OK) ? -1 : open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
	if (fd < 0)
		return take_name(prefix, make_file, -1, ret);
	(void)flock(fd, LOCK_EX | LOCK_NB); /* where it can be: it is ours alone */
	return fd;
}

static int name_temp(struct atomic_file *f)
{
	AUTO_FREE char *prefix = temp_prefix(f->path);

	return prefix ? take_name(prefix, link_file, fileno(f->file), &f->temp) : -ENOMEM;
}

/* Takes both, also when it fails. `fd` may be a negative errno. */
static int begin(struct atomic_file *f, int fd, struct atomic_file *ret)
{
	int err;

	f->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (f->file) {
		*ret = *f;
		return 0;
	}
	err = fd < 0 ? fd : -errno;
	if (fd >= 0)
		(void)close(fd); /* nothing was written */
	atomic__abort(f);
	return err;
}

int atomic__open(struct atomic_file *ret, const char *path)
{
	struct atomic_file f = {.path = strdup(path)};
	struct stat st;

	if (!f.path)
		return -ENOMEM;
	if (!lstat(path, &st) && S_ISDIR(st.st_mode))
		return begin(&f, -EISDIR, ret);
	return begin(&f, create_temp(f.path, &f.temp), ret);
}

int atomic__open_named(struct atomic_file *ret, const char *path)
{
	struct atomic_file f = {0};
	struct output_file to;
	int err = output_file__find(path, &to);

	if (err)
		return err;
	f.path = to.path; /* taken */
	f.through = to.through;
	return begin(&f, f.through ? output_file__open(&to) : create_temp(f.path, &f.temp), ret);
}

const char *atomic_strerror(int err)
{
	return err == -ENXIO ? "it is a pipe that nobody reads, or a socket" : strerror(-err);
}

static int sync_dir_of(const char *path)
{
	AUTO_FREE char *dir = path_dir(path);
	AUTO_FD int fd = -1;

	if (!dir)
		return -ENOMEM;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) ? -errno : 0;
}

/* fwrite, fclose and even fflush can look well on a full disk: every step is asked. */
static int finish(struct atomic_file *f)
{
	int err = 0;

	if (fflush(f->file) || ferror(f->file))
		err = errno ? -errno : -EIO;
	if (!err && !f->through && fsync(fileno(f->file)))
		err = -errno;
	if (!err && !f->through && !f->temp)
		err = name_temp(f);
	if (fclose(TAKE_PTR(f->file)) && !err)
		err = -errno;
	return err;
}

int atomic__commit(struct atomic_file *f)
{
	/* its lock, which would go when it is closed, before it has its own name */
	int held = f->through ? -1 : fcntl(fileno(f->file), F_DUPFD_CLOEXEC, 0);
	int err = finish(f);

	if (!err && f->temp) {
		err = renameat(AT_FDCWD, f->temp, AT_FDCWD, f->path) ? -errno : 0;
		if (!err) { /* the name is gone: abort must not remove a stranger's */
			free(TAKE_PTR(f->temp));
			err = sync_dir_of(f->path);
		}
	}
	atomic__abort(f);
	cleanup_fd(&held);
	return err;
}

void atomic__abort(struct atomic_file *f)
{
	if (f->file)
		(void)fclose(f->file); /* given up anyway */
	if (f->temp)
		(void)unlink(f->temp);
	free(f->temp);
	free(f->path);
	*f = (struct atomic_file){0};
}
