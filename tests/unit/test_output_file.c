/* SPDX-License-Identifier: BSD-2-Clause */
/* Where what a user named for output leads, and that nothing else is replaced or overwritten. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/project/dirs.h"
#include "engine/project/output_file.h"

static char root[64];

static const char *at(const char *name)
{
	static char path[4][512];
	static unsigned turn;
	char *p = path[turn++ % 4];

	(void)snprintf(p, 512, "%s/%s", root, name);
	return p;
}

static int write_text(const char *path, const char *text)
{
	struct atomic_file f;
	int err = atomic__open_named(&f, path);

	if (err)
		return err;
	fputs(text, f.file);
	return atomic__commit(&f);
}

static void holds(const char *path, const char *text)
{
	char have[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_int_equal(fread(have, 1, sizeof(have) - 1, f), strlen(text));
	assert_string_equal(have, text);
	assert_int_equal(fclose(f), 0);
}

static mode_t type_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & S_IFMT;
}

static int setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/joust-test-XXXXXX");
	return !mkdtemp(root);
}

static int teardown(void **state)
{
	(void)state;
	return dirs_remove(root);
}

static void links_lead_to_what_is_replaced(void **state)
{
	(void)state;
	assert_int_equal(mkdir(at("d"), 0700), 0);
	assert_int_equal(write_text(at("d/file"), "old"), 0);
	assert_int_equal(symlink("file", at("d/near")), 0);
	assert_int_equal(symlink(at("d/near"), at("far")), 0);
	assert_int_equal(write_text(at("far"), "new"), 0);
	holds(at("d/file"), "new");
	assert_int_equal(type_of(at("far")), S_IFLNK);
	assert_int_equal(type_of(at("d/near")), S_IFLNK);
	assert_int_equal(symlink("d/made", at("dangling")), 0);
	assert_int_equal(write_text(at("dangling"), "x"), 0);
	holds(at("d/made"), "x");
	assert_int_equal(symlink("no/such", at("nowhere")), 0);
	assert_int_equal(write_text(at("nowhere"), "x"), -ENOENT);
	assert_int_equal(symlink("loop", at("loop")), 0);
	assert_int_equal(write_text(at("loop"), "x"), -ELOOP);
	assert_int_equal(symlink("d", at("dir")), 0);
	assert_int_equal(write_text(at("dir"), "x"), -EISDIR);
}

static void devices_stay(void **state)
{
	(void)state;
	assert_int_equal(symlink("/dev/full", at("full")), 0);
	assert_int_equal(write_text(at("full"), "x"), -ENOSPC);
	assert_int_equal(symlink("/dev/null", at("null")), 0);
	assert_int_equal(write_text(at("null"), "x"), 0);
	assert_int_equal(type_of("/dev/full"), S_IFCHR);
	assert_int_equal(type_of("/dev/null"), S_IFCHR);
	assert_int_equal(type_of(at("null")), S_IFLNK);
}

/* The names of descriptor `fd`, each behind a link: nothing here names what is in /dev. */
static void name_descriptor(unsigned which, int fd)
{
	char target[64];

	if (which == 0)
		(void)snprintf(target, sizeof(target), "/proc/self/fd/%d", fd);
	else if (which == 1)
		(void)snprintf(target, sizeof(target), "/proc/%d/fd/%d", (int)getpid(), fd);
	else
		(void)snprintf(target, sizeof(target), "/proc/thread-self/fd/%d", fd);
	(void)unlink(at("link"));
	assert_int_equal(symlink(target, at("link")), 0);
}

/* What is in the file already stays, and so does the file itself. */
static void descriptors_are_written_where_they_are(void **state)
{
	struct stat before, after;
	int fd = open(at("out"), O_WRONLY | O_CREAT, 0600); /* as one that was there at the start */

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &before), 0);
	for (unsigned i = 0; i < 3; i++) {
		name_descriptor(i, fd);
		assert_int_equal(write(fd, "a", 1), 1);
		assert_int_equal(write_text(at("link"), "b"), 0);
		assert_int_equal(type_of(at("link")), S_IFLNK);
	}
	holds(at("out"), "ababab");
	assert_int_equal(stat(at("out"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(close(fd), 0);
	assert_int_equal(write_text(at("link"), "x"), -EBADF);
	fd = open(at("out"), O_RDONLY);
	name_descriptor(0, fd);
	assert_int_equal(write_text(at("link"), "x"), -EBADF);
	assert_int_equal(close(fd), 0);
	fd = open(at("out"), O_WRONLY | O_CLOEXEC); /* as all of joust's own */
	name_descriptor(0, fd);
	assert_int_equal(write_text(at("link"), "x"), -EBADF);
	assert_int_equal(close(fd), 0);
}

static void stdout_has_many_names(void **state)
{
	(void)state;
	name_descriptor(1, STDOUT_FILENO);
	assert_true(output_file_is_stdout("-"));
	assert_true(output_file_is_stdout(at("link")));
	assert_true(output_file_is_stdout("/proc/self/fd/1"));
	name_descriptor(0, STDERR_FILENO);
	assert_false(output_file_is_stdout(at("link")));
	assert_false(output_file_is_stdout(at("1")));
	assert_false(output_file_is_stdout(""));
}

static void a_pipe_without_a_reader_is_refused(void **state)
{
	char have[8] = "";
	int fd;

	(void)state;
	assert_int_equal(mkfifo(at("pipe"), 0600), 0);
	assert_int_equal(write_text(at("pipe"), "x"), -ENXIO);
	fd = open(at("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write_text(at("pipe"), "x"), 0);
	assert_int_equal(read(fd, have, sizeof(have)), 1);
	assert_int_equal(close(fd), 0);
	assert_int_equal(type_of(at("pipe")), S_IFIFO);
}

/* In a directory for all, like /tmp, a link of somebody else leads where he likes. */
static void a_strangers_link_is_not_followed(void **state)
{
	(void)state;
	if (geteuid()) {
		print_message("# skipped: only root can give a link away\n");
		skip();
	}
	assert_int_equal(mkdir(at("tmp"), 0700), 0);
	assert_int_equal(chmod(at("tmp"), 01777), 0);
	assert_int_equal(write_text(at("mine"), "safe"), 0);
	assert_int_equal(symlink("../mine", at("tmp/x")), 0);
	assert_int_equal(lchown(at("tmp/x"), 1, 1), 0);
	assert_int_equal(write_text(at("tmp/x"), "bad"), -EACCES);
	holds(at("mine"), "safe");
	assert_int_equal(lchown(at("tmp/x"), 0, 0), 0);
	assert_int_equal(write_text(at("tmp/x"), "good"), 0);
	holds(at("mine"), "good");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(links_lead_to_what_is_replaced),	   T(devices_stay),
		T(descriptors_are_written_where_they_are), T(stdout_has_many_names),
		T(a_pipe_without_a_reader_is_refused),	   T(a_strangers_link_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
