/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_git_fixture.h"
#include "engine/project/git.h"

/* Where the baseline comes from, and repositories that mean harm. */

static void is_commit(const struct fixture *f, const char *rev, const char *ref)
{
	assert_int_equal(
		sh(f, "test $(git rev-parse '%s^{commit}') = %s", rev, f->rec.version[0].commit),
		0);
	if (ref)
		assert_string_equal(f->rec.version[0].ref, ref);
}

static void merge_base_is_found(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	assert_int_equal(
		sh(f, "git checkout -qb topic && echo 1 >t && git add t && git commit -qm t && "
		      "git checkout -q main && echo 2 >m && git add m && git commit -qm m && "
		      "git checkout -q topic"),
		0);
	ok(f);
	is_commit(f, "main~1", "main");
	f->config.main_branch = strdup("topic");
	f->req.force = true;
	ok(f);
	is_commit(f, "HEAD", "topic");
	free(f->config.main_branch);
	f->config.main_branch = strdup("tropic");
	refused(f, EXIT_USAGE, "did you mean \"topic\"");
	free(TAKE_PTR(f->config.main_branch));
	assert_int_equal(sh(f, "git update-ref refs/remotes/origin/master topic"), 0);
	ok(f);
	is_commit(f, "topic", "origin/master");
	assert_int_equal(sh(f, "git update-ref refs/remotes/origin/dev main && "
			       "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/dev"),
			 0);
	ok(f);
	is_commit(f, "main~1", "origin/dev");
	assert_int_equal(
		sh(f, "git update-ref -d refs/remotes/origin/master && "
		      "git symbolic-ref -d refs/remotes/origin/HEAD && git branch -m main other"),
		0);
	refused(f, EXIT_USAGE, "no main branch is here");
}

/* What cannot be read is not taken for what is not there: another branch would be the baseline. */
static void an_unreadable_branch_is_no_missing_one(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(sh(f, "mkdir -p .git/refs/remotes/origin && "
			       "echo rubbish >.git/refs/remotes/origin/main"),
			 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "refs/remotes/origin/main");
	assert_int_equal(sh(f, "rm .git/refs/remotes/origin/main"), 0);
	ok(f);
}

static void named_revisions(void **state)
{
	struct fixture *f = *state;
	char text[1100];

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(
		sh(f, "echo 2 >b && git add b && git commit -qm two && git tag v1.0 HEAD~1 && "
		      "mkdir v1.0 a.d && echo x >v1.0/only-here"),
		0);
	f->req.base = "v1.0"; /* also a directory: the ref wins */
	ok(f);
	assert_int_equal(f->rec.version[0].kind, VERSION_COMMIT);
	is_commit(f, "HEAD~1", "v1.0");
	assert_int_equal(chdir(f->repo), 0);
	f->req.base = "./v1.0"; /* written as a path */
	ok(f);
	assert_int_equal(f->rec.version[0].kind, VERSION_DIR);
	f->req.base = "a.d"; /* no ref */
	ok(f);
	assert_int_equal(f->rec.version[0].kind, VERSION_DIR);
	assert_int_equal(chdir("/"), 0);
	f->req.base = f->req.candidate = "HEAD~1";
	ok(f);
	assert_string_equal(f->v.tree[0].root, f->v.tree[1].root);
	f->req.candidate = NULL;
	f->req.base = "maim";
	refused(f, EXIT_USAGE, "--base: \"maim\" is no revision");
	refused(f, EXIT_USAGE, "did you mean \"main\"");
	f->req.base = "HEAD:a.c";
	refused(f, EXIT_USAGE, "is a blob, not a commit");
	f->req.base = "--upload-pack=x";
	refused(f, EXIT_USAGE, "is no revision");
	f->req.base = "";
	refused(f, EXIT_USAGE, "empty");
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	f->req.base = text;
	refused(f, EXIT_USAGE, "more than 1024 bytes");
}

/* No copy of this text can be made; NULL: of all. */
static const char *no_room_for;

char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);

char *__wrap_strdup(const char *s)
{
	if (no_room_for && !strcmp(s, no_room_for)) {
		errno = ENOMEM;
		return NULL;
	}
	return __real_strdup(s);
}

static void last_release_is_the_newest_reachable(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	f->req.base = "last-release";
	refused(f, EXIT_USAGE, "no tag v* is reachable");
	assert_int_equal(
		sh(f, "c() { echo $1 >n; git add n; GIT_COMMITTER_DATE=\"2020-01-0$1 00:00 +0000\" "
		      "git commit -qm $1; }; c 2; git tag v1.10; c 3; git tag -a -m x v1.9; c 4; "
		      "git tag nightly; git tag v5 HEAD^{tree}; git checkout -qb side; c 5; git "
		      "tag v9; "
		      "git checkout -q main"),
		0);
	ok(f);
	is_commit(f, "v1.9", "v1.9");
	no_room_for = "v1.9";
	assert_int_equal(prepare(f), -ENOMEM);
	assert_string_equal(f->why.text, "reading the tags: Cannot allocate memory");
	no_room_for = NULL;
}

