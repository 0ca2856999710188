/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_git_fixture.h"
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include "engine/util/files.h"

/* Writing to a file whose name ends like this finds the disk full; NULL: it does not. */
static const char *no_room_in;

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);

static bool has_no_room(int fd)
{
	size_t end = no_room_in ? strlen(no_room_in) : 0;
	char link[64], path[512] = "";
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd); /* fits */
	n = end ? readlink(link, path, sizeof(path) - 1) : -1;
	return n > (ssize_t)end && !strcmp(path + n - end, no_room_in);
}

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	if (has_no_room(fd)) {
		errno = ENOSPC;
		return -1;
	}
	return __real_write(fd, data, len);
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
	assert_string_equal(f->rec.message,
			    "nothing changed since the baseline (--force compares anyway)");
	f->req.force = true;
	ok(f);
	assert_false(f->v.nothing);
	assert_string_equal(f->v.tree[0].root, f->v.tree[1].root);
}

static void watch_decides_what_counts(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f, "mkdir -p docs src && echo x >README.md && echo x >docs/x && echo 1 >src/a"),
		0);
	assert_int_equal(
		sh(f, "git add . && git commit -qm two && echo y >README.md && echo y >docs/x"), 0);
	ok(f);
	assert_true(f->v.nothing);
	assert_string_equal(f->rec.message,
			    "nothing but *.md, docs/ and .github/ changed since the "
			    "baseline (--force compares anyway)");
	assert_int_equal(strings__add(&f->config.watch, "src"), 0);
	assert_int_equal(strings__add(&f->config.watch, "*.h"), 0);
	assert_int_equal(sh(f, "echo '//' >>a.c"), 0);
	ok(f);
	assert_true(f->v.nothing);
	assert_string_equal(f->rec.message, "src, *.h unchanged since the baseline "
					    "(--force compares anyway)");
	assert_int_equal(sh(f, "echo 2 >src/a"), 0);
	ok(f);
	assert_false(f->v.nothing);
	assert_int_equal(sh(f, "git checkout -q src/a && chmod +x src/a"), 0);
	ok(f);
	assert_false(f->v.nothing); /* the mode is content too */
}

static void snapshot_is_the_working_tree(void **state)
{
	struct fixture *f = *state;
	const char *root;

	assert_int_equal(sh(f,
			    "echo x >gone && echo x >tool && chmod 750 tool && ln -s a.c link && "
			    "git add . && git commit -qm two && rm gone && echo y >new && "
			    "echo '*.bin' >>.gitignore && echo i >data.bin && echo i >other.bin && "
			    "mkfifo pipe && mkdir sub && git -C sub init -q && echo z >sub/z"),
			 0);
	assert_int_equal(strings__add(&f->config.needs, "./data.bin"), 0);
	f->req.force = true;
	ok(f);
	root = f->v.tree[SIDE_CANDIDATE].root;
	assert_int_equal(sh(f,
			    "cd %s && test ! -e gone && test -x tool && test -L link && "
			    "test $(cat new) = y && test -e data.bin && test ! -e other.bin && "
			    "test ! -e pipe && test ! -e sub && test ! -e .git && test -x prog",
			    root),
			 0);
	/* the ignored file that the project needs is there for the baseline too */
	assert_int_equal(sh(f, "cd %s && test -e data.bin && test -e gone && test ! -e new",
			    f->v.tree[SIDE_BASELINE].root),
			 0);
	assert_int_equal(strings__add(&f->config.needs, "nowhere"), 0);
	refused(f, EXIT_USAGE, "needs = nowhere");
	strings__done(&f->config.needs);
	assert_int_equal(strings__add(&f->config.needs, "../x"), 0);
	refused(f, EXIT_USAGE, "needs = ../x");
}

/* A commit and a snapshot of the same files are one tree, whatever filters made of them. */
static void equal_files_have_equal_hashes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f, "mkdir w && printf '*.txt text eol=crlf\n*.id ident\n' >w/.gitattributes && "
		      "printf 'a\nb\n' >w/x.txt && echo '$Id$' >w/y.id && ln -s x w/l && "
		      "chmod 600 a.c && git add . && git commit -qm two && rm -r w && "
		      "git checkout -q w"),
		0);
	f->req.force = true;
	ok(f);
	assert_string_equal(f->rec.version[0].tree_hash, f->rec.version[1].tree_hash);
	assert_int_equal(sh(f, "grep -q \"$(printf '\r')\" %s/w/x.txt && grep -q 'Id: ' %s/w/y.id",
			    f->v.tree[0].root, f->v.tree[0].root),
			 0);
	assert_int_equal(f->rec.version[1].changed_files, 0);
	assert_true(f->rec.notes_cnt > 0); /* converted files are said */
}

