/* SPDX-License-Identifier: BSD-2-Clause */
#include "work.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include "../util/files.h"
#include "beneath.h"
#include "dirs.h"
#include "remove.h"

#define LOCK_POLL_NS 50000000

static int no_memory(struct problem *why)
{
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

/* CACHE/NAME, made. */
static int place(const char *name, char **ret, struct problem *why)
{
	AUTO_FREE char *cache = NULL;
	AUTO_FREE char *path = NULL;
	int err = dirs_cache(&cache, why);

	if (err)
		return err;
	if (asprintf(&path, "%s/%s", cache, name) < 0) {
		path = NULL;
		return no_memory(why);
	}
	err = dirs_make(path);
	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", path,
				   strerror(-err));
	*ret = TAKE_PTR(path);
	return 0;
}

/* Work directories */

/* `dir` is locked: nobody takes a new directory for one that a killed run left. */
static int make_locked(struct work *w, const char *dir)
{
	AUTO_FD int all = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (all < 0 || flock(all, LOCK_SH) || !mkdtemp(w->path))
		return -errno;
	w->fd = open(w->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (w->fd < 0 || flock(w->fd, LOCK_SH | LOCK_NB)) {
		int err = -errno;

		(void)rmdir(w->path);
		cleanup_fd(&w->fd);
		return err;
	}
	return 0;
}

int work__new(struct work *ret, struct problem *why)
{
	AUTO_FREE char *dir = NULL;
	struct work w = {.fd = -1};
	int err = place("work", &dir, why);

	if (err)
		return err;
	if (asprintf(&w.path, "%s/XXXXXX", dir) < 0)
		return no_memory(why);
	err = make_locked(&w, dir);
	if (err) {
		err = problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", w.path,
				  strerror(-err));
		free(w.path);
		return err;
	}
	*ret = w;
	return 0;
}

void work__done(struct work *w)
{
	if (w->path) {
		remove_quietly(w->path); /* `joust clean` takes what stays behind */
		cleanup_fd(&w->fd);
	}
	free(w->path);
	*w = (struct work){.fd = -1};
}

/* Locks */

static void nap(void)
{
	struct timespec t = {.tv_nsec = LOCK_POLL_NS};

	(void)nanosleep(&t, NULL); /* a nap cut short is one more look */
}

/* Waits for the lock while others build or remove this tree; the user may not want to wait. */
static int lock_wait(int fd, int kind, int interrupt_fd)
{
	while (flock(fd, kind | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (interrupted(interrupt_fd))
			return -EINTR;
		nap();
	}
	return 0;
}

static int lock_path(const char *path, int kind, int interrupt_fd, int *ret_fd)
{
	int err;

	for (;;) {
		AUTO_FD int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		err = fd < 0 ? -errno : lock_wait(fd, kind, interrupt_fd);
		if (err)
			return err;
		if (files_still_there(fd, path)) {
			*ret_fd = TAKE_FD(fd);
			return 0;
		}
	}
}

static int lock_failed(const struct slot *s, int err, struct problem *why)
{
	if (err == -EINTR)
		return err;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", s->lock, strerror(-err));
}

/* Trees by key */

static int name_slot(struct slot *s, const char *key, struct problem *why)
{
	AUTO_FREE char *dir = NULL;
	int err = place("trees", &dir, why);

	if (err)
		return err;
	if (asprintf(&s->root, "%s/%s", dir, key) < 0)
		s->root = NULL;
	if (asprintf(&s->scratch, "%s/%s.env", dir, key) < 0)
		s->scratch = NULL;
	if (asprintf(&s->marker, "%s/%s.ok", dir, key) < 0)
		s->marker = NULL;
	if (asprintf(&s->lock, "%s/%s.lock", dir, key) < 0)
		s->lock = NULL;
	return s->root && s->scratch && s->marker && s->lock ? 0 : no_memory(why);
}

static int clear(const struct slot *s, struct problem *why)
{
	const char *const paths[] = {s->marker, s->root, s->scratch}; /* the marker goes first */

	for (size_t i = 0; i < 3; i++) {
		int err = dirs_remove(paths[i]);

		if (err)
			return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "cannot remove %s: %s",
					   paths[i], strerror(-err));
	}
	return 0;
}

/*
 * From the exclusive lock to the shared one. The kernel may let a cleaner in between: then the tree
 * is gone, and that is seen.
 */
static int downgrade(struct slot *s, struct problem *why)
{
	s->mine = false;
	if (flock(s->lock_fd, LOCK_SH) || access(s->marker, F_OK))
		return lock_failed(s, -errno, why);
	return 0;
}

/* The kernel drops the shared lock first, also when it then refuses the exclusive one. */
bool slot__try_alone(struct slot *s)
{
	return !flock(s->lock_fd, LOCK_EX | LOCK_NB);
}

int slot__share(struct slot *s, struct problem *why)
{
	return downgrade(s, why);
}

static int lock_slot(struct slot *s, int interrupt_fd, bool *ret_valid, struct problem *why)
{
	int err = lock_path(s->lock, LOCK_SH, interrupt_fd, &s->lock_fd);

	if (err)
		return lock_failed(s, err, why);
	if (!access(s->marker, F_OK)) {
		*ret_valid = true;
		/* the time of use, for pruning; a full disk does not matter here */
		(void)utimensat(AT_FDCWD, s->marker, NULL, 0);
		return 0;
	}
	cleanup_fd(&s->lock_fd);
	s->lock_fd = -1;
	err = lock_path(s->lock, LOCK_EX, interrupt_fd, &s->lock_fd);
	if (err)
		return lock_failed(s, err, why);
	*ret_valid = !access(s->marker, F_OK); /* another run may have built it meanwhile */
	if (*ret_valid)
		return downgrade(s, why);
	s->mine = true;
	return clear(s, why);
}

