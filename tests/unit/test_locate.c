/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include <unistd.h>
#include "engine/measure/locate.h"
#include "engine/util/path.h"

static unsigned allocations, failing;

static bool fails(void)
{
	bool now = ++allocations == failing;

	if (now)
		errno = ENOMEM;
	return now;
}

/* WRAP_test_locate */
char *__real_strdup(const char *s);
char *__real_path_join(const char *dir, const char *name);
char *__real_realpath(const char *path, char *buffer);
char *__wrap_strdup(const char *s);
char *__wrap_path_join(const char *dir, const char *name);
char *__wrap_realpath(const char *path, char *buffer);

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

char *__wrap_path_join(const char *dir, const char *name)
{
	return fails() ? NULL : __real_path_join(dir, name);
}

char *__wrap_realpath(const char *path, char *buffer)
{
	return fails() ? NULL : __real_realpath(path, buffer);
}

static char place[SIDE_CNT][128], home[128];

/* Two versions of the project in root/home, whose program is bin/prog. */
static int setup(void **state)
{
	failing = 0;
	if (make_root(state))
		return -1;
	put("/home/bin/prog", "");
	put("/v0/bin/prog", "");
	put("/v1/bin/prog", "");
	(void)snprintf(home, sizeof(home), "%s/home", root);
	for (int s = 0; s < SIDE_CNT; s++)
		(void)snprintf(place[s], sizeof(place[s]), "%s/v%d", root, s);
	return 0;
}

static struct versions versions_of_home(void)
{
	struct versions v = {0};

	for (int s = 0; s < SIDE_CNT; s++) {
		v.tree[s].root = v.tree[s].project = place[s];
		v.tree[s].home = home;
	}
	return v;
}

static void in_home(const char *below, char ret[static 256])
{
	(void)snprintf(ret, 256, "%s/%s", home, below);
}

static void is_each_versions_own(const struct located *l, const char *below)
{
	for (int s = 0; s < SIDE_CNT; s++) {
		AUTO_FREE char *own = __real_path_join(place[s], below);

		assert_non_null(own);
		assert_string_equal(l->program[s], own);
	}
	assert_true(l->in_tree);
	assert_false(l->one_file);
}

static void path_into_the_project_is_each_versions_own(void **state)
{
	struct versions v = versions_of_home();
	struct located l;
	char word[256];

	(void)state;
	in_home("bin/prog", word);
	assert_int_equal(locate(&l, &v, word, false), 0);
	is_each_versions_own(&l, "bin/prog");
	located__done(&l);
}

/* Not the file of the user's own directory on both sides, which would always be the same. */
static void no_memory_never_means_the_hosts_file(void **state)
{
	struct versions v = versions_of_home();
	struct located l;
	char word[256];
	int err = -ENOMEM;

	(void)state;
	in_home("bin/prog", word);
	for (failing = 1; err; failing++) {
		allocations = 0;
		err = locate(&l, &v, word, false);
		if (err)
			assert_int_equal(err, -ENOMEM);
	}
	assert_true(failing > 2);
	is_each_versions_own(&l, "bin/prog");
	located__done(&l);
}

static void no_memory_is_no_answer_of_where(void **state)
{
	struct versions v = versions_of_home();
	bool at_home = false;
	char word[256];
	int err = -ENOMEM;

	(void)state;
	in_home("data", word);
	put("/home/data", "");
	for (failing = 1; err; failing++) {
		allocations = 0;
		err = locate_at_home(&v, word, &at_home);
		if (err)
			assert_int_equal(err, -ENOMEM);
	}
	assert_true(failing > 2);
	assert_true(at_home);
}

static void put_program(const char *path, const char *text)
{
	char full[512];

	put(path, text);
	(void)snprintf(full, sizeof(full), "%s%s", root, path);
	assert_int_equal(chmod(full, 0755), 0);
}

/* How many notes a script of this first line gives to whose own PATH has another program "true". */
static size_t notes_of(const char *first_line)
{
	CLEANUP(record__done) struct record rec;
	char path[256];

	put_program("/own/true", "");
	put_program("/script", first_line);
	(void)snprintf(path, sizeof(path), "%s/own", root);
	assert_int_equal(setenv("PATH", path, 1), 0);
	(void)snprintf(path, sizeof(path), "%s/script", root);
	record__init(&rec);
	assert_int_equal(locate_note(&rec, NULL, "b", NULL, path), 0);
	return rec.notes_cnt;
}

static void what_env_starts_is_noted(void **state)
{
	(void)state;
	assert_int_equal(notes_of("#!/usr/bin/env true\n"), 1);
	assert_int_equal(notes_of("#! /usr/bin/env -S\ttrue x\n"), 1);
	assert_int_equal(notes_of("#!/usr/bin/env -i true\n"), 0);
	assert_int_equal(notes_of("#!/usr/bin/env\n"), 0);
}

static void another_interpreter_is_not_env(void **state)
{
	(void)state;
	assert_int_equal(notes_of("#!/usr/bin/envtrue\n"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(path_into_the_project_is_each_versions_own, setup,
						remove_root),
		cmocka_unit_test_setup_teardown(no_memory_never_means_the_hosts_file, setup,
						remove_root),
		cmocka_unit_test_setup_teardown(no_memory_is_no_answer_of_where, setup,
						remove_root),
		cmocka_unit_test_setup_teardown(what_env_starts_is_noted, setup, remove_root),
		cmocka_unit_test_setup_teardown(another_interpreter_is_not_env, setup, remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
