/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include "engine/measure/start_detail.h"

static char script[128];

/* A script that may be executed, and whose interpreter is root/interpreter. */
static int setup(void **state)
{
	char text[160];

	if (make_root(state))
		return -1;
	(void)snprintf(script, sizeof(script), "%s/script", root);
	(void)snprintf(text, sizeof(text), "#!%s/interpreter -x\n", root);
	put("/script", text);
	return chmod(script, 0755);
}

/* What is said of a start of the script that fails with `expected`. */
static void start_says(const char *cwd, int expected, const char *before, const char *named,
		       const char *after)
{
	const char *const argv[] = {script, NULL}, *const envp[] = {NULL};
	const struct child_spec spec = {.path = script,
					.argv = argv,
					.envp = envp,
					.cwd = cwd,
					.protocol_fd = -1,
					.output_fd = -1};
	AUTO_FREE char *detail = NULL;
	struct child c;
	char text[512];
	int err = child__start(&c, &spec);

	assert_int_equal(err, expected);
	detail = start_detail(script, &c, err);
	child__done(&c);
	assert_non_null(detail);
	(void)snprintf(text, sizeof(text), "%s%s%s%s", before, named ? root : "",
		       named ? named : "", after);
	assert_string_equal(detail, text);
}

static void missing_interpreter_is_named(void **state)
{
	(void)state;
	start_says(root, -ENOENT, "its interpreter ", "/interpreter",
		   ": No such file or directory");
}

static void what_may_be_either_is_said_of_both(void **state)
{
	(void)state;
	put("/interpreter", ""); /* which nobody may execute */
	start_says(root, -EACCES, "it or its interpreter ", "/interpreter", ": Permission denied");
}

/* The same errors, but nothing was executed yet. */
static void earlier_step_is_no_fault_of_the_interpreter(void **state)
{
	char cwd[128];

	(void)state;
	(void)snprintf(cwd, sizeof(cwd), "%s/none", root);
	start_says(cwd, -ENOENT, "No such file or directory", NULL, "");
	start_says(script, -ENOTDIR, "Not a directory", NULL, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(missing_interpreter_is_named, setup, remove_root),
		cmocka_unit_test_setup_teardown(what_may_be_either_is_said_of_both, setup,
						remove_root),
		cmocka_unit_test_setup_teardown(earlier_step_is_no_fault_of_the_interpreter, setup,
						remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
