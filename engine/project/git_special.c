/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/*
 * So much of one directory is looked through. What lies beyond may still stop libgit2, as may what a
 * configuration or objects/info/alternates points at: git_calls_begin() has the last word then.
 */
#define LOOK_ENTRIES_MAX 262144
#define LOOK_DEPTH_MAX	 64

struct look {
	bool metadata; /* git's own directory, else a working tree */
	unsigned left; /* entries */
	char path[PATH_MAX];
	struct problem *why;
};

/* The directories there that libgit2 reads; hooks, lfs, annex and the like are not its own. */
static const char *const read_there[] = {"info", "logs", "objects", "refs"};

static bool is_read_there(const char *name)
{
	for (size_t i = 0; i < sizeof(read_there) / sizeof(read_there[0]); i++)
		if (!strcmp(name, read_there[i]))
			return true;
	return false;
}

/* Of a working tree; of other names libgit2 1.5 opens regular files only. */
static bool is_rules(const char *name)
{
	return !strcmp(name, ".gitignore") || !strcmp(name, ".gitattributes");
}

/* Opening a FIFO waits, a device may have no end, a socket fails. /dev/null is how rules are hidden. */
static int refuse_special(const struct look *l, const struct stat *st)
{
	bool null = S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);

	if (null || (!S_ISFIFO(st->st_mode) && !S_ISBLK(st->st_mode) && !S_ISCHR(st->st_mode)))
		return 0;
	return problem_set(l->why, EXIT_COULD_NOT_COMPARE, -EINVAL,
			   "%s is a %s, which git would wait for: remove it", l->path,
			   S_ISFIFO(st->st_mode) ? "named pipe" : "device");
}

static int look_through(struct look *l, int fd, unsigned depth);

static int look_at(struct look *l, int dir, const struct dirent *e, unsigned depth)
{
	AUTO_FD int sub = -1;
	struct stat st = {.st_mode = S_IFDIR};

	if (e->d_type == DT_REG || (!l->metadata && e->d_type != DT_DIR &&
				    e->d_type != DT_UNKNOWN && !is_rules(e->d_name)))
		return 0;
	if (e->d_type != DT_DIR &&
	    fstatat(dir, e->d_name, &st,
		    l->metadata || is_rules(e->d_name) ? 0 : AT_SYMLINK_NOFOLLOW))
		return 0; /* gone, or a symlink to nothing: libgit2 finds nothing either */
	if (!S_ISDIR(st.st_mode))
		return l->metadata || is_rules(e->d_name) ? refuse_special(l, &st) : 0;
	if (depth >= LOOK_DEPTH_MAX || (l->metadata && !depth && !is_read_there(e->d_name)))
		return 0;
	sub = openat(dir, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return sub < 0 ? 0 : look_through(l, TAKE_FD(sub), depth + 1);
}

/* Takes the descriptor. What cannot be read is libgit2's to report. */
static int look_through(struct look *l, int fd, unsigned depth)
{
	AUTO_DIR DIR *dir = fdopendir(fd);
	size_t len = strlen(l->path);
	const struct dirent *e;
	int err = 0;

	if (!dir) {
		(void)close(fd); /* nothing was written to it */
		return 0;
	}
	while (!err && l->left && (e = readdir(dir))) {
		l->left--;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    !strcmp(e->d_name, ".git"))
			continue;
		if ((size_t)snprintf(l->path + len, sizeof(l->path) - len, "/%s", e->d_name) <
		    sizeof(l->path) - len)
			err = look_at(l, dirfd(dir), e, depth);
		l->path[len] = '\0';
	}
	return err;
}

static int look(const char *path, bool metadata, struct problem *why)
{
	struct look l = {.metadata = metadata, .left = LOOK_ENTRIES_MAX, .why = why};
	int fd;

	if (!realpath(path, l.path))
		return 0; /* nor can libgit2 open it */
	fd = open(l.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : look_through(&l, fd, 0);
}

int git_refuse_special(const char *gitdir, struct problem *why)
{
	return look(gitdir, true, why);
}

int git_refuse_special_rules(struct git *g, struct problem *why)
{
	int err = g->workdir && !g->looked ? look(g->workdir, false, why) : 0;

	g->looked |= !err;
	return err;
}
