/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/project/remove.h"

/* The call with this number fails with this error; 0: none. */
static int fsync_fails_at, renameat_fails, fclose_fails, fault = EIO;

static bool no_nameless; /* as of a file system without O_TMPFILE */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int a, const char *x, int b, const char *y);
int __wrap_renameat(int a, const char *x, int b, const char *y);
int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);

int __wrap_open(const char *path, int flags, ...)
{
	bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (nameless || flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (!nameless || !no_nameless)
		return __real_open(path, flags, mode);
	errno = EOPNOTSUPP;
	return -1;
}

int __wrap_fsync(int fd)
{
	if (fsync_fails_at && !--fsync_fails_at) {
		errno = fault;
		return -1;
	}
	return __real_fsync(fd);
}

int __wrap_renameat(int a, const char *x, int b, const char *y)
{
	if (renameat_fails) {
		renameat_fails = 0;
		errno = fault;
		return -1;
	}
	return __real_renameat(a, x, b, y);
}

int __wrap_fclose(FILE *f)
{
	int err = __real_fclose(f);

	if (fclose_fails) {
		fclose_fails = 0;
		errno = fault;
		return EOF;
	}
	return err;
}

static char *at(const char *name)
{
	static char path[4][512];
	static unsigned turn;
	char *p = path[turn++ % 4];

	(void)snprintf(p, 512, "%s/%s", root, name);
	return p;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *text)
{
	char have[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fgets(have, sizeof(have), f) || !text[0]);
	assert_string_equal(have, text);
	assert_int_equal(fclose(f), 0);
}

static int entries(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	assert_int_equal(closedir(d), 0);
	return n - 2;
}

static int setup(void **state)
{
	fsync_fails_at = renameat_fails = fclose_fails = 0;
	no_nameless = false;
	assert_int_equal(make_root(state), 0);
	assert_int_equal(setenv("XDG_CACHE_HOME", at("cache"), 1), 0);
	assert_int_equal(setenv("XDG_STATE_HOME", at("state"), 1), 0);
	return 0;
}

static int replace(const char *path, const char *text)
{
	struct atomic_file f;
	int err = atomic__open(&f, path);

	if (err)
		return err;
	fputs(text, f.file);
	err = atomic__commit(&f);
	assert_null(f.file);
	assert_null(f.temp);
	return err;
}

static void atomic_replaces_and_leaves_nothing(void **state)
{
	(void)state;
	assert_int_equal(replace(at("a"), "old"), 0);
	assert_int_equal(replace(at("a"), "new"), 0);
	holds(at("a"), "new");
	assert_int_equal(entries(root), 1);
}

/* Whatever step fails: its error comes back, the old file stays whole, no temporary file stays. */
static void atomic_failures_keep_the_old_file(void **state)
{
	(void)state;
	write_file(at("a"), "old");
	fsync_fails_at = 1;
	assert_int_equal(replace(at("a"), "new"), -EIO);
	holds(at("a"), "old");
	fault = ENOSPC;
	renameat_fails = 1;
	assert_int_equal(replace(at("a"), "new"), -ENOSPC);
	holds(at("a"), "old");
	fclose_fails = 1;
	assert_int_equal(replace(at("a"), "new"), -ENOSPC);
	holds(at("a"), "old");
	assert_int_equal(entries(root), 1);
	fsync_fails_at = 2; /* of the directory: the rename may not last, so it is said */
	assert_int_equal(replace(at("a"), "new"), -ENOSPC);
	assert_int_equal(entries(root), 1);
}

static void own_files_are_no_pipes(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(mkfifo(at("a"), 0600), 0);
	assert_int_equal(replace(at("a"), "new"), 0); /* and nothing waits for a reader */
	assert_int_equal(lstat(at("a"), &st), 0);
	assert_true(S_ISREG(st.st_mode));
	holds(at("a"), "new");
	assert_int_equal(replace(at("no/such"), "x"), -ENOENT);
	assert_int_equal(mkdir(at("dir"), 0700), 0);
	assert_int_equal(replace(at("dir"), "x"), -EISDIR);
}

static void a_planted_link_is_not_followed(void **state)
{
	char temp[128];
	struct stat st;

	(void)state;
	write_file(at("victim"), "safe");
	assert_int_equal(symlink("victim", at("a")), 0);
	(void)snprintf(temp, sizeof(temp), ".a.tmp.%d.0", (int)getpid());
	assert_int_equal(symlink("victim", at(temp)), 0);
	assert_int_equal(replace(at("a"), "new"), 0);
	holds(at("victim"), "safe");
	holds(at("a"), "new");
	assert_int_equal(lstat(at("a"), &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

/* A process that is killed while it writes; its number. */
static pid_t write_and_die(const char *path)
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (!pid) {
		struct atomic_file f;

		if (atomic__open(&f, path) || fputs("half", f.file) < 0 || fflush(f.file))
			_exit(1);
		(void)raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return pid;
}

static void a_killed_writer_leaves_nothing(void **state)
{
	int fd = open(root, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);

	(void)state;
	if (fd < 0) { /* the next test is of such file systems */
		print_message("# skipped: no file without a name can be made here: %s\n",
			      strerror(errno));
		skip();
	}
	assert_int_equal(close(fd), 0);
	(void)write_and_die(at("a"));
	assert_int_equal(entries(root), 0);
}

static void what_one_left_the_next_removes(void **state)
{
	char name[64];

	(void)state;
	no_nameless = true;
	(void)snprintf(name, sizeof(name), ".a.tmp.%d.0", (int)write_and_die(at("a")));
	holds(at(name), "half");
	assert_int_equal(replace(at("b"), "x"), 0); /* another file's */
	holds(at(name), "half");
	(void)snprintf(name, sizeof(name), ".a.tmp.%d.0", (int)getppid()); /* it lives */
	write_file(at(name), "mine");
	write_file(at(".a.tmp.x.0"), "no number");
	assert_int_equal(entries(root), 4);
	no_nameless = false;
	assert_int_equal(replace(at("a"), "new"), 0);
	holds(at("a"), "new");
	holds(at(name), "mine");
	assert_int_equal(entries(root), 4); /* a, b and the two that are let be */
}

static void abort_leaves_nothing(void **state)
{
	struct atomic_file f;

	(void)state;
	assert_int_equal(atomic__open(&f, at("a")), 0);
	fputs("x", f.file);
	atomic__abort(&f);
	atomic__abort(&f);
	assert_int_equal(entries(root), 0);
}

static void places_are_private(void **state)
{
	struct problem why = {0};
	char *path;
	struct stat st;

	(void)state;
	assert_int_equal(dirs_cache(&path, &why), 0);
	assert_string_equal(path, at("cache/joust"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(chmod(path, 0777), 0);
	free(path);
	assert_int_equal(dirs_cache(&path, &why), -EPERM);
	assert_non_null(strstr(why.text, "others can write"));
	assert_int_equal(dirs_remove(at("cache/joust")), 0);
	assert_int_equal(symlink(root, at("cache/joust")), 0);
	why = (struct problem){0};
	assert_int_equal(dirs_cache(&path, &why), -ELOOP);
	assert_int_equal(unlink(at("cache/joust")), 0);
	why = (struct problem){0};
	if (!geteuid()) {
		assert_int_equal(mkdir(at("cache/joust"), 0700), 0);
		assert_int_equal(chown(at("cache/joust"), 12345, 12345), 0);
		assert_int_equal(dirs_cache(&path, &why), -EPERM);
		assert_non_null(strstr(why.text, "another user"));
	}
	problem__done(&why);
}

static void state_names_are_harmless_and_unique(void **state)
{
	struct problem why = {0};
	char *a, *b, *c;

	(void)state;
	assert_int_equal(dirs_state("/x/my parser\x1b", &a, &why), 0);
	assert_non_null(strstr(a, "/joust/my_parser_-"));
	assert_int_equal(dirs_state("/y/my parser\x1b", &b, &why), 0);
	assert_string_not_equal(a, b);
	assert_int_equal(dirs_state("/", &c, &why), 0);
	assert_non_null(strstr(c, "/joust/root-"));
	free(a);
	free(b);
	free(c);
}

/* Before there is anything, and after: one name, and looking for it makes nothing. */
static void state_is_found_where_it_would_be_made(void **state)
{
	struct problem why = {0};
	char *found, *made, *again;

	(void)state;
	assert_int_equal(dirs_state_found("/x/p", &found, &why), 0);
	assert_int_equal(access(at("state"), F_OK), -1);
	assert_int_equal(dirs_state("/y", &made, &why), 0);
	free(made);
	assert_int_equal(dirs_state_found("/x/p", &again, &why), 0);
	assert_string_equal(again, found);
	assert_int_equal(access(found, F_OK), -1);
	free(again);
	assert_int_equal(dirs_state("/x/p", &made, &why), 0);
	assert_string_equal(made, found);
	assert_int_equal(dirs_state_found("/x/p", &again, &why), 0);
	assert_string_equal(again, found);
	assert_int_equal(chmod(made, 0777), 0);
	free(again);
	assert_int_equal(dirs_state_found("/x/p", &again, &why), -EPERM);
	assert_non_null(strstr(why.text, "others can write"));
	free(found);
	free(made);
	problem__done(&why);
}

static void remove_follows_no_link_and_opens_locked_doors(void **state)
{
	char deep[8192] = "";

	(void)state;
	assert_int_equal(dirs_make(at("t/a/b")), 0);
	write_file(at("victim"), "safe");
	assert_int_equal(symlink(root, at("t/up")), 0);
	assert_int_equal(symlink("../victim", at("t/file")), 0);
	write_file(at("t/a/b/c"), "x");
	assert_int_equal(chmod(at("t/a/b"), 0555), 0);
	assert_int_equal(chmod(at("t/a"), 0), 0);
	assert_int_equal(dirs_remove(at("t")), 0);
	assert_int_equal(access(at("t"), F_OK), -1);
	holds(at("victim"), "safe");
	assert_int_equal(dirs_remove(at("t")), 0);
	assert_int_equal(symlink(root, at("link")), 0);
	assert_int_equal(dirs_remove(at("link")), 0);
	holds(at("victim"), "safe");
	for (int i = 0; i < 1200; i++) /* deeper than descriptors may be */
		strcat(deep, i ? "/d" : "t/d");
	assert_int_equal(dirs_make(at("t")), 0);
	(void)snprintf(
		deep, sizeof(deep),
		"cd %s/t && for i in 1 2 3 4 5 6; do p=; for j in $(seq 200); do p=${p}d/; done; "
		"mkdir -p $p && cd $p; done",
		root);
	assert_int_equal(system(deep), 0);
	assert_int_equal(dirs_remove(at("t")), 0);
	assert_int_equal(access(at("t"), F_OK), -1);
}

static void clean_keeps_what_is_in_use(void **state)
{
	struct problem why = {0};
	unsigned long long bytes = 0;
	char *path;
	int lock, work;

	(void)state;
	assert_int_equal(dirs_cache(&path, &why), 0);
	free(path);
	assert_int_equal(dirs_state("/x", &path, &why), 0);
	free(path);
	assert_int_equal(dirs_make(at("cache/joust/trees/aaaa")), 0);
	assert_int_equal(dirs_make(at("cache/joust/trees/bbbb")), 0);
	assert_int_equal(dirs_make(at("cache/joust/work/x")), 0);
	write_file(at("cache/joust/trees/aaaa/prog"), "xxxx");
	write_file(at("cache/joust/trees/bbbb/prog"), "xxxx");
	write_file(at("cache/joust/trees/bbbb.ok"), "x");
	write_file(at("cache/joust/trees/bbbb.lock"), "");
	write_file(at("cache/joust/trees/aaaa.lock"), "");
	lock = open(at("cache/joust/trees/bbbb.lock"), O_RDWR | O_CLOEXEC);
	work = open(at("cache/joust/work/x"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_SH) | flock(work, LOCK_SH), 0);
	assert_int_equal(dirs_clean(&why, &bytes), 0);
	assert_non_null(strstr(why.text, "a running joust uses stayed"));
	assert_true(bytes > 0);
	holds(at("cache/joust/trees/bbbb/prog"), "xxxx");
	holds(at("cache/joust/trees/bbbb.ok"), "x");
	assert_int_equal(access(at("cache/joust/work/x"), F_OK), 0);
	assert_int_equal(access(at("cache/joust/trees/aaaa"), F_OK), -1);
	assert_int_equal(access(at("state/joust"), F_OK), -1);
	assert_int_equal(close(lock) | close(work), 0);
	why = (struct problem){0};
	assert_int_equal(dirs_clean(&why, &bytes), 0);
	assert_string_equal(why.text, "");
	assert_int_equal(access(at("cache/joust"), F_OK), -1);
	assert_int_equal(dirs_clean(&why, &bytes), 0); /* nothing there is no error */
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(atomic_replaces_and_leaves_nothing),
		T(atomic_failures_keep_the_old_file),
		T(own_files_are_no_pipes),
		T(a_planted_link_is_not_followed),
		T(a_killed_writer_leaves_nothing),
		T(what_one_left_the_next_removes),
		T(abort_leaves_nothing),
		T(places_are_private),
		T(state_names_are_harmless_and_unique),
		T(state_is_found_where_it_would_be_made),
		T(remove_follows_no_link_and_opens_locked_doors),
		T(clean_keeps_what_is_in_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
