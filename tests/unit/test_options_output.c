/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include "../../engine/cli/output.h"

/* Exit status of a child whose descriptor `fd` is closed: 0 when nothing opened later can be it. */
static int guarded(int fd)
{
	pid_t pid = fork();
	int status, next;

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(fd); /* the point of the test */
		if (output_setup())
			_exit(1);
		next = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (next <= 2)
			_exit(2);
		if (fd > 0 && (write(fd, "x", 1) != -1 || errno != EBADF))
			_exit(3);
		_exit(signal(SIGPIPE, SIG_IGN) == SIG_IGN ? 0 : 4);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void closed_descriptors_are_never_given_to_a_file(void **state)
{
	(void)state;
	for (int fd = 0; fd <= 2; fd++)
		assert_int_equal(guarded(fd), 0);
}

static void what_cannot_be_written_is_said(void **state)
{
	AUTO_FILE FILE *full = fopen("/dev/full", "w");
	struct problem why = {0};

	(void)state;
	if (!full) {
		print_message("# SKIP no /dev/full\n");
		return;
	}
	assert_int_equal(output_finish(full, &why), 0);
	fputs("text", full);
	assert_int_equal(output_finish(full, &why), -ENOSPC);
	assert_int_equal(why.exit, EXIT_COULD_NOT_COMPARE);
	assert_non_null(strstr(why.text, strerror(ENOSPC)));
	/* and not forgotten when the last flush has nothing left to do */
	assert_int_not_equal(output_finish(full, &(struct problem){0}), 0);
}

static void a_reader_that_is_gone_is_no_failure(void **state)
{
	struct problem why = {0};
	AUTO_FILE FILE *out = NULL;
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(close(fds[0]), 0);
	assert_ptr_not_equal(signal(SIGPIPE, SIG_IGN), SIG_ERR);
	out = fdopen(fds[1], "w");
	assert_non_null(out);
	fputs("text", out);
	assert_int_equal(output_finish(out, &why), 0);
	assert_int_equal(output_finish(out, &why), 0);
	assert_string_equal(why.text, "");
}

static void problems_are_escaped_line_by_line(void **state)
{
	struct problem why = {.exit = EXIT_USAGE};
	AUTO_FREE char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	assert_non_null(out);
	(void)snprintf(why.text, sizeof(why.text), "a\x1b[31m\nb");
	why.detail = strdup("first\x07\n\nlast");
	assert_int_equal(output_problem(out, &why), EXIT_USAGE);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "joust: a\\x1b[31m\\nb\n  | first\\x07\n  | \n  | last\n");
	problem__done(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_descriptors_are_never_given_to_a_file),
		cmocka_unit_test(what_cannot_be_written_is_said),
		cmocka_unit_test(a_reader_that_is_gone_is_no_failure),
		cmocka_unit_test(problems_are_escaped_line_by_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
