/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_git_fixture.h"

/* What is odd in a repository, and repositories that mean harm. */

/* Filter commands and hooks are other people's programs. */
static void no_program_of_the_repository_runs(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f,
		   "git config filter.x.smudge 'touch %s/MARK; cat' && "
		   "git config filter.x.clean 'touch %s/MARK; cat' && git config filter.x.process "
		   "'touch %s/MARK' && "
		   "git config core.fsmonitor 'touch %s/MARK' && "
		   "printf '#!/bin/sh\\ntouch %s/MARK\\n' >.git/hooks/post-checkout && "
		   "chmod +x .git/hooks/post-checkout && cp .git/hooks/post-checkout "
		   ".git/hooks/post-index-change && "
		   "git -c core.fsmonitor= -c filter.x.clean=cat -c filter.x.process= add . && "
		   "echo '*.f filter=x' >.gitattributes && echo 1 >a.f && "
		   "git -c core.fsmonitor= -c filter.x.clean=cat -c filter.x.process= add . && "
		   "git -c core.fsmonitor= -c filter.x.process= commit -qm two; rm -f %s/MARK; "
		   "echo 2 >>a.f",
		   f->dir, f->dir, f->dir, f->dir, f->dir, f->dir),
		0);
	ok(f);
	assert_int_equal(
		sh(f, "test ! -e %s/MARK && test $(cat %s/a.f) = 1", f->dir, f->v.tree[0].root), 0);
	assert_int_equal(sh(f, "git checkout -qf HEAD~1; test -e %s/MARK", f->dir),
			 0); /* git does */
}

static void links_lead_nowhere(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f,
		   "ln -s ../../../../../../etc/passwd abs && ln -s %s/victim dir && "
		   "mkdir ../victim && git add . && git commit -qm two && "
		   "rm dir && mkdir dir && echo x >dir/y && mv a.c real.c && ln -s real.c a.c",
		   f->dir),
		0);
	f->req.build = "echo evil 2>/dev/null >&2";
	ok(f);
	assert_int_equal(sh(f,
			    "cd %s && test \"$(readlink abs)\" = ../../../../../../etc/passwd && "
			    "test -L dir",
			    f->v.tree[0].root),
			 0);
	assert_int_equal(
		sh(f, "cd %s && test -f dir/y && test -L a.c && test -z \"$(ls -A %s/victim)\"",
		   f->v.tree[1].root, f->dir),
		0);
	/* a tracked directory that became a symlink: what lies behind it is not the project's */
	assert_int_equal(
		sh(f,
		   "git checkout -qf . && rm -rf dir && mkdir dir && echo x >dir/y && git rm -q "
		   "--cached dir; "
		   "git add . && git commit -qm three && rm -rf dir && echo secret >../victim/y && "
		   "ln -s ../victim dir"),
		0);
	ok(f);
	assert_int_equal(sh(f, "cd %s && test -L dir", f->v.tree[1].root), 0);
}

/* Trees that git itself would not write. */
static void impossible_names_are_refused(void **state)
{
	static const char *const names[] = {"..", ".git", ".GIT", ".git ", "git~1", "."};
	struct fixture *f = *state;

	f->req.build = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(sh(f,
				    "b=$(echo x | git hash-object -w --stdin) && "
				    "o=$(printf '%%s' $b | sed 's/\\(..\\)/\\1 /g') && "
				    "o=$(for x in $o; do printf '\\\\%%03o' 0x$x; done) && "
				    "t=$(printf \"100644 %s\\0$o\" | git hash-object -w -t tree "
				    "--literally --stdin) && "
				    "git branch -f bad $(git commit-tree -m x $t)",
				    names[i]),
				 0);
		f->req.base = "bad";
		refused(f, EXIT_COULD_NOT_COMPARE, "no file may have this name");
		assert_int_equal(sh(f, "test -z \"$(ls -A $XDG_CACHE_HOME/joust/work)\""), 0);
	}
}

static void lfs_pointers_are_never_built(void **state)
{
	struct fixture *f = *state;
	char dir[200];

	assert_int_equal(sh(f,
			    "printf 'version https://git-lfs.github.com/spec/v1\\noid "
			    "sha256:00\\nsize 3\\n' "
			    ">big.dat && echo '*.dat filter=lfs' >.gitattributes && git add . && "
			    "git commit -qm two && echo bin >big.dat"),
			 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "the baseline has 1 LFS file,");
	assert_non_null(strstr(f->why.text, "--base DIR"));
	assert_int_equal(sh(f, "git worktree add -q ../old HEAD~1"), 0);
	(void)snprintf(dir, sizeof(dir), "%s/old", f->dir);
	f->req.base = dir;
	ok(f);
	assert_int_equal(sh(f, "git checkout -q big.dat"), 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "git lfs pull");
}

static void submodules_are_named(void **state)
{
	struct fixture *f = *state;
	char dir[200];

	assert_int_equal(
		sh(f,
		   "git clone -q . ../lib && "
		   "git -c protocol.file.allow=always submodule add -q file://%s/lib third/lib && "
		   "git commit -qm two",
		   f->dir),
		0);
	refused(f, EXIT_COULD_NOT_COMPARE, "1 submodule (third/lib)");
	(void)snprintf(dir, sizeof(dir), "%s/", f->repo);
	f->req.base = f->req.candidate = dir; /* what the sentence advises works */
	ok(f);
	assert_int_equal(sh(f, "test -e %s/third/lib/a.c && test ! -e %s/third/lib/.git",
			    f->v.tree[0].root, f->v.tree[0].root),
			 0);
	assert_int_equal(f->rec.version[0].kind, VERSION_DIR);
}

