/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "engine/host/child.h"
#include "engine/project/dirs.h"
#include "engine/project/versions.h"

/* A repository with one commit on main and a program that make builds, in a private directory. */
struct fixture {
	char dir[64];	/* everything */
	char repo[128]; /* the project */
	struct config config;
	struct record rec;
	struct problem why;
	struct versions v;
	struct versions_request req;
};

static int sh(const struct fixture *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int sh(const struct fixture *f, const char *fmt, ...)
{
	char script[4096], command[4608];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(script, sizeof(script), fmt, ap);
	va_end(ap);
	(void)snprintf(command, sizeof(command), "cd %s && { %s\n} >/dev/null 2>&1", f->repo,
		       script);
	return system(command);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char path[128];

	assert_non_null(f);
	strcpy(f->dir, "/tmp/joust-test-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->repo, sizeof(f->repo), "%s/repo", f->dir);
	assert_int_equal(mkdir(f->repo, 0755), 0);
	assert_int_equal(setenv("HOME", f->dir, 1), 0);
	(void)snprintf(path, sizeof(path), "%s/cache", f->dir);
	assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
	(void)snprintf(path, sizeof(path), "%s/state", f->dir);
	assert_int_equal(setenv("XDG_STATE_HOME", path, 1), 0);
	(void)snprintf(path, sizeof(path), "%s/config", f->dir);
	assert_int_equal(setenv("XDG_CONFIG_HOME", path, 1), 0);
	assert_int_equal(setenv("GIT_CONFIG_NOSYSTEM", "1", 1), 0);
	assert_int_equal(sh(f, "git init -q -b main . && git config user.name t && git config "
			       "user.email t@t && "
			       "printf 'int main(void){return 0;}\\n' >a.c && "
			       "printf 'prog: a.c\\n\\tcc -O1 -o prog a.c\\n' >Makefile && echo "
			       "prog >.gitignore && "
			       "git add . && git commit -qm one"),
			 0);
	record__init(&f->rec);
	for (int i = 0; i < SIDE_CNT; i++)
		f->v.tree[i].lock_fd = -1;
	f->req = (struct versions_request){.cwd = f->repo,
					   .config = &f->config,
					   .build = "make -s",
					   .interrupt_fd = -1,
					   .progress_fd = -1};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	versions__done(&f->v);
	record__done(&f->rec);
	problem__done(&f->why);
	config__done(&f->config);
	assert_int_equal(dirs_remove(f->dir), 0);
	free(f);
	return 0;
}

static int prepare(struct fixture *f)
{
	versions__done(&f->v);
	record__done(&f->rec);
	record__init(&f->rec);
	problem__done(&f->why);
	f->why = (struct problem){0};
	return versions__prepare(&f->v, &f->req, &f->rec, &f->why);
}

static void ok(struct fixture *f)
{
	int err = prepare(f);

	if (err)
		print_error("%s\n%s\n", f->why.text, f->why.detail ? f->why.detail : "");
	assert_int_equal(err, 0);
}

static void working_tree_against_merge_base(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(sh(f, "echo '// x' >>a.c; echo y >new.txt"), 0);
	ok(f);
	assert_false(f->v.nothing);
	assert_int_equal(f->rec.version[SIDE_BASELINE].kind, VERSION_COMMIT);
	assert_string_equal(f->rec.version[SIDE_BASELINE].ref, "main");
	assert_int_equal(strlen(f->rec.version[SIDE_BASELINE].commit), 40);
	assert_int_equal(f->rec.version[SIDE_CANDIDATE].kind, VERSION_WORKTREE);
	assert_int_equal(f->rec.version[SIDE_CANDIDATE].changed_files, 2);
	assert_int_equal(strlen(f->v.tree[0].project), strlen(f->v.tree[1].project));
	assert_string_not_equal(f->v.tree[0].root, f->v.tree[1].root);
	assert_int_equal(f->v.tree[0].files_cnt, 1);
	assert_string_equal(f->v.tree[0].files[0].path, "prog");
	assert_true(f->rec.version[SIDE_CANDIDATE].built);
	assert_false(f->rec.version[SIDE_CANDIDATE].build_cached);
	ok(f);
	assert_true(f->rec.version[SIDE_CANDIDATE].build_cached);
	assert_true(f->rec.version[SIDE_BASELINE].build_cached);
}

static void nothing_changed_says_so(void **state)
{
	struct fixture *f = *state;

	ok(f);
	assert_true(f->v.nothing);
	assert_non_null(strstr(f->rec.message, "--force"));
	f->req.force = true;
	ok(f);
	assert_false(f->v.nothing);
	assert_string_equal(f->v.tree[0].root, f->v.tree[1].root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(working_tree_against_merge_base, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_changed_says_so, setup, teardown),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
