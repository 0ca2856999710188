/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_git_fixture.h"
#include <signal.h>
#include <sys/wait.h>

/* What libgit2 would wait for without end; a test that does is ended by SIGALRM. */
#define PATIENCE_S 300

static void refused_in_place_of(struct fixture *f, const char *path, const char *make,
				const char *what)
{
	char words[160];

	assert_int_equal(sh(f,
			    "rm -rf ../saved && cp -a . ../saved && mkdir -p \"$(dirname %s)\" && "
			    "rm -f %s && %s %s",
			    path, path, make, path),
			 0);
	(void)snprintf(words, sizeof(words), "/%s is a %s", path, what);
	refused(f, EXIT_COULD_NOT_COMPARE, words);
	assert_int_equal(sh(f, "find . -mindepth 1 -delete && cp -a ../saved/. ."), 0);
}

static void what_never_answers_is_named(void **state)
{
	static const char *const paths[] = {
		".gitignore",
		".gitattributes",
		"sub/.gitignore",
		"sub/.gitattributes",
		".git/info/exclude",
		".git/info/attributes",
		".git/index",
		".git/config",
		".git/commondir",
		".git/packed-refs",
		".git/refs/heads/main",
		".git/logs/HEAD",
		".git/objects/info/alternates",
	};
	struct fixture *f = *state;
	char object[80] = "";
	FILE *ids;

	f->req.build = NULL;
	f->req.force = true;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		refused_in_place_of(f, paths[i], "mkfifo", "named pipe");
	assert_int_equal(sh(f, "git rev-parse HEAD:a.c | sed 's,..,.git/objects/&/,' >../object"),
			 0);
	assert_int_equal(chdir(f->dir), 0);
	ids = fopen("object", "r");
	assert_non_null(ids);
	assert_non_null(fgets(object, sizeof(object), ids));
	assert_int_equal(fclose(ids), 0);
	assert_int_equal(chdir("/"), 0);
	object[strcspn(object, "\n")] = '\0';
	refused_in_place_of(f, object, "mkfifo", "named pipe");
	refused_in_place_of(f, ".gitignore", "ln -s /dev/zero", "device");
	refused_in_place_of(f, ".git/info/exclude", "mkfifo ../far; ln -s ../../../far",
			    "named pipe");
	ok(f);
}

/* Of two commits the working tree is not copied, but libgit2 asks its attributes all the same. */
static void commits_are_read_beside_a_working_tree(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	f->req.force = true;
	f->req.base = f->req.candidate = "HEAD";
	ok(f);
	refused_in_place_of(f, ".gitattributes", "mkfifo", "named pipe");
}

/* Also of a repository that a linked working tree has its objects in. */
static void both_directories_of_a_linked_tree(void **state)
{
	struct fixture *f = *state;
	char dir[200];

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(sh(f, "git worktree add -q ../wt"), 0);
	(void)snprintf(dir, sizeof(dir), "%s/wt", f->dir);
	f->req.cwd = dir;
	ok(f);
	refused_in_place_of(f, ".git/info/exclude", "mkfifo", "named pipe");
	refused_in_place_of(f, ".git/worktrees/wt/index", "mkfifo", "named pipe");
}

/* Objects that lie elsewhere: named by an absolute path, from there by a relative one, and in a circle. */
static void other_directories_of_objects(void **state)
{
	static const char *const places[] = {"near/objects/pack/x.pack", "far/objects/12/34",
					     "far/objects/info/alternates"};
	struct fixture *f = *state;
	char words[64];

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(sh(f,
			    "for r in near far; do git init -q --bare ../$r && "
			    "mkdir -p ../$r/objects/12; done && "
			    "printf '# a comment\\n\\n%s/near/objects\\n' "
			    ">.git/objects/info/alternates && "
			    "echo ../../far/objects >../near/objects/info/alternates && "
			    "printf '%s/near/objects/\\n../objects\\nnowhere\\n' "
			    ">../far/objects/info/alternates",
			    f->dir, f->dir),
			 0);
	ok(f);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_int_equal(sh(f, "rm -f ../%s && mkfifo ../%s", places[i], places[i]), 0);
		(void)snprintf(words, sizeof(words), "/%s is a named pipe", places[i]);
		refused(f, EXIT_COULD_NOT_COMPARE, words);
		assert_int_equal(sh(f, "rm ../%s", places[i]), 0);
	}
	ok(f);
}

