/* SPDX-License-Identifier: BSD-2-Clause */
#include "files.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>
#include "path.h"

bool files_can_run(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

bool files_script_line(const char *path, char ret[static FILES_SCRIPT_LINE])
{
	AUTO_FILE FILE *f = fopen(path, "re");
	char line[FILES_SCRIPT_LINE];
	const char *text;

	if (!f || !fgets(line, sizeof(line), f) || strncmp(line, "#!", 2) != 0)
		return false;
	line[strcspn(line, "\n")] = '\0';
	text = line + 2 + strspn(line + 2, " \t");
	memcpy(ret, text, strlen(text) + 1);
	return true;
}

/* The kernel's own name of what is open: no path that leads there, and no other file's. */
static bool has_path(int fd, const char *path)
{
	char name[32], target[PATH_MAX];
	ssize_t n;

	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, target, sizeof(target));
	return n > 0 && (size_t)n == strlen(path) && !memcmp(target, path, (size_t)n);
}

int files_open_program(const char *path)
{
	AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EACCES; /* as execve says */
	return has_path(fd, path) ? TAKE_FD(fd) : -ELOOP;
}

static int open_stream(const char *path, FILE **ret)
{
	AUTO_FD int fd = files_open_program(path);

	*ret = fd < 0 ? NULL : fdopen(fd, "r");
	if (!*ret)
		return fd < 0 ? fd : -errno;
	(void)TAKE_FD(fd); /* the stream's */
	return 0;
}

int files_equal(const char *a, const char *b, bool *ret)
{
	AUTO_FILE FILE *fa = NULL;
	AUTO_FILE FILE *fb = NULL;
	char buffer_a[16384], buffer_b[16384];
	size_t na, nb;
	int err = open_stream(a, &fa);

	if (!err)
		err = open_stream(b, &fb);
	if (err)
		return err;
	do {
		na = fread(buffer_a, 1, sizeof(buffer_a), fa);
		nb = fread(buffer_b, 1, sizeof(buffer_b), fb);
	} while (na == sizeof(buffer_a) && na == nb && !memcmp(buffer_a, buffer_b, na));
	if (ferror(fa) || ferror(fb))
		return -EIO;
	*ret = na == nb && !memcmp(buffer_a, buffer_b, na) && feof(fa) && feof(fb);
	return 0;
}

static bool is_written(const struct stat *a, const struct stat *b)
{
	return a->st_size != b->st_size || a->st_mtim.tv_sec != b->st_mtim.tv_sec ||
	       a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

static int copy_bytes(int in, int out, struct stat *ret)
{
	struct stat from, after, copy;

	if (fstat(in, &from))
		return -errno;
	if (from.st_size > FILES_PROGRAM_MAX)
		return -EOVERFLOW;
	for (off_t left = from.st_size; left > 0;) {
		ssize_t done = sendfile(out, in, NULL, (size_t)left);

		if (done < 0)
			return -errno;
		if (!done) /* it has become shorter */
			return -ESTALE;
		left -= done;
	}
	if (fchmod(out, (from.st_mode & 0777) | 0500) || fstat(out, &copy) || fstat(in, &after))
		return -errno;
	if (is_written(&from, &after))
		return -ESTALE;
	*ret = copy;
	return 0;
}

/* Not behind a link in the place of its directory; a name that is there already is nobody's to overwrite. */
static int create(const char *path)
{
	const char *name = strrchr(path, '/');
	AUTO_FREE char *dir = path_dir(path);
	AUTO_FD int dir_fd = dir ? open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	int fd;

	if (!dir || dir_fd < 0)
		return dir ? -errno : -ENOMEM;
	if (!name || !has_path(dir_fd, dir))
		return -ELOOP;
	fd = openat(dir_fd, name + 1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
	return fd < 0 ? -errno : fd;
}

int files_copy_program(const char *from, const char *to, struct stat *ret)
{
	AUTO_FD int in = files_open_program(from);
	AUTO_FD int out = -1;
	int err;

	if (in < 0)
		return in;
	out = create(to);
	if (out < 0)
		return out;
	err = copy_bytes(in, out, ret);
	if (close(TAKE_FD(out)) && !err)
		err = -errno;
	if (err)
		(void)unlink(to); /* half a copy is harmless, and `joust clean` removes it */
	return err;
}

const char *files_copy_strerror(int err)
{
	_Static_assert(FILES_PROGRAM_MAX == (off_t)4 << 30, "the number that is said");

	switch (err) {
	case -EOVERFLOW:
		return "it is larger than the 4 GiB that are copied of a program";
	case -EFBIG:
		return "a file is larger than may be written here (ulimit -f)";
	case -ELOOP:
		return "a symbolic link has taken its place, or that of a directory above it";
	case -ESTALE:
		return "it was written while it was copied: wait for its build";
	default:
		return strerror(-err);
	}
}

bool files_is_slot(const char *name)
{
	return !strncmp(name, SLOT_PREFIX, strlen(SLOT_PREFIX));
}

bool files_still_there(int fd, const char *path)
{
	return files_still_there_at(fd, AT_FDCWD, path);
}

bool files_still_there_at(int fd, int dir_fd, const char *name)
{
	struct stat a, b;

	return !fstat(fd, &a) && !fstatat(dir_fd, name, &b, AT_SYMLINK_NOFOLLOW) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
