/* SPDX-License-Identifier: BSD-2-Clause */
#include "dirs.h"
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include "../util/files.h"
#include "../../stats/fnv.h"
#include "remove.h"

#define SLUG_MAX 40

/* Making */

static int make_one(const char *path)
{
	struct stat st;

	if (!mkdir(path, 0700) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return errno == EEXIST ? -ENOTDIR : -errno;
}

int dirs_make(const char *path)
{
	AUTO_FREE char *copy = strdup(path);
	struct stat st;
	int err;

	if (!copy)
		return -ENOMEM;
	for (char *p = copy + strspn(copy, "/"); (p = strchr(p, '/')); p++) {
		*p = '\0';
		err = make_one(copy);
		if (err)
			return err;
		*p = '/';
	}
	if (!mkdir(path, 0700))
		return 0;
	if (errno != EEXIST || lstat(path, &st))
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : S_ISLNK(st.st_mode) ? -ELOOP : -ENOTDIR;
}

static void sweep(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_DIR DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;

	if (!dir && copy >= 0)
		(void)close(copy); /* a directory: nothing to lose */
	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			(void)unlinkat(fd, e->d_name, 0); /* fails for . and .., as it should */
	}
}

int dirs_hold(const char *path, int *ret_fd)
{
	for (;;) {
		AUTO_FD int fd = -1;
		int err = dirs_make(path);

		if (err)
			return err;
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT)
			continue; /* cleaned away in between */
		if (fd < 0)
			return -errno;
		if (!flock(fd, LOCK_EX | LOCK_NB))
			sweep(fd);
		if (flock(fd, LOCK_SH)) /* a cleaner is through soon */
			return -errno;
		if (!files_still_there(fd, path))
			continue;
		*ret_fd = TAKE_FD(fd);
		return 0;
	}
}

/* Where joust writes, nobody else may: trees are executed from there. */
static int check_private(const char *path, struct problem *why)
{
	struct stat st;
	int err = lstat(path, &st) ? -errno : S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;

	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err,
				   "cannot use the directory %s: %s", path, strerror(-err));
	if (st.st_uid != geteuid())
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
				   "%s belongs to another user (uid %u), so joust does not use it",
				   path, (unsigned)st.st_uid);
	if (st.st_mode & 022)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
				   "others can write to %s, so joust does not use it: chmod 700 %s",
				   path, path);
	return 0;
}

static int make_private(const char *path, struct problem *why)
{
	int err = dirs_make(path);

	return err ? problem_set(why, EXIT_COULD_NOT_COMPARE, err,
				 "cannot make the directory %s: %s", path, strerror(-err))
		   : check_private(path, why);
}

/* Places */

static char *home_dir(void)
{
	const char *home = getenv("HOME");
	const struct passwd *pw;

	if (home && home[0] == '/')
		return strdup(home);
	pw = getpwuid(geteuid());
	return pw && pw->pw_dir && pw->pw_dir[0] == '/' ? strdup(pw->pw_dir) : NULL;
}

static const struct {
	const char *variable, *fallback;
} places[] = {
	{"XDG_CACHE_HOME", ".cache"},
	{"XDG_STATE_HOME", ".local/state"},
};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* $VARIABLE/joust, or HOME/fallback/joust (XDG: a relative value is ignored). */
static int place(const char *variable, const char *fallback, char **ret, struct problem *why)
{
	const char *xdg = getenv(variable);
	AUTO_FREE char *home = NULL;
	int n;

	if (xdg && xdg[0] == '/') {
		n = asprintf(ret, "%s/joust", xdg);
	} else {
		home = home_dir();
		if (!home)
			return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOENT,
					   "there is no home directory; set %s", variable);
		/* what was never there (/nonexistent of a service) is not ours to make */
		if (access(home, F_OK))
			return problem_set(why, EXIT_COULD_NOT_COMPARE, -errno,
					   "the home directory %s: %s; set %s", home,
					   strerror(errno), variable);
		n = asprintf(ret, "%s/%s/joust", home, fallback);
	}
	return n < 0 ? problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory") : 0;
}

/* Should the place lie within a project, git is not to take it for sources. */
static void hide_from_git(const char *path)
{
	AUTO_FREE char *name = NULL;
	int fd = -1;

	if (asprintf(&name, "%s/.gitignore", path) < 0)
		name = NULL;
	if (name)
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return; /* there already; or a later step tells why nothing can be written */
	if (write(fd, "*\n", 2) != 2)
		(void)unlink(name);
	(void)close(fd); /* of no use is no harm */
}