static void no_commit_bare_or_no_repository(void **state)
{
	struct fixture *f = *state;
	char bare[200];

	assert_int_equal(sh(f, "git clone -q --bare . ../bare"), 0);
	(void)snprintf(bare, sizeof(bare), "%s/bare", f->dir);
	f->req.cwd = bare;
	refused(f, EXIT_USAGE, "is a bare repository");
	f->req.base = f->req.candidate = "main";
	ok(f); /* two revisions need no working tree */
	f->req.base = f->req.candidate = NULL;
	f->req.cwd = f->repo;
	assert_int_equal(sh(f, "rm -rf .git && git init -q -b main ."), 0);
	refused(f, EXIT_USAGE, "no commit yet");
	assert_int_equal(sh(f, "rm -rf .git"), 0);
	refused(f, EXIT_USAGE, "is not in a git repository");
	f->req.base = "main";
	refused(f, EXIT_USAGE, "is not in a git repository");
}

static void shallow_and_unrelated_history(void **state)
{
	struct fixture *f = *state;
	char clone[200];

	assert_int_equal(
		sh(f, "git commit -q --allow-empty -m two && git checkout -q --orphan lone && "
		      "git commit -qm lone"),
		0);
	refused(f, EXIT_COULD_NOT_COMPARE, "HEAD and main have no commit in common");
	assert_non_null(strstr(f->why.text, "fetch-depth: 0"));
	assert_int_equal(sh(f, "git checkout -qf main && "
			       "git clone -q --depth 1 file://$PWD ../shallow"),
			 0);
	(void)snprintf(clone, sizeof(clone), "%s/shallow", f->dir);
	f->req.cwd = clone;
	f->req.base = "HEAD~1";
	refused(f, EXIT_COULD_NOT_COMPARE, "fetch-depth: 0");
	f->req.base = NULL;
	f->req.force = true;
	ok(f); /* the tip itself is here */
}

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

	if (geteuid())
		skip(); /* only root can give a repository away */
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

static int remember(void *arg, const char *value, const char *commit)
{
	char *text = arg;

	(void)snprintf(text + strlen(text), 512 - strlen(text), "%.4s|%s\n", commit, value);
	return 0;
}

/* Of the last paragraph alone, and of what the baseline does not have. */
static void trailers_of_the_candidates_commits(void **state)
{
	struct fixture *f = *state;
	char text[512] = "", base[GIT_ID], head[GIT_ID];
	struct git *g;

	assert_int_equal(sh(f, "git commit -q --allow-empty -m 'old' -m 'Joust-Accept: old: x'"),
			 0);
	assert_int_equal(git__open(&g, f->repo, &f->why), 0);
	assert_int_equal(git_head(g, base, &f->why), 0);
	assert_int_equal(sh(f,
			    "git commit -q --allow-empty -m one -m 'Joust-Accept: in: the body' "
			    "-m 'joust-accept: a: b: c\nSigned-off-by: t\nJoust-Accept: d: e' && "
			    "git commit -q --allow-empty -m 'Joust-Accept: not: a trailer'"),
			 0);
	assert_int_equal(git_head(g, head, &f->why), 0);
	assert_int_equal(git_trailers(g, head, base, "Joust-Accept", remember, text, &f->why), 0);
	assert_non_null(strstr(text, "|a: b: c\n"));
	assert_null(strstr(text, "the body"));
	assert_null(strstr(text, "old"));
	assert_null(strstr(text, "a trailer"));
	text[0] = '\0';
	assert_int_equal(git_trailers(g, base, NULL, "Joust-Accept", remember, text, &f->why), 0);
	assert_int_equal(strncmp(text, base, 4), 0);
	assert_non_null(strstr(text, "|old: x\n"));
	assert_int_equal(git_trailers(g, "0123456789012345678901234567890123456789", NULL, "x",
				      remember, text, &f->why),
			 -ENOENT);
	git__close(g);
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
		T(merge_base_is_found),
		T(an_unreadable_branch_is_no_missing_one),
		T(named_revisions),
		T(last_release_is_the_newest_reachable),
		T(no_commit_bare_or_no_repository),
		T(shallow_and_unrelated_history),
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
		T(trailers_of_the_candidates_commits),
		T(names_with_escapes_are_copied),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
