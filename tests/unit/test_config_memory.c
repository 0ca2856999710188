/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The N-th allocation while joust.conf is read fails, ours or libgit2's, for every N until none does:
 * that is no fault of the file, so never wrong usage, and never half of what it says.
 */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <git2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/project/config.h"
#include "engine/project/git.h"

static unsigned allocations, failing;

static bool fails(void)
{
	allocations++;
	return allocations == failing;
}

/* What the engine calls (WRAP_test_config_memory). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_asprintf(char **ret, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **ret, int flag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
	return fails() ? NULL : __real_strndup(s, n);
}

int __wrap_asprintf(char **ret, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = fails() ? -1 : vasprintf(ret, fmt, ap);
	va_end(ap);
	return len;
}

/* With _FORTIFY_SOURCE. */
int __wrap___asprintf_chk(char **ret, int flag, const char *fmt, ...)
{
	va_list ap;
	int len;

	(void)flag;
	va_start(ap, fmt);
	len = fails() ? -1 : vasprintf(ret, fmt, ap);
	va_end(ap);
	return len;
}

static int setup(void **state)
{
	failing = 0;
	assert_int_equal(make_root(state), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", root, 1), 0);
	put("/joust/config", "[project]\n\tlimit = wall=1.5\n[sandbox]\n\tread = /opt/mine\n");
	/* up already: its start takes hundreds of allocations, which have nothing to do with a file */
	return git_memory_ends_with(EXIT_COULD_NOT_COMPARE) || git_libgit2_init() < 0;
}

#define NOTHING_FAILED 100 /* added to the exit status */

/* In a process of its own, which libgit2 may end. */
static int read_apart(void (*check)(const struct config *c))
{
	struct config c = {0};
	struct problem why = {0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), err;

	if (null < 0 || dup2(null, STDERR_FILENO) < 0)
		return 1;
	allocations = 0;
	err = config__load(&c, root, &why);
	if (!err)
		check(&c);
	return (int)why.exit + (allocations < failing ? NOTHING_FAILED : 0);
}

static int reads(void (*check)(const struct config *c))
{
	pid_t pid = fork();
	int status = -1;

	assert_true(pid >= 0);
	if (!pid)
		_exit(read_apart(check));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status))
		fail_msg("allocation %u: signal %d", failing, WTERMSIG(status));
	return WEXITSTATUS(status);
}

static unsigned every_allocation(enum joust_exit whole, void (*check)(const struct config *c))
{
	int status;

	for (failing = 1; (status = reads(check)) < NOTHING_FAILED; failing++)
		if (status != EXIT_COULD_NOT_COMPARE && status != (int)whole)
			fail_msg("allocation %u: %d", failing, status);
	assert_int_equal(status, NOTHING_FAILED + (int)whole);
	return failing;
}

/* All that both files say, or an end that no status stands for. */
static void is_whole(const struct config *c)
{
	bool whole = c->limit[METRIC_WALL] == 1.5 && c->sandbox_read.cnt == 2 && c->build &&
		     !strcmp(c->build, "make -s") && c->watch.cnt == 2 && c->benches_cnt == 2 &&
		     c->benches[0].limit[METRIC_CPU] == 1.01 && c->benches[1].command &&
		     !strcmp(c->benches[1].command, "./x \"a b\" ; c") && c->path;

	if (!whole)
		abort();
}

static const char right[] = "[project]\n\tbuild = make -s ; a comment\n\twatch = src\n"
			    "\twatch = \"in \\\n clude\"\n[sandbox]\n\tread = ~/.cargo\n"
			    "[benchmark \"parse: large\"]\n\tworker = b\n\tlimit = 1.01\n"
			    "[benchmark \"two \\\"2\\\"\"]\n\tcommand = \"./x \\\"a b\\\" ; c\"\n";

static void a_file_that_is_right_is_never_wrong(void **state)
{
	(void)state;
	put("/" CONFIG_FILE, right);
	assert_true(every_allocation(EXIT_PASSED, is_whole) > 60);
}

static void unreachable(const struct config *c)
{
	(void)c;
	abort();
}

static void a_wrong_file_is_never_accepted(void **state)
{
	static const char *const wrong[] = {
		"[project]\n\tbuild = make\n[benchmark \"x\"]\n\tworker = a\n\tcommand = b\n",
		"[project\n\tbuild = make\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		put("/" CONFIG_FILE, wrong[i]);
		assert_true(every_allocation(EXIT_USAGE, unreachable) > 20);
	}
}

/* One reading with so few descriptors; the next numbers are taken in turn. */
static int with_descriptors(rlim_t most)
{
	const struct rlimit limit = {most, most};
	pid_t pid = fork();
	int status = -1;

	assert_true(pid >= 0);
	if (!pid)
		_exit(setrlimit(RLIMIT_NOFILE, &limit) ? 1 : read_apart(is_whole));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_lack_of_descriptors_is_no_fault_of_the_file(void **state)
{
	int status = EXIT_COULD_NOT_COMPARE;
	rlim_t most = 4;

	(void)state;
	put("/" CONFIG_FILE, right);
	failing = 0;
	for (; status == EXIT_COULD_NOT_COMPARE && most < 64; most++)
		status = with_descriptors(most);
	assert_int_equal(status, EXIT_PASSED);
	assert_true(most > 6);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_file_that_is_right_is_never_wrong),
		T(a_wrong_file_is_never_accepted),
		T(the_lack_of_descriptors_is_no_fault_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
