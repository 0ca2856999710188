/* SPDX-License-Identifier: BSD-2-Clause */
/* Two runs, in two containers, that write the same file: neither takes the other's for one left. */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the other run does right before we lock our file. */
enum other { OTHER_NOTHING, OTHER_REMOVES, OTHER_LOCKS };

static enum other other;
static int other_fd;
static int no_locks; /* an errno: what flock says of a file system without locks */
static bool unlocked_at_unlink, unlocked_at_rename;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);
int __real_unlinkat(int dir_fd, const char *name, int flags);
int __wrap_unlinkat(int dir_fd, const char *name, int flags);
int __real_renameat(int a, const char *x, int b, const char *y);
int __wrap_renameat(int a, const char *x, int b, const char *y);

/* As of a file system without O_TMPFILE. */
int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if ((flags & O_TMPFILE) != O_TMPFILE)
		return __real_open(path, flags, mode);
	errno = EOPNOTSUPP;
	return -1;
}

static char *temp_name(int pid, int i)
{
	static char name[256];

	(void)snprintf(name, sizeof(name), "%s/.a.tmp.%d.%d", root, pid, i);
	return name;
}

int __wrap_flock(int fd, int operation)
{
	enum other now = other;

	other = OTHER_NOTHING;
	if (no_locks) {
		errno = no_locks;
		return -1;
	}
	if (now == OTHER_REMOVES)
		assert_int_equal(unlink(temp_name(getpid(), 0)), 0);
	if (now == OTHER_LOCKS) {
		other_fd = __real_open(temp_name(getpid(), 0), O_RDONLY | O_CLOEXEC);
		assert_true(other_fd >= 0);
		assert_int_equal(__real_flock(other_fd, LOCK_EX | LOCK_NB), 0);
	}
	return __real_flock(fd, operation);
}

/* Whether somebody else could take the lock of a file now. */
static bool is_free(int dir_fd, const char *name)
{
	AUTO_FD int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && !__real_flock(fd, LOCK_EX | LOCK_NB);
}

int __wrap_unlinkat(int dir_fd, const char *name, int flags)
{
	unlocked_at_unlink |= strstr(name, ".tmp.") && is_free(dir_fd, name);
	return __real_unlinkat(dir_fd, name, flags);
}

int __wrap_renameat(int a, const char *x, int b, const char *y)
{
	unlocked_at_rename |= is_free(a, x);
	return __real_renameat(a, x, b, y);
}

static int setup(void **state)
{
	other = OTHER_NOTHING;
	other_fd = -1;
	no_locks = 0;
	unlocked_at_unlink = unlocked_at_rename = false;
	return make_root(state);
}

static char *path_of_a(void)
{
	static char path[128];

	(void)snprintf(path, sizeof(path), "%s/a", root);
	return path;
}

static int replace(void)
{
	struct atomic_file f;
	int err = atomic__open(&f, path_of_a());

	if (err)
		return err;
	assert_true(fputs("new", f.file) >= 0);
	return atomic__commit(&f);
}

static void holds_new(void)
{
	AUTO_FILE FILE *f = fopen(path_of_a(), "re");
	char text[8] = "";

	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	assert_string_equal(text, "new");
}

/* What a process left that is no more; its number. */
static int leave_one(void)
{
	pid_t pid = fork();
	char path[64];

	if (!pid)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	(void)snprintf(path, sizeof(path), "/.a.tmp.%d.0", (int)pid);
	put(path, "half");
	return pid;
}

static void what_the_other_removed_is_made_anew(void **state)
{
	(void)state;
	other = OTHER_REMOVES;
	assert_int_equal(replace(), 0);
	holds_new();
}

/* He is about to remove it. */
static void what_the_other_has_locked_is_his(void **state)
{
	(void)state;
	other = OTHER_LOCKS;
	assert_int_equal(replace(), 0);
	holds_new();
	assert_int_equal(access(temp_name(getpid(), 0), F_OK), 0);
	assert_int_equal(close(other_fd), 0);
}

static void locked_until_it_has_its_name(void **state)
{
	(void)state;
	assert_int_equal(replace(), 0);
	assert_false(unlocked_at_rename);
}

static void what_is_removed_is_locked(void **state)
{
	int pid = leave_one();

	(void)state;
	assert_int_equal(replace(), 0);
	assert_int_equal(access(temp_name(pid, 0), F_OK), -1);
	assert_false(unlocked_at_unlink);
}

static void what_a_living_run_holds_stays(void **state)
{
	char *name = temp_name(leave_one(), 0);
	AUTO_FD int fd = __real_open(name, O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(__real_flock(fd, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(replace(), 0);
	assert_int_equal(access(name, F_OK), 0);
}

static void leftovers_go_where_nothing_can_be_locked(void **state)
{
	static const int errors[] = {ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL};

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		int pid = leave_one();

		no_locks = errors[i];
		assert_int_equal(replace(), 0);
		holds_new();
		assert_int_equal(access(temp_name(pid, 0), F_OK), -1);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_the_other_removed_is_made_anew), T(what_the_other_has_locked_is_his),
		T(locked_until_it_has_its_name),	T(what_is_removed_is_locked),
		T(what_a_living_run_holds_stays),	T(leftovers_go_where_nothing_can_be_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