/* Sockets cannot be opened, /dev/null is empty; git's directory has other things than libgit2 reads. */
static void what_answers_is_let_be(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(
		sh(f, "mkdir -p .git/annex && mkfifo .git/annex/x pipe sub.fifo && "
		      "ln -s nowhere .gitattributes && ln -s /dev/null .git/info/attributes && "
		      "ln -s . round && ln -s . .git/refs/round"),
		0);
	ok(f);
}

/* Prepares as the engine does, with the signals blocked; ends as it would when it looks for them. */
static pid_t prepare_apart(struct fixture *f, int pending)
{
	pid_t pid = fork();
	sigset_t set;

	assert_true(pid >= 0);
	if (pid)
		return pid;
	(void)alarm(PATIENCE_S);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	if (pending)
		(void)raise(pending);
	(void)prepare(f); /* libgit2 takes a configuration that it cannot read for an empty one */
	_exit(!sigpending(&set) && sigismember(&set, SIGTERM) ? EXIT_SIGTERM : 1);
}

static int end_of(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* A configuration may point anywhere: nothing but a signal ends it then. */
static void a_signal_ends_what_waits(void **state)
{
	struct fixture *f = *state;
	char path[80];
	pid_t pid;
	int fd;

	f->req.build = NULL;
	assert_int_equal(sh(f, "mkfifo ../far && git config include.path %s/far", f->dir), 0);
	(void)snprintf(path, sizeof(path), "%s/far", f->dir);
	pid = prepare_apart(f, 0);
	fd = open(path, O_WRONLY | O_CLOEXEC); /* waits for the one that reads */
	assert_true(fd >= 0);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(end_of(pid), EXIT_SIGTERM);
	(void)close(fd);
}

/* A signal that came before the call interrupts nothing. */
static void a_signal_from_before_ends_it_too(void **state)
{
	struct fixture *f = *state;

	f->req.build = NULL;
	assert_int_equal(sh(f, "mkfifo ../far && git config include.path %s/far", f->dir), 0);
	assert_int_equal(end_of(prepare_apart(f, SIGTERM)), EXIT_SIGTERM);
	assert_int_equal(end_of(prepare_apart(f, SIGINT)), EXIT_SIGINT);
	assert_int_equal(end_of(prepare_apart(f, SIGHUP)), EXIT_SIGHUP);
}

static void handlers_are_put_back(void **state)
{
	struct fixture *f = *state;
	struct sigaction before[2], after[2];
	sigset_t set, old, mask;

	f->req.build = NULL;
	f->req.force = true;
	assert_int_equal(sigaction(SIGTERM, NULL, &before[0]), 0);
	assert_int_equal(sigaction(SIGALRM, NULL, &before[1]), 0);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, &old), 0);
	ok(f);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGTERM), 1);
	assert_int_equal(sigismember(&mask, SIGALRM), sigismember(&old, SIGALRM));
	assert_int_equal(sigaction(SIGTERM, NULL, &after[0]), 0);
	assert_int_equal(sigaction(SIGALRM, NULL, &after[1]), 0);
	assert_ptr_equal(before[0].sa_handler, after[0].sa_handler);
	assert_ptr_equal(before[1].sa_handler, after[1].sa_handler);
}

static int setup_patience(void **state)
{
	(void)alarm(PATIENCE_S);
	return setup(state);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup_patience, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_never_answers_is_named),
		T(commits_are_read_beside_a_working_tree),
		T(both_directories_of_a_linked_tree),
		T(other_directories_of_objects),
		T(what_answers_is_let_be),
		T(a_signal_ends_what_waits),
		T(a_signal_from_before_ends_it_too),
		T(handlers_are_put_back),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