/* The baseline's own rules convert it, not those of the working tree. */
static void attributes_are_the_commits(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		sh(f,
		   "printf '*.txt text eol=crlf\n' >.gitattributes && echo a >x.txt && "
		   "git add . && git commit -qm two && git rm -q .gitattributes && echo a >x.txt"),
		0);
	f->req.build = NULL;
	f->req.force = true;
	ok(f);
	assert_int_equal(sh(f, "test $(wc -c <%s/x.txt) = 3 && test $(wc -c <%s/x.txt) = 2",
			    f->v.tree[0].root, f->v.tree[1].root),
			 0);
}

static void failed_builds_leave_no_tree(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(sh(f, "echo 'int x = y;' >>a.c"), 0);
	refused(f, EXIT_COULD_NOT_COMPARE, "the candidate's build failed (exit status 2): make -s");
	assert_non_null(f->why.detail);
	assert_non_null(strstr(f->why.detail, "a.c"));
	assert_int_equal(access(f->rec.version[SIDE_CANDIDATE].build_log, R_OK), 0);
	assert_int_equal(sh(f, "test $(ls $XDG_CACHE_HOME/joust/trees/*.ok | wc -l) = 1 && "
			       "test $(ls -d $XDG_CACHE_HOME/joust/trees/*/ | wc -l) = 1"),
			 0);
	f->req.build = "seq 100; echo last; exit 7";
	refused(f, EXIT_COULD_NOT_COMPARE,
		"the baseline's build failed (exit status 7), and so did the "
		"candidate's (exit status 7): seq");
	assert_null(strstr(f->why.detail, "\n50\n"));
	assert_non_null(strstr(f->why.detail, "\n99\n100\nlast"));
	assert_int_equal(strncmp(f->why.detail, "52\n", 3), 0);
	f->req.build = "kill -SEGV $$";
	refused(f, EXIT_COULD_NOT_COMPARE, "(SIGSEGV)");
}

static void builds_see_a_clean_environment(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(setenv("SECRET", "s3cret", 1) | setenv("MAKEFLAGS", "-n", 1) |
				 setenv("CI", "true", 1) | setenv("WANTED", "yes", 1),
			 0);
	f->req.build = "env >env.txt; ls -A $HOME $TMPDIR >ls.txt; test -t 0 || cat >stdin.txt; "
		       "echo t >$TMPDIR/t";
	f->req.force = true;
	assert_int_equal(strings__add(&f->config.sandbox_env, "WANTED"), 0);
	ok(f);
	assert_int_equal(sh(f,
			    "cd %s && ! grep -E 'SECRET|MAKEFLAGS|^CI=' env.txt && grep WANTED=yes "
			    "env.txt && "
			    "grep LC_ALL=C.UTF-8 env.txt && test ! -s stdin.txt && "
			    "! grep \"$HOME$\" env.txt",
			    f->v.tree[0].project),
			 0);
	assert_int_equal(sh(f, "test -z \"$(ls -d $XDG_CACHE_HOME/joust/trees/*.env)\""), 0);
	assert_int_equal(setenv("WANTED", "other", 1), 0);
	ok(f);
	assert_false(f->rec.version[0].build_cached); /* another environment is another tree */
	assert_int_equal(unsetenv("MAKEFLAGS") | unsetenv("CI") | unsetenv("SECRET"), 0);
}

static void a_replaced_program_is_built_again(void **state)
{
	struct fixture *f = *state;
	char root[512];

	f->req.force = true;
	ok(f);
	(void)snprintf(root, sizeof(root), "%s", f->v.tree[0].root);
	versions__done(&f->v);
	assert_int_equal(sh(f, "cp /bin/true %s/prog", root), 0);
	ok(f);
	assert_false(f->rec.version[0].build_cached);
	assert_true(f->rec.version[1].build_cached); /* the same tree, for the other side */
	assert_int_equal(sh(f, "! cmp /bin/true %s/prog", root), 0);
	assert_int_equal(sh(f, "cp /bin/true %s/prog", root), 0); /* while this process uses it */
	f->rec.version[0].built = false;
	{
		struct versions held = f->v;

		f->v = (struct versions){.tree = {{.lock_fd = -1}, {.lock_fd = -1}}};
		refused(f, EXIT_COULD_NOT_COMPARE, "changed after the build");
		versions__done(&held);
	}
}

