/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the configuration opens, resolved once: in a directory that is open for writing a benchmark can put
 * a link in the place of another opened path, and a commit or a build can within the project. None is
 * followed at a start, and none that others than the user may have put there before. What is opened lies
 * at its resolved path; where its name is another, and is not there with what lies around it, that name is
 * a link.
 */
#include "sandbox_private.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../util/path.h"

#define LINKS_MAX 40 /* the kernel's MAXSYMLINKS */

/* Takes str, NULL without memory, and frees it in the end. */
static int own(struct sandbox *s, char *str)
{
	char **grown = str ? reallocarray(s->owned, s->owned_cnt + 1, sizeof(*grown)) : NULL;

	if (!grown) {
		free(str);
		return -ENOMEM;
	}
	s->owned = grown;
	s->owned[s->owned_cnt++] = str;
	return 0;
}

/* Also where it cannot be told. */
static bool is_below(const char *dir, const char *const *tops)
{
	bool found = false;

	for (; tops && *tops && !found; tops++) {
		AUTO_FREE char *real = realpath(*tops, NULL);

		found = real ? path_below(dir, real) != NULL : errno != ENOENT && errno != ENOTDIR;
	}
	return found;
}

/* Of root alone, and this is not root: no benchmark ever ran as that. */
static bool is_of_the_host(const struct stat *dir)
{
	return !dir->st_uid && geteuid() && !(dir->st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * Whether somebody may have put a link into `dir` who is not to say what is opened. A benchmark may have
 * when another configuration opened it for writing, which --sandbox strict does not forgive.
 */
static bool is_of_others(const char *dir, const struct sandbox_request *req)
{
	struct stat st;

	if (stat(dir, &st))
		return true;
	if (is_of_the_host(&st))
		return false;
	return req->level == SANDBOX_STRICT || st.st_mode & S_IWOTH ||
	       (st.st_uid && st.st_uid != geteuid()) || is_below(dir, req->others) ||
	       is_below(dir, req->write);
}

/* The length of the first part of `path`, from its beginning, that is a link; 0: none is. */
static size_t first_link(const char *path)
{
	char part[PATH_MAX];
	struct stat st;

	for (size_t i = 1; i < sizeof(part) && path[i - 1]; i++) {
		if (path[i] && path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (lstat(part, &st))
			return 0; /* realpath will tell */
		if (S_ISLNK(st.st_mode))
			return i;
	}
	return 0;
}

/* One link further, in place. False: it does not fit. */
static bool follow(char path[static PATH_MAX], size_t link, const char *dir)
{
	char target[PATH_MAX], next[PATH_MAX], name[PATH_MAX];
	ssize_t n;
	int len;

	memcpy(name, path, link);
	name[link] = '\0';
	n = readlink(name, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	len = snprintf(next, sizeof(next), "%s%s%s%s", target[0] == '/' ? "" : dir,
		       target[0] == '/' ? "" : "/", target, path + link);
	if (len < 0 || (size_t)len >= sizeof(next))
		return false;
	memcpy(path, next, (size_t)len + 1);
	return true;
}

/* Whether on the way to `path` lies a link that others may have put there, or it cannot be told. */
static bool is_led_astray(const char *path, const struct sandbox_request *req)
{
	char at[PATH_MAX];
	size_t link;

	if ((size_t)snprintf(at, sizeof(at), "%s", path) >= sizeof(at))
		return true;
	for (int i = 0; i < LINKS_MAX; i++) {
		link = first_link(at);
		if (!link)
			return false;

		AUTO_FREE char *name = strndup(at, link);
		AUTO_FREE char *dir = name ? path_dir(name) : NULL;
		AUTO_FREE char *real = dir ? realpath(dir, NULL) : NULL;

		if (!real || is_of_others(real, req) || !follow(at, link, real))
			return true;
	}
	return false; /* a loop, which realpath tells */
}

static int add_bind(struct sandbox *s, const char *path, const char *from, unsigned flags)
{
	struct stat st;

	if (s->binds_cnt == SANDBOX_BINDS_MAX)
		return -E2BIG;
	if (!stat(from, &st) && !S_ISDIR(st.st_mode))
		flags |= BIND_FILE;
	s->binds[s->binds_cnt++] = (struct sandbox_bind){from, from, flags | BIND_NO_LINKS};
	if (strcmp(path, from) != 0)
		s->aliases[s->aliases_cnt++] = (struct sandbox_link){path, from};
	return 0;
}

/* What is not there is left out; what cannot be told is refused: a start would do without a layer. */
static int open_path(struct sandbox *s, const struct sandbox_request *req, const char *path,
		     unsigned flags, struct sandbox_fault *fault)
{
	char *from, *name;
	int err;

	if (is_led_astray(path, req))
		return sandbox_fault__set(fault, FAULT_OF_LINK, path, -EPERM);
	from = realpath(path, NULL);
	if (!from && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!from)
		return errno == ENOMEM ? -ENOMEM
				       : sandbox_fault__set(fault, FAULT_OF_PATH, path, -errno);
	err = own(s, from);
	if (err)
		return err;
	if (!from[1])
		return sandbox_fault__set(fault, FAULT_OF_ROOT, path, -EPERM);
	name = strdup(path);
	err = own(s, name);
	return err ? err : add_bind(s, name, from, flags);
}

/* A directory before what lies in it, which would be covered; of one path the writable one last. */
static int by_depth(const void *a, const void *b)
{
	const struct sandbox_bind *x = a, *y = b;
	size_t m = strlen(x->to), n = strlen(y->to);

	if (m != n)
		return m < n ? -1 : 1;
	return (int)(x->flags & BIND_WRITE) - (int)(y->flags & BIND_WRITE);
}

static int by_length(const void *a, const void *b)
{
	size_t m = strlen(((const struct sandbox_link *)a)->at);
	size_t n = strlen(((const struct sandbox_link *)b)->at);

	return m < n ? -1 : m > n;
}

/* Within what is bound the host's own link is there, and so it is within a shorter alias. */
static void drop_shown_aliases(struct sandbox *s)
{
	size_t cnt = s->aliases_cnt;

	qsort(s->aliases, cnt, sizeof(*s->aliases), by_length);
	s->aliases_cnt = 0;
	for (size_t i = 0; i < cnt; i++) {
		struct sandbox_link alias = s->aliases[i];

		if (!sandbox_shows(s, alias.at))
			s->aliases[s->aliases_cnt++] = alias;
	}
}

int sandbox_opened__add(struct sandbox *s, const struct sandbox_request *req,
			struct sandbox_fault *fault)
{
	/* names are resolved by that file, which mostly is a link of the host's */
	const struct sandbox_request own = {.level = SANDBOX_STANDARD};
	int err = 0;

	s->table_cnt = s->binds_cnt;
	if (req->network)
		err = open_path(s, &own, "/etc/resolv.conf", 0, fault);
	for (const char *const *p = req->read; p && *p && !err; p++)
		err = open_path(s, req, *p, 0, fault);
	for (const char *const *p = req->write; p && *p && !err; p++)
		err = open_path(s, req, *p, BIND_WRITE, fault);
	if (err)
		return err;
	qsort(&s->binds[s->table_cnt], s->binds_cnt - s->table_cnt, sizeof(*s->binds), by_depth);
	drop_shown_aliases(s);
	return 0;
}
