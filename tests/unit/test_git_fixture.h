/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A repository to compare in: what the tests of git and of the versions share. */
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
#include "engine/host/child.h"
#include "engine/project/dirs.h"
#include "engine/project/versions.h"

/* libgit2 1.5 forgets the match data of an expression that does not match (of revisions, submodules). */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2\n";
}

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

__attribute__((format(printf, 2, 3))) static inline int sh(const struct fixture *f, const char *fmt,
							   ...)
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

static inline int setup(void **state)
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

static inline int teardown(void **state)
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

static inline int prepare(struct fixture *f)
{
	versions__done(&f->v);
	record__done(&f->rec);
	record__init(&f->rec);
	problem__done(&f->why);
	f->why = (struct problem){0};
	return versions__prepare(&f->v, &f->req, &f->rec, &f->why);
}

static inline void ok(struct fixture *f)
{
	int err = prepare(f);

	if (err)
		print_error("%s\n%s\n", f->why.text, f->why.detail ? f->why.detail : "");
	assert_int_equal(err, 0);
}

/* Refused with this exit status and these words in the sentence; no half-made tree stays. */
static inline void refused(struct fixture *f, enum joust_exit status, const char *words)
{
	int err = prepare(f);

	if (!err)
		fail_msg("accepted, where \"%s\" was to be said", words);
	if (!strstr(f->why.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, f->why.text);
	assert_int_equal(f->why.exit, status);
	assert_int_equal(sh(f, "test -z \"$(ls $XDG_CACHE_HOME/joust/work 2>/dev/null)\""), 0);
}