/* The user's own links end here: in what lies below nothing but a trick is one. */
static int resolve(const char *path, char **ret, struct problem *why)
{
	int err;

	*ret = realpath(path, NULL);
	if (*ret)
		return 0;
	err = -errno;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "cannot resolve %s: %s", path,
			   strerror(-err));
}

static int make_place(const char *variable, const char *fallback, char **ret, struct problem *why)
{
	AUTO_FREE char *path = NULL;
	int err = place(variable, fallback, &path, why);

	if (!err)
		err = make_private(path, why);
	if (err)
		return err;
	hide_from_git(path);
	return resolve(path, ret, why);
}

bool dirs_is_own(const struct stat *st)
{
	bool own = false;

	for (size_t i = 0; i < PLACES && !own; i++) {
		struct problem ignored = {0};
		AUTO_FREE char *path = NULL;
		struct stat ours;

		own = !place(places[i].variable, places[i].fallback, &path, &ignored) &&
		      !stat(path, &ours) && ours.st_dev == st->st_dev && ours.st_ino == st->st_ino;
	}
	return own;
}

int dirs_cache(char **ret, struct problem *why)
{
	return make_place(places[0].variable, places[0].fallback, ret, why);
}

static uint32_t hash_text(const char *s)
{
	uint64_t h = fnv1a64(s); /* no adversary, a name only */

	return (uint32_t)(h ^ h >> 32);
}

/* The directory's name as far as it is harmless in a file name. */
static void slug_of(const char *root, char slug[static SLUG_MAX + 1])
{
	const char *base = strrchr(root, '/');
	size_t n = 0;

	for (base = base ? base + 1 : root; *base && n < SLUG_MAX; base++) {
		unsigned char c = (unsigned char)*base;
		bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			     (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || (c == '.' && n);

		slug[n++] = plain ? (char)c : '_';
	}
	slug[n] = '\0';
}

/* BASE/NAME-HASH8 */
static int name_state(const char *base, const char *root, char **ret, struct problem *why)
{
	char slug[SLUG_MAX + 1];

	slug_of(root, slug);
	if (asprintf(ret, "%s/%s-%08x", base, slug[0] ? slug : "root", hash_text(root)) >= 0)
		return 0;
	*ret = NULL;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

int dirs_state(const char *root, char **ret, struct problem *why)
{
	AUTO_FREE char *base = NULL;
	AUTO_FREE char *path = NULL;
	int err = make_place(places[1].variable, places[1].fallback, &base, why);

	if (!err)
		err = name_state(base, root, &path, why);
	if (!err)
		err = make_private(path, why);
	if (!err)
		*ret = TAKE_PTR(path);
	return err;
}

static bool is_missing(const char *path)
{
	struct stat st;

	return lstat(path, &st) && errno == ENOENT;
}

int dirs_state_found(const char *root, char **ret, struct problem *why)
{
	AUTO_FREE char *named = NULL;
	AUTO_FREE char *base = NULL;
	AUTO_FREE char *path = NULL;
	int err = place(places[1].variable, places[1].fallback, &named, why);

	if (!err && is_missing(named))
		return name_state(named, root, ret, why);
	if (!err)
		err = check_private(named, why);
	if (!err)
		err = resolve(named, &base, why);
	if (!err)
		err = name_state(base, root, &path, why);
	if (!err && !is_missing(path))
		err = check_private(path, why);
	if (!err)
		*ret = TAKE_PTR(path);
	return err;
}

/* Cleaning */

int dirs_clean(struct problem *why, unsigned long long *ret_bytes)
{
	struct removal r = {.keep_locked = true};

	for (size_t i = 0; i < PLACES; i++) {
		AUTO_FREE char *path = NULL;
		int err = place(places[i].variable, places[i].fallback, &path, why);

		if (!err)
			err = remove_path(path, &r);
		if (err)
			return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "cannot remove %s: %s",
					   path, strerror(-err));
	}
	if (r.kept)
		(void)problem_set(why, EXIT_PASSED, 0,
				  "what a running joust uses stayed; run joust clean again later");
	*ret_bytes = r.bytes;
	return 0;
}
