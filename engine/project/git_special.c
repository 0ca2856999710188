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
 * configuration points at: git_calls_begin() has the last word then.
 */
#define LOOK_ENTRIES_MAX 262144
#define LOOK_DEPTH_MAX	 64

/* Of other directories of objects, each of which may name others: libgit2 1.5 goes no deeper, git neither. */
#define ALTERNATES_DEPTH_MAX 5
#define ALTERNATES_MAX	     64
#define ALTERNATES_BYTES     65536

enum look_kind {
	LOOK_WORKTREE,
	LOOK_GIT,     /* git's own directory */
	LOOK_OBJECTS, /* one of objects alone */
};

struct look {
	enum look_kind kind;
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

	if (e->d_type == DT_REG || (l->kind == LOOK_WORKTREE && e->d_type != DT_DIR &&
				    e->d_type != DT_UNKNOWN && !is_rules(e->d_name)))
		return 0;
	if (e->d_type != DT_DIR &&
	    fstatat(dir, e->d_name, &st,
		    l->kind != LOOK_WORKTREE || is_rules(e->d_name) ? 0 : AT_SYMLINK_NOFOLLOW))
		return 0; /* gone, or a symlink to nothing: libgit2 finds nothing either */
	if (!S_ISDIR(st.st_mode))
		return l->kind != LOOK_WORKTREE || is_rules(e->d_name) ? refuse_special(l, &st) : 0;
	if (depth >= LOOK_DEPTH_MAX || (l->kind == LOOK_GIT && !depth && !is_read_there(e->d_name)))
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

static int look(const char *path, enum look_kind kind, struct problem *why)
{
	struct look l = {.kind = kind, .left = LOOK_ENTRIES_MAX, .why = why};
	int fd;

	if (!realpath(path, l.path))
		return 0; /* nor can libgit2 open it */
	fd = open(l.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : look_through(&l, fd, 0);
}

/* Other directories of objects */

struct alternates {
	struct strings seen; /* by their real paths: they may name each other */
	struct problem *why;
};

static bool is_seen(const struct alternates *a, const char *path)
{
	for (size_t i = 0; i < a->seen.cnt; i++)
		if (!strcmp(a->seen.items[i], path))
			return true;
	return false;
}

/* What stands there, or NULL: a special file was refused before, and what cannot be read names none. */
static char *alternates_of(const char *objects)
{
	AUTO_FREE char *text = malloc(ALTERNATES_BYTES + 1);
	char path[PATH_MAX];
	AUTO_FD int fd = -1;
	size_t len = 0;
	ssize_t n = 1;

	if (!text ||
	    (size_t)snprintf(path, sizeof(path), "%s/info/alternates", objects) >= sizeof(path))
		return NULL;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	while (fd >= 0 && len < ALTERNATES_BYTES && n > 0) {
		n = read(fd, text + len, ALTERNATES_BYTES - len);
		len += n > 0 ? (size_t)n : 0;
	}
	text[len] = '\0';
	return TAKE_PTR(text);
}

static int look_at_alternates(struct alternates *a, const char *objects, unsigned depth);

static int look_at_objects(struct alternates *a, const char *path, unsigned depth)
{
	char real[PATH_MAX];
	int err;

	if (a->seen.cnt >= ALTERNATES_MAX || !realpath(path, real) || is_seen(a, real))
		return 0; /* libgit2 cannot open it either, or it was looked through */
	if (strings__add(&a->seen, real))
		return problem_set(a->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	err = look(real, LOOK_OBJECTS, a->why);
	return err ? err : look_at_alternates(a, real, depth + 1);
}

/*
 * Relative paths begin at the directory that names them; what libgit2 does not take for such, it opens
 * from the working directory. # begins a comment.
 */
static int look_at_alternate(struct alternates *a, const char *objects, const char *line,
			     unsigned depth)
{
	char path[PATH_MAX];
	int err = 0;

	if (!line[0] || line[0] == '#')
		return 0;
	if (line[0] != '/' &&
	    (size_t)snprintf(path, sizeof(path), "%s/%s", objects, line) < sizeof(path))
		err = look_at_objects(a, path, depth);
	return err ? err : look_at_objects(a, line, depth);
}

static int look_at_alternates(struct alternates *a, const char *objects, unsigned depth)
{
	AUTO_FREE char *text = depth <= ALTERNATES_DEPTH_MAX ? alternates_of(objects) : NULL;
	int err = 0;

	for (char *rest = text, *line; !err && (line = strsep(&rest, "\r\n"));)
		err = look_at_alternate(a, objects, line, depth);
	return err;
}

static int look_beyond(const char *gitdir, struct problem *why)
{
	struct alternates a = {.why = why};
	char path[PATH_MAX], objects[PATH_MAX];
	int err = 0;

	if ((size_t)snprintf(path, sizeof(path), "%s/objects", gitdir) < sizeof(path) &&
	    realpath(path, objects))
		err = look_at_alternates(&a, objects, 0);
	strings__done(&a.seen);
	return err;
}

int git_refuse_special(const char *gitdir, struct problem *why)
{
	int err = look(gitdir, LOOK_GIT, why);

	return err ? err : look_beyond(gitdir, why);
}

int git_refuse_special_rules(struct git *g, struct problem *why)
{
	int err = g->workdir && !g->looked ? look(g->workdir, LOOK_WORKTREE, why) : 0;

	g->looked |= !err;
	return err;
}