static void foreign_formats_are_named(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f, "cp .git/config ../config && git config core.repositoryformatversion 1 && "
		      "git config extensions.objectformat sha256"),
		0);
	refused(f, EXIT_COULD_NOT_COMPARE, "sha256");
	f->req.base = f->req.candidate = f->repo; /* a directory can still be compared */
	ok(f);
	f->req.base = f->req.candidate = NULL;
	assert_int_equal(
		sh(f, "cp ../config .git/config && git config remote.origin.promisor true"), 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "partial clone");
	assert_int_equal(
		sh(f, "cp ../config .git/config && git config core.repositoryformatversion 1 && "
		      "git config extensions.partialclone origin"),
		0);
	refused(f, EXIT_COULD_NOT_COMPARE, "partial clone");
	assert_int_equal(
		sh(f, "cp ../config .git/config && git config core.repositoryformatversion 1 && "
		      "git config extensions.worktreeconfig true"),
		0);
	f->req.force = true;
	ok(f);
}

static void missing_objects_are_an_error(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(sh(f, "o=$(git rev-parse HEAD:a.c) && rm -f .git/objects/$(echo $o | cut "
			       "-c1-2)/$(echo $o | cut -c3-) && "
			       "echo '//' >>a.c"),
			 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "a.c");
}

static void tree_bombs_are_counted_first(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	/* 10^8 files of nine objects */
	assert_int_equal(
		sh(f, "b=$(echo x | git hash-object -w --stdin) && l=\"100644 blob $b\" && "
		      "for i in 1 2 3 4 5 6 7 8; do "
		      "t=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '%%s\\tf%%s\\n' \"$l\" $n; done "
		      "| git mktree) && "
		      "l=\"040000 tree $t\"; done && git branch bomb $(git commit-tree -m x $t)"),
		0);
	f->req.base = "bomb";
	refused(f, EXIT_COULD_NOT_COMPARE, "too large: more than 200000 files");
	/* one file, too deep */
	assert_int_equal(
		sh(f, "b=$(echo x | git hash-object -w --stdin) && l=\"100644 blob $b\" && "
		      "for i in $(seq 70); do t=$(printf '%%s\\td\\n' \"$l\" | git mktree) && "
		      "l=\"040000 tree $t\"; done && git branch deep $(git commit-tree -m x $t)"),
		0);
	f->req.base = "deep";
	refused(f, EXIT_COULD_NOT_COMPARE, "64 levels");
}

static void owners_are_checked(void **state)
{
	struct fixture *f = *state;

	if (geteuid()) {
		print_message("# skipped: only root can give a repository away\n");
		skip();
	}
	f->req.force = true;
	assert_int_equal(unsetenv("SUDO_UID"), 0);
	assert_int_equal(sh(f, "chown 12345 .git"), 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "belongs to another user (uid 12345)");
	assert_int_equal(sh(f, "printf '[safe]\\ndirectory = /elsewhere\\n' >$HOME/.gitconfig"), 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "safe.directory");
	assert_int_equal(sh(f, "git config --global --add safe.directory %s", f->repo), 0);
	ok(f);
	assert_int_equal(sh(f, "printf '[safe]\\ndirectory = *\\n' >$HOME/.gitconfig"), 0);
	ok(f);
	assert_int_equal(sh(f, "printf 'directory = \\n' >>$HOME/.gitconfig"), 0); /* forget */
	refused(f, EXIT_COULD_NOT_COMPARE, "safe.directory");
	assert_int_equal(setenv("SUDO_UID", "12345", 1), 0);
	ok(f);
	assert_int_equal(unsetenv("SUDO_UID"), 0);
}

static void linked_worktrees_and_sparse_ones(void **state)
{
	struct fixture *f = *state;
	char dir[200];

	assert_int_equal(sh(f, "mkdir out && echo x >out/f && git add . && git commit -qm two && "
			       "git worktree add -q ../wt && cd ../wt && git sparse-checkout set "
			       "--no-cone '/*' '!/out/' && "
			       "test ! -e out && echo '//' >>a.c"),
			 0);
	(void)snprintf(dir, sizeof(dir), "%s/wt", f->dir);
	f->req.cwd = dir;
	ok(f);
	assert_int_equal(f->rec.version[1].kind, VERSION_WORKTREE);
	assert_int_equal(f->rec.version[1].changed_files, 1);
	assert_int_equal(sh(f, "cmp out/f %s/out/f", f->v.tree[1].root), 0);
}

static void names_with_escapes_are_copied(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(sh(f, "n=$(printf 'a\\033[2Jb\\nc') && echo x >\"$n\" && git add . && git "
			       "commit -qm two && "
			       "echo y >\"$n\""),
			 0);
	ok(f);
	assert_int_equal(sh(f,
			    "n=$(printf 'a\\033[2Jb\\nc') && test $(cat \"%s/$n\") = x && test "
			    "$(cat \"%s/$n\") = y",
			    f->v.tree[0].root, f->v.tree[1].root),
			 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(no_program_of_the_repository_runs),
		T(links_lead_nowhere),
		T(impossible_names_are_refused),
		T(lfs_pointers_are_never_built),
		T(submodules_are_named),
		T(foreign_formats_are_named),
		T(missing_objects_are_an_error),
		T(tree_bombs_are_counted_first),
		T(owners_are_checked),
		T(linked_worktrees_and_sparse_ones),
		T(names_with_escapes_are_copied),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
