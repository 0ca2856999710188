/* SPDX-License-Identifier: BSD-2-Clause */
/* What a child may use at most of files, whatever the shell around joust allows itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/resource.h>
#include "engine/host/child.h"
#include "engine/util/clock.h"

#define LONG_NS (60 * UINT64_C(1000000000)) /* never reached unless something is broken */

/* To its end. */
static void run_shell(struct child *c, const char *script)
{
	static const char *const no_env[] = {NULL};
	const char *argv[] = {"sh", "-c", script, NULL};
	const struct child_spec spec = {.path = "/bin/sh",
					.argv = argv,
					.envp = no_env,
					.protocol_fd = -1,
					.output_fd = -1};

	assert_int_equal(child__start(c, &spec), 0);
	assert_int_equal(child__wait(c, -1, clock_ns(CLOCK_MONOTONIC) + LONG_NS, -1), CHILD_EXITED);
}

/* Whatever the engine's own are: neither more nor less, as far as the kernel lets it. */
static void its_limits_are_the_same_everywhere(void **state)
{
	static const rlim_t soft[] = {256, 2048};
	struct rlimit files, size;
	struct child c;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &size), 0);
	if (files.rlim_max < soft[1] || size.rlim_max < (rlim_t)16 << 30) {
		print_message("# skipped: the tests' own hard limits are lower\n");
		skip();
	}
	for (size_t i = 0; i < 2; i++) {
		AUTO_FREE char *text = NULL;
		const struct rlimit l = {.rlim_cur = soft[i], .rlim_max = files.rlim_max};

		assert_int_equal(setrlimit(RLIMIT_NOFILE, &l), 0);
		run_shell(&c, "test $(ulimit -Hn) -le 65536 && ulimit -Sn && ulimit -Sf && "
			      "ulimit -Hf && ulimit -Hc");
		assert_int_equal(c.status, 0);
		/* blocks of 512 bytes: 16 GiB */
		text = kept_text(&c.output);
		assert_non_null(text);
		assert_string_equal(text, "1024\n33554432\n33554432\n0\n");
		child__done(&c);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

static void a_file_too_large_is_told_by_its_signal(void **state)
{
	char name[] = "/tmp/joust-test-XXXXXX", script[80];
	AUTO_FD int fd = mkstemp(name);
	AUTO_FREE char *end = NULL;
	struct child c;

	(void)state;
	assert_true(fd >= 0);
	(void)snprintf(script, sizeof(script), "exec truncate -s 17G %s", name);
	run_shell(&c, script);
	end = child_end_name(c.status);
	assert_string_equal(end, "SIGXFSZ");
	child__done(&c);
	assert_int_equal(unlink(name), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_limits_are_the_same_everywhere),
		cmocka_unit_test(a_file_too_large_is_told_by_its_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
