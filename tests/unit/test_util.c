/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include "engine/host/procstat.h"
#include "engine/util/files.h"
#include "engine/util/path.h"
#include "engine/util/problem.h"
#include "stats/fnv.h"

/* What several parts of the engine need and none of them owns. */

static void paths_lie_below_others(void **state)
{
	static const struct {
		const char *path, *dir, *rest;
	} cases[] = {
		{"/a/b", "/a", "b"},	  {"/a", "/a", ""},	   {"/ab", "/a", NULL},
		{"/a/b/c", "/a/b/", "c"}, {"/a", "/a/b", NULL},	   {"/a/b", "/", "a/b"},
		{"/", "/", ""},		  {"docs/x", "docs", "x"}, {"docs", "docs//", ""},
		{"docs.c", "docs", NULL}, {"", "a", NULL},	   {"a", "/", NULL},
		{"/a/", "/a", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *rest = path_below(cases[i].path, cases[i].dir);

		if (cases[i].rest)
			assert_string_equal(rest, cases[i].rest);
		else
			assert_null(rest);
	}
}

/* The published values of FNV-1a, 64 bits. */
static void is_in(const char *path, const char *dir)
{
	char *got = path_dir(path);

	assert_non_null(got);
	assert_string_equal(got, dir);
	free(got);
}

static void a_path_has_a_directory(void **state)
{
	(void)state;
	is_in("/a/b/c", "/a/b");
	is_in("a/b", "a");
	is_in("/a", "/");
	is_in("a", ".");
	is_in("a/", "a");
}

static void hashes_are_those_of_others(void **state)
{
	(void)state;
	assert_true(fnv1a64("") == 0xcbf29ce484222325u);
	assert_true(fnv1a64("a") == 0xaf63dc4c8601ec8cu);
	assert_true(fnv1a64("foobar") == 0x85944171f73967e8u);
	assert_true(fnv1a64_add(fnv1a64("fooba"), 'r') == fnv1a64("foobar"));
}

static void a_name_may_look_like_the_rest(void **state)
{
	struct procstat s;

	(void)state;
	assert_int_equal(procstat_parse("7 (x) Z 9 (y) S 5 6 8 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 "
					"0 123456 4096",
					&s),
			 0);
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.ppid, 5);
	assert_int_equal(s.sid, 8);
	assert_int_equal(s.start, 123456);
	assert_int_equal(procstat_parse("7 (x) S 5 6 8", &s), -EINVAL);
	assert_int_equal(procstat_parse("7 (x)", &s), -EINVAL);
	assert_int_equal(procstat_parse("", &s), -EINVAL);
	assert_int_equal(procstat_read(getpid(), &s), 0);
	assert_int_equal(s.ppid, getppid());
	assert_int_equal(procstat_read(-1, &s), -ENOENT);
}

static void a_removed_file_is_not_there(void **state)
{
	char path[] = "/tmp/joust-test-XXXXXX", other[sizeof(path) + 4];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)snprintf(other, sizeof(other), "%s.new", path);
	assert_true(files_still_there(fd, path));
	assert_false(files_still_there(fd, other));
	assert_int_equal(close(open(other, O_CREAT | O_RDWR | O_EXCL, 0600)), 0);
	assert_false(files_still_there(fd, other));
	assert_int_equal(rename(other, path), 0); /* another file of the same name */
	assert_false(files_still_there(fd, path));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(close(fd), 0);
}

/* Of "from" to `name` in the working directory, whose path has no link then. */
static void copies_to(const char *name, int err)
{
	AUTO_FREE char *dir = getcwd(NULL, 0);
	AUTO_FREE char *from = dir ? path_join(dir, "from") : NULL;
	AUTO_FREE char *to = dir ? path_join(dir, name) : NULL;
	struct stat st;

	assert_true(from && to);
	assert_int_equal(files_copy_program(from, to, &st), err);
	assert_int_equal(access(to, F_OK), err ? -1 : 0);
}

/* Each limit is told apart, for they are mended in different ways; nothing is left of a copy. */
static void a_program_may_be_too_large_for_two_reasons(void **state)
{
	const struct rlimit small = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
	struct rlimit before;
	int fd;

	(void)state;
	assert_int_equal(chdir(root), 0);
	fd = open("from", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 8192), 0);
	copies_to("whole", 0);
	assert_int_equal(symlink(".", "link"), 0);
	copies_to("link/behind", -ELOOP);
	assert_int_equal(access("behind", F_OK), -1);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	copies_to("limited", -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	if (ftruncate(fd, FILES_PROGRAM_MAX + 1) == 0) /* a file system may have less */
		copies_to("large", -EOVERFLOW);
	assert_int_equal(close(fd), 0);
	assert_string_not_equal(files_copy_strerror(-EFBIG), files_copy_strerror(-EOVERFLOW));
	assert_int_equal(chdir("/"), 0);
}

static void only_a_wrong_name_is_wrong_usage(void **state)
{
	static const int host[] = {ENOMEM, EMFILE, ENFILE, EIO, EINTR, ESTALE};

	(void)state;
	for (size_t i = 0; i < sizeof(host) / sizeof(host[0]); i++)
		assert_int_equal(problem_exit_of_path(-host[i]), EXIT_COULD_NOT_COMPARE);
	assert_int_equal(problem_exit_of_path(-ENOENT), EXIT_USAGE);
	assert_int_equal(problem_exit_of_path(EACCES), EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_lie_below_others),
		cmocka_unit_test(a_path_has_a_directory),
		cmocka_unit_test(hashes_are_those_of_others),
		cmocka_unit_test(a_name_may_look_like_the_rest),
		cmocka_unit_test(a_removed_file_is_not_there),
		cmocka_unit_test_setup_teardown(a_program_may_be_too_large_for_two_reasons,
						make_root, remove_root),
		cmocka_unit_test(only_a_wrong_name_is_wrong_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
