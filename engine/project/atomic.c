/* SPDX-License-Identifier: BSD-2-Clause */
#include "dirs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_TRIES 100

/* A pipe, a terminal, /dev/stdout: what a rename would replace rather than write to. */
static bool writes_through(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int create_temp(const char *path, char **ret)
{
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash - path) + 1 : 0;

	for (int i = 0; i < NAME_TRIES; i++) { /* a killed run of the same pid may have left one */
		AUTO_FREE char *temp = NULL;
		int fd;

		if (asprintf(&temp, "%.*s.%s.tmp.%d.%d", dir_len, path, path + dir_len,
			     (int)getpid(), i) < 0) {
			temp = NULL;
			return -ENOMEM;
		}
		fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
		if (fd >= 0) {
			*ret = TAKE_PTR(temp);
			return fd;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

int atomic__open(struct atomic_file *ret, const char *path)
{
	struct atomic_file f = {.path = strdup(path)};
	struct stat st;
	int fd, err;

	if (!f.path)
		return -ENOMEM;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		fd = -EISDIR;
	else if (writes_through(path))
		fd = (fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)) < 0 ? -errno : fd;
	else
		fd = create_temp(path, &f.temp);
	f.file = fd < 0 ? NULL : fdopen(fd, "w");
	if (f.file) {
		*ret = f;
		return 0;
	}
	err = fd < 0 ? fd : -errno;
	if (fd >= 0)
		(void)close(fd); /* nothing was written */
	atomic__abort(&f);
	return err;
}

static int sync_dir_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	AUTO_FREE char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
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
	if (!err && f->temp && fsync(fileno(f->file)))
		err = -errno;
	if (fclose(TAKE_PTR(f->file)) && !err)
		err = -errno;
	return err;
}

int atomic__commit(struct atomic_file *f)
{
	int err = finish(f);

	if (!err && f->temp) {
		err = renameat(AT_FDCWD, f->temp, AT_FDCWD, f->path) ? -errno : 0;
		if (!err) { /* the name is gone: abort must not remove a stranger's */
			free(TAKE_PTR(f->temp));
			err = sync_dir_of(f->path);
		}
	}
	atomic__abort(f);
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
