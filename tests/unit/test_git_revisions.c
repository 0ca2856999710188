/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_git_fixture.h"
#include "engine/project/git.h"

/* Which commits are meant: where the baseline comes from, and what the candidate's own say. */

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

static int remember(void *arg, const char *value, const char *commit)
{
	char *text = arg;

	(void)snprintf(text + strlen(text), 512 - strlen(text), "%.4s|%s\n", commit, value);
	return 0;
}

static int remember_stray(void *arg, const char *commit)
{
	return remember(arg, "stray", commit);
}

/* Of the last paragraph alone, and of what the baseline does not have. */
static void trailers_of_the_candidates_commits(void **state)
{
	struct fixture *f = *state;
	char text[512] = "", base[GIT_ID], head[GIT_ID];
	struct git_trailer_reader r = {"Joust-Accept", remember, remember_stray, text};
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
	assert_int_equal(git_trailers(g, head, base, &r, &f->why), 0);
	assert_non_null(strstr(text, "|a: b: c\n"));
	assert_null(strstr(text, "the body"));
	assert_null(strstr(text, "old"));
	assert_null(strstr(text, "a trailer"));
	assert_non_null(strstr(text, "|stray\n"));
	text[0] = '\0';
	assert_int_equal(git_trailers(g, base, NULL, &r, &f->why), 0);
	assert_int_equal(strncmp(text, base, 4), 0);
	assert_non_null(strstr(text, "|old: x\n"));
	assert_int_equal(
		git_trailers(g, "0123456789012345678901234567890123456789", NULL, &r, &f->why),
		-ENOENT);
	git__close(g);
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
		T(trailers_of_the_candidates_commits),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