int slot__open(struct slot *ret, const char key[static TREE_KEY], int interrupt_fd, bool *ret_valid,
	       struct problem *why)
{
	struct slot s = {.lock_fd = -1};
	bool valid = false;
	int err = name_slot(&s, key, why);

	if (!err)
		err = lock_slot(&s, interrupt_fd, &valid, why);
	if (err) {
		slot__done(&s);
		return err;
	}
	*ret = s;
	*ret_valid = valid;
	return 0;
}

int slot__publish(struct slot *s, const char *seal, struct problem *why)
{
	struct atomic_file f;
	int err = atomic__open(&f, s->marker);

	if (!err) {
		fprintf(f.file, "%s\n", seal); /* commit asks for errors */
		err = atomic__commit(&f);
	}
	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", s->marker,
				   strerror(-err));
	return downgrade(s, why);
}

void slot_seal(const struct slot *s, char ret[static 128])
{
	AUTO_FILE FILE *f = fopen(s->marker, "re");

	ret[0] = '\0';
	if (f && !fgets(ret, 128, f))
		ret[0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
}

int slot__void(struct slot *s, struct problem *why)
{
	cleanup_fd(&s->lock_fd);
	s->lock_fd = open(s->lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (s->lock_fd < 0)
		return lock_failed(s, -errno, why);
	/* No waiting: who uses it may be this very process, for the other side. */
	if (flock(s->lock_fd, LOCK_EX | LOCK_NB))
		return problem_set(
			why, EXIT_COULD_NOT_COMPARE, -EBUSY,
			"a program in %s was changed after the build, and a running joust uses "
			"the tree: wait for its end",
			s->root);
	s->mine = true;
	return clear(s, why);
}

void slot__done(struct slot *s)
{
	struct problem ignored = {0};

	if (s->mine) {
		(void)clear(s, &ignored); /* without a marker it is worth nothing to anyone */
		problem__done(&ignored);
	}
	cleanup_fd(&s->lock_fd);
	free(s->root);
	free(s->scratch);
	free(s->marker);
	free(s->lock);
	*s = (struct slot){.lock_fd = -1};
}

/* Pruning */

struct used {
	char key[TREE_KEY];
	int64_t when; /* ns since the epoch; 0: never */
};

static int oldest_first(const void *a, const void *b)
{
	const struct used *x = a, *y = b;

	return (x->when > y->when) - (x->when < y->when);
}

/* Every tree by its lock file; one without a marker was left by a killed run: older than all. */
static size_t list_used(const char *trees, struct used **ret)
{
	AUTO_DIR DIR *dir = opendir(trees);
	const struct dirent *e;
	struct used *list = NULL;
	size_t cnt = 0;

	while (dir && (e = readdir(dir))) {
		char marker[TREE_KEY + 3];
		struct used *bigger;
		struct stat st;

		if (strlen(e->d_name) != TREE_KEY - 1 + 5 ||
		    strcmp(e->d_name + TREE_KEY - 1, ".lock"))
			continue;
		bigger = reallocarray(list, cnt + 1, sizeof(*list));
		if (!bigger)
			break;
		list = bigger;
		(void)snprintf(marker, sizeof(marker), "%.*s.ok", TREE_KEY - 1,
			       e->d_name); /* fits */
		list[cnt].when = fstatat(dirfd(dir), marker, &st, 0)
					 ? 0
					 : st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
		memcpy(list[cnt].key, e->d_name, TREE_KEY - 1);
		list[cnt++].key[TREE_KEY - 1] = '\0';
	}
	*ret = list;
	return cnt;
}

/* False where it is in use, or cannot be removed. */
static bool prune_one(const char *key)
{
	struct problem ignored = {0};
	struct slot s = {.lock_fd = -1};
	bool gone = false;

	if (!name_slot(&s, key, &ignored)) {
		s.lock_fd = open(s.lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
		gone = s.lock_fd >= 0 && !flock(s.lock_fd, LOCK_EX | LOCK_NB) &&
		       files_still_there(s.lock_fd, s.lock) && !clear(&s, &ignored);
		if (gone)
			(void)unlink(s.lock); /* an empty file more does not matter */
	}
	slot__done(&s);
	problem__done(&ignored);
	return gone;
}

static void prune_unlocked(int dir, const char *name)
{
	AUTO_FD int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct removal r = {0};

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		IGNORE_ERROR(remove_at(dir, name, &r)); /* `joust clean` will say why */
}

/* Work directories of killed runs, unless somebody is making one just now. */
static void prune_work(void)
{
	AUTO_FREE char *work = NULL;
	AUTO_DIR DIR *dir = NULL;
	struct problem ignored = {0};
	const struct dirent *e;

	dir = place("work", &work, &ignored) ? NULL : opendir(work);
	problem__done(&ignored);
	if (!dir || flock(dirfd(dir), LOCK_EX | LOCK_NB))
		return;
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.')
			prune_unlocked(dirfd(dir), e->d_name);
}

void slots_prune(size_t keep)
{
	AUTO_FREE struct used *list = NULL;
	AUTO_FREE char *trees = NULL;
	struct problem ignored = {0};
	size_t cnt, left;

	if (place("trees", &trees, &ignored)) {
		problem__done(&ignored);
		return;
	}
	cnt = list_used(trees, &list);
	if (cnt)
		qsort(list, cnt, sizeof(*list), oldest_first);
	left = cnt;
	for (size_t i = 0; i < cnt; i++) {
		if (left > keep || !list[i].when)
			left -= prune_one(list[i].key);
	}
	prune_work();
}