static void subdirectory_of_a_repository(void **state)
{
	struct fixture *f = *state;
	char sub[256], expect[600];

	assert_int_equal(
		sh(f, "mkdir -p p/q && mv a.c Makefile p/q/ && echo s >shared && git add -A . && "
		      "git commit -qm two && echo '//' >>p/q/a.c"),
		0);
	(void)snprintf(sub, sizeof(sub), "%s/p/q", f->repo);
	f->req.cwd = sub;
	ok(f);
	(void)snprintf(expect, sizeof(expect), "%s/p/q", f->v.tree[1].root);
	assert_string_equal(f->v.tree[1].project, expect);
	assert_int_equal(sh(f, "test -x %s/prog && test -e %s/shared", expect, f->v.tree[1].root),
			 0);
	assert_string_equal(f->v.tree[1].files[0].path, "p/q/prog");
	assert_int_equal(sh(f, "git checkout -q . && echo x >p/README.md"), 0);
	ok(f);
	assert_true(f->v.nothing);
	f->req.base = "HEAD~1";
	refused(f, EXIT_COULD_NOT_COMPARE, "the baseline has no directory p/q");
}

static void directories_and_programs(void **state)
{
	struct fixture *f = *state;
	char plain[256], old[256];
	bool same = false;

	assert_int_equal(
		sh(f, "mkdir ../plain && cp a.c Makefile ../plain && mkdir ../plain/.git_not && "
		      "cp /bin/true ../old"),
		0);
	(void)snprintf(plain, sizeof(plain), "%s/plain", f->dir);
	(void)snprintf(old, sizeof(old), "%s/old", f->dir);
	f->req.base = plain;
	ok(f);
	assert_int_equal(f->rec.version[0].kind, VERSION_DIR);
	assert_string_equal(f->rec.version[0].source, plain);
	assert_int_equal(strlen(f->v.tree[0].project), strlen(f->v.tree[1].project));
	f->req.candidate = plain; /* without git */
	f->req.cwd = plain;
	ok(f);
	assert_string_equal(f->v.tree[0].root, f->v.tree[1].root);
	f->req.candidate = NULL;
	ok(f);
	assert_int_equal(f->rec.version[1].kind, VERSION_DIR);
	f->req.base = f->req.candidate = old;
	f->req.build = NULL;
	ok(f);
	assert_int_equal(f->rec.version[0].kind, VERSION_PROGRAM);
	/* a copy, so that a later build of it is not measured with it */
	assert_string_not_equal(f->v.tree[0].program, old);
	assert_string_equal(basename(f->v.tree[0].program), "old");
	assert_int_equal(files_equal(f->v.tree[0].program, old, &same), 0);
	assert_true(same);
	assert_int_equal(f->v.tree[0].files_cnt, 1);
	assert_string_equal(f->v.tree[0].project, plain);
	assert_int_equal(chmod(old, 0644), 0);
	refused(f, EXIT_USAGE, "neither a directory nor a program");
}

static void in_place_builds_the_working_tree(void **state)
{
	struct fixture *f = *state;

	f->req.in_place = f->req.force = true;
	ok(f);
	assert_string_equal(f->v.tree[1].root, f->repo);
	assert_int_equal(sh(f, "test -x prog"), 0);
	assert_true(f->rec.notes_cnt >= 2); /* in place, and paths of unequal length */
	f->req.candidate = "HEAD";
	refused(f, EXIT_USAGE, "--in-place");
}

static void one_side_is_the_candidate_twice(void **state)
{
	struct fixture *f = *state;

	f->req.one_side = true;
	ok(f);
	assert_string_equal(f->v.tree[0].project, f->v.tree[1].project);
	assert_int_equal(f->v.tree[0].files_cnt, 1);
	assert_int_equal(sh(f, "rm -rf .git"), 0);
	ok(f);
	assert_int_equal(f->rec.version[1].kind, VERSION_DIR);
}

static void an_interrupt_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	char fifo[200], build[256];
	int p[2], status = -1;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	f->req.interrupt_fd = p[0];
	f->req.force = true;
	/* the build says that it runs, and is interrupted only then */
	assert_int_equal(sh(f, "mkfifo ../runs"), 0);
	(void)snprintf(fifo, sizeof(fifo), "%s/runs", f->dir);
	(void)snprintf(build, sizeof(build), "echo >%s; exec sleep 1000", fifo);
	f->req.build = build;
	pid = fork();
	if (!pid) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(open(fifo, O_RDONLY) < 0 || write(p[1], "x", 1) != 1);
	}
	assert_int_equal(prepare(f), -EINTR);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(
		sh(f,
		   "test -z \"$(ls -d $XDG_CACHE_HOME/joust/work/* $XDG_CACHE_HOME/joust/trees/*/ "
		   "$XDG_CACHE_HOME/joust/trees/*.ok)\""),
		0);
	assert_int_equal(prepare(f), -EINTR); /* still readable: at once, in the copying */
	assert_int_equal(sh(f, "test -z \"$(ls -d $XDG_CACHE_HOME/joust/work/*)\""), 0);
	assert_int_equal(close(p[0]) | close(p[1]), 0);
}

