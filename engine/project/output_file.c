/* SPDX-License-Identifier: BSD-2-Clause */
#include "output_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "../util/num.h"
#include "../util/path.h"

#define LINKS_MAX 40 /* the kernel's MAXSYMLINKS */

/* The directory of `path`, without links; owned. */
static int real_dir(const char *path, char **ret)
{
	AUTO_FREE char *dir = path_dir(path);
	char *real = dir ? realpath(dir, NULL) : NULL;

	if (!real)
		return dir ? -errno : -ENOMEM;
	*ret = real;
	return 0;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int join(const char *dir, const char *name, char **ret)
{
	if (asprintf(ret, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name) >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

/* -1: it is none. */
static int own_descriptor(const char *dir, const char *name)
{
	static const char *const own[] = {"/proc/self/fd", "/proc/thread-self/fd"};
	uint64_t fd;

	if (num_u64(name, 0, INT_MAX, &fd))
		return -1;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		AUTO_FREE char *real = realpath(own[i], NULL);

		if (real && !strcmp(real, dir))
			return (int)fd;
	}
	return -1;
}

static bool in_proc(const char *dir)
{
	struct statfs fs;

	return !statfs(dir, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* As fs/namei.c, may_follow_link(), decides. */
static bool may_follow(const char *dir, const struct stat *link)
{
	const mode_t open_to_all = S_ISVTX | S_IWOTH;
	struct stat st;

	if (stat(dir, &st))
		return false;
	return link->st_uid == geteuid() || link->st_uid == st.st_uid ||
	       (st.st_mode & open_to_all) != open_to_all;
}

/* Where "DIR/NAME" leads when it is a link, else NULL; owned. */
static int read_link(const char *dir, const char *path, char **ret)
{
	AUTO_FD int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	char text[PATH_MAX];
	struct stat st;
	ssize_t n;

	*ret = NULL;
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISLNK(st.st_mode))
		return 0;
	if (!may_follow(dir, &st))
		return -EACCES;
	n = readlinkat(fd, "", text, sizeof(text) - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	if (text[0] != '/')
		return join(dir, text, ret);
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

/* One link further. ret_next is NULL at the end, and then `f` is filled in. */
static int step(const char *path, struct output_file *f, char **ret_next)
{
	AUTO_FREE char *dir = NULL;
	AUTO_FREE char *here = NULL;
	int err = real_dir(path, &dir);

	*ret_next = NULL;
	if (!err)
		err = join(dir, name_of(path), &here);
	if (err)
		return err;
	f->through = f->in_proc = in_proc(dir);
	f->fd = f->through ? own_descriptor(dir, name_of(path)) : -1;
	if (!f->through)
		err = read_link(dir, here, ret_next);
	if (!err && !*ret_next)
		f->path = TAKE_PTR(here);
	return err;
}

/* Joust's own descriptors close at exec, and what it was started with has outlived one. */
static bool is_inherited(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	return flags >= 0 && !(flags & FD_CLOEXEC);
}

/* A descriptor may be of a directory too, but nobody makes one to write. */
static int look(struct output_file *f)
{
	struct stat st;

	if (f->fd >= 0 && !is_inherited(f->fd))
		return -EBADF;
	if (f->fd >= 0 ? fstat(f->fd, &st) : stat(f->path, &st))
		return errno == ENOENT && !f->through ? 0 : -errno;
	f->through = f->through || !S_ISREG(st.st_mode);
	return S_ISDIR(st.st_mode) ? -EISDIR : 0;
}

int output_file__find(const char *path, struct output_file *ret)
{
	struct output_file f = {.fd = -1};
	AUTO_FREE char *at = strdup(path);
	int err = at ? 0 : -ENOMEM;

	for (int i = 0; !err && !f.path; i++) {
		char *next = NULL;

		err = i > LINKS_MAX ? -ELOOP : step(at, &f, &next);
		free(at);
		at = next;
	}
	if (!err)
		err = look(&f);
	if (err)
		output_file__done(&f);
	else
		*ret = f;
	return err;
}

void output_file__done(struct output_file *f)
{
	free(TAKE_PTR(f->path));
	f->fd = -1;
}

/*
 * A pipe that nobody reads would keep open() for ever, with the signals blocked that could end it. A
 * descriptor is not opened anew: that would begin at the start of its file, and over what is there.
 */
int output_file__open(const struct output_file *f)
{
	AUTO_FD int fd = -1;
	struct stat st;
	int flags;

	if (f->fd >= 0)
		fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	else
		fd = open(f->path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
					   (f->in_proc ? 0 : O_NOFOLLOW));
	if (f->fd < 0 && !f->in_proc && fd >= 0 && (fstat(fd, &st) || S_ISREG(st.st_mode)))
		return -ESTALE; /* somebody put another file in the place of the pipe */
	flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	if (flags < 0)
		return -errno;
	if ((flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (f->fd < 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		return -errno;
	return TAKE_FD(fd);
}

bool output_file_is_stdout(const char *path)
{
	struct output_file f;
	bool ret;

	if (!strcmp(path, "-"))
		return true;
	if (output_file__find(path, &f))
		return false;
	ret = f.fd == STDOUT_FILENO;
	output_file__done(&f);
	return ret;
}