static void a_log_that_cannot_be_written_says_why(void **state)
{
	struct fixture *f = *state;

	f->req.force = true;
	f->req.build = "echo said";
	no_room_in = ".log";
	refused(f, EXIT_COULD_NOT_COMPARE, "the log could not be written: No space left on device");
	no_room_in = NULL;
}

static void long_logs_keep_head_and_tail(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	f->req.force = true;
	f->req.build = "echo first; yes 0123456789abcdef | head -c 20000000; echo last";
	ok(f);
	assert_int_equal(stat(f->rec.version[0].build_log, &st), 0);
	assert_true(st.st_size > (15 << 20) && st.st_size <= 16 * (1 << 20) + 100);
	assert_int_equal(sh(f,
			    "head -n1 %s | grep -x first && tail -n1 %s | grep 'last$' && "
			    "grep -q 'bytes left out' %s",
			    f->rec.version[0].build_log, f->rec.version[0].build_log,
			    f->rec.version[0].build_log),
			 0);
}

static void unused_trees_go(void **state)
{
	struct fixture *f = *state;
	char build[32];

	f->req.force = true;
	for (int i = 0; i < 43; i++) {
		(void)snprintf(build, sizeof(build), "true %d", i);
		f->req.build = build;
		ok(f);
	}
	/* a clock that was set back: the tree in use seems the oldest, and cannot go */
	assert_int_equal(sh(f, "touch -d @4000000000 $XDG_CACHE_HOME/joust/trees/*.ok"), 0);
	f->req.build = "true again";
	ok(f);
	assert_int_equal(sh(f,
			    "test $(ls $XDG_CACHE_HOME/joust/trees/*.ok | wc -l) = 40 && "
			    "test $(ls -d $XDG_CACHE_HOME/joust/trees/*/ | wc -l) = 40 && "
			    "test -e %s.ok",
			    f->v.tree[0].root),
			 0);
}

static void nearest_configuration_is_the_root(void **state)
{
	struct fixture *f = *state;
	struct problem why = {0};
	char path[300], *root, *build;
	bool guessed;

	assert_int_equal(sh(f, "mkdir -p x/y && touch joust.conf ../joust.conf"), 0);
	(void)snprintf(path, sizeof(path), "%s/x/y", f->repo);
	assert_int_equal(project_root(path, &root, &why), 0);
	assert_string_equal(root, f->repo);
	free(root);
	assert_int_equal(sh(f, "rm joust.conf"), 0); /* not above the top of the repository */
	assert_int_equal(project_root(path, &root, &why), 0);
	assert_string_equal(root, path);
	free(root);
	assert_int_equal(project_root("/nowhere/at/all", &root, &why), -ENOENT);
	assert_int_equal(project_build(&f->config, f->repo, &build, &guessed), 0);
	assert_int_equal(strncmp(build, "make -s -j", 10), 0);
	assert_true(guessed);
	free(build);
	assert_int_equal(project_build(&f->config, path, &build, &guessed), 0);
	assert_null(build);
}

static void zeroed_versions_own_no_descriptor(void **state)
{
	struct versions v = {0};

	(void)state; /* a run that ends before it has found its versions */
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	versions__done(&v);
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(working_tree_against_merge_base),
		T(nothing_changed_says_so),
		T(watch_decides_what_counts),
		T(snapshot_is_the_working_tree),
		T(equal_files_have_equal_hashes),
		T(attributes_are_the_commits),
		T(failed_builds_leave_no_tree),
		T(builds_see_a_clean_environment),
		T(a_replaced_program_is_built_again),
		T(subdirectory_of_a_repository),
		T(directories_and_programs),
		T(in_place_builds_the_working_tree),
		T(one_side_is_the_candidate_twice),
		T(an_interrupt_leaves_nothing),
		T(long_logs_keep_head_and_tail),
		T(unused_trees_go),
		T(a_log_that_cannot_be_written_says_why),
		T(nearest_configuration_is_the_root),
		T(zeroed_versions_own_no_descriptor),
	};

	if (child_engine_setup())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
