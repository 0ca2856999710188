/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/project/elf_file.h"
#include "engine/project/tree.h"
#include "engine/project/versions.h"

/* Programs that a compiler made, files that nobody made, and the mappings of live processes. */

static const char source[] =
	"__attribute__((section(\\\".note.joust\\\"), aligned(4), used)) static const struct "
	"{ unsigned n, d, t; char name[8]; unsigned v; } note = {6, 4, 1, \\\"joust\\\", 1}; "
	"int f(void); int main(void) { return 0; }";

static char *at(const char *name)
{
	static char path[4][512];
	static unsigned turn;
	char *p = path[turn++ % 4];

	(void)snprintf(p, 512, "%s/%s", root, name);
	return p;
}

static int sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int sh(const char *fmt, ...)
{
	char script[2048], command[2200];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(script, sizeof(script), fmt, ap);
	va_end(ap);
	(void)snprintf(command, sizeof(command), "cd %s && { %s\n} >/dev/null 2>&1", root, script);
	return system(command);
}

static int setup(void **state)
{
	assert_int_equal(make_root(state), 0);
	assert_int_equal(setenv("HOME", root, 1), 0);
	return 0;
}

static void notes_are_read(void **state)
{
	char id[41] = "untouched";

	(void)state;
	assert_int_equal(
		sh("printf '%%s' \"%s\" >w.c && cc -Wl,--build-id=0x1234abcd -o worker w.c && "
		   "cc -Wl,--build-id=none -o plain -x c - <<'E'\nint main(void){return 0;}\nE\n"
		   "cc -c w.c && cp worker stripped && strip stripped && cp worker bare && "
		   "objcopy --strip-section-headers bare || true",
		   source),
		0);
	assert_true(elf_is_worker(at("worker")));
	assert_true(elf_is_worker(at("stripped")));
	assert_true(elf_is_worker(at("w.o"))); /* sections alone */
	assert_false(elf_is_worker(at("plain")));
	assert_false(elf_is_worker(at("w.c")));
	assert_int_equal(elf_build_id(at("worker"), id), 0);
	assert_string_equal(id, "1234abcd");
	assert_int_equal(elf_build_id(at("plain"), id), 0);
	assert_string_equal(id, "");
}

static void what_is_no_file_is_refused(void **state)
{
	char id[41] = "untouched";

	(void)state;
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	assert_int_equal(elf_build_id(at("fifo"), id), -ENOEXEC); /* and does not hang */
	assert_int_equal(elf_build_id("/dev/zero", id), -ENOEXEC);
	assert_int_equal(elf_build_id(root, id), -ENOEXEC);
	assert_int_equal(elf_build_id(at("missing"), id), -ENOENT);
	assert_int_equal(
		sh("printf '\\177ELF' >short; printf '#!/bin/sh\\n%%0200d' 0 >script; : >empty; "
		   "cc -c -o o.o -x c /dev/null; ar rc a.a o.o"),
		0);
	assert_int_equal(elf_build_id(at("short"), id), -ENOEXEC);
	assert_int_equal(elf_build_id(at("script"), id), -ENOEXEC);
	assert_int_equal(elf_build_id(at("empty"), id), -ENOEXEC);
	assert_int_equal(elf_build_id(at("a.a"), id), -ENOEXEC);
	assert_string_equal(id, "untouched");
}

/* Every header of a small program cut short or overwritten: an answer, no crash (see asan). */
static void damaged_files_end_well(void **state)
{
	unsigned char bytes[20000];
	char id[41];
	size_t len;
	FILE *f;

	(void)state;
	assert_int_equal(
		sh("printf '%%s' \"%s\" >w.c && cc -Os -s -nostdlib -static -Wl,-e,main -o w w.c",
		   source),
		0);
	f = fopen(at("w"), "rb");
	assert_non_null(f);
	len = fread(bytes, 1, sizeof(bytes), f);
	assert_int_equal(fclose(f), 0);
	assert_true(elf_is_worker(at("w")));
	for (size_t i = 0; i < 1200; i++) {
		unsigned char old = bytes[i % 400];
		static const unsigned char bad[] = {0xff, 0x00, 0x7f};
		int fd = open(at("x"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

		bytes[i % 400] = bad[i / 400];
		assert_int_equal(write(fd, bytes, len), len);
		assert_int_equal(close(fd), 0);
		bytes[i % 400] = old;
		(void)elf_is_worker(at("x"));
		(void)!elf_build_id(at("x"), id);
	}
	for (size_t i = 0; i < len; i += i < 400 ? 1 : 97) {
		assert_int_equal(truncate(at("x"), (off_t)(len - i - 1)), 0);
		(void)!elf_build_id(at("x"), id);
	}
}

/* Mappings */

/* A program that says when it runs: the loader has mapped its libraries by then. */
#define SAY_AND_WAIT                                                                               \
	"#include <unistd.h>\nint f(void); "                                                       \
	"int main(void) { return f() + (int)write(1, \"r\", 1) + pause(); }\n"

static pid_t start(const char *command)
{
	int says[2];
	char ready;
	pid_t pid;

	assert_int_equal(pipe(says), 0);
	pid = fork();
	if (!pid) {
		(void)dup2(says[1], STDOUT_FILENO);
		(void)close(says[0]);
		(void)close(says[1]);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	assert_int_equal(close(says[1]), 0);
	assert_int_equal(read(says[0], &ready, 1), 1); /* 0: it ended */
	assert_int_equal(close(says[0]), 0);
	return pid;
}

static void stop(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void index_of(struct tree *t, const char *name)
{
	*t = (struct tree){.root = strdup(at(name)), .lock_fd = -1};
	assert_int_equal(tree__index(t, -1), 0);
}

static enum reason check(const char *command, const struct tree *own, const struct tree *other,
			 const struct stat *slot, char **detail)
{
	pid_t pid = start(command);
	struct identity found;
	enum reason why;

	free(*detail);
	why = identity_check(pid, own, other, slot, &found);
	*detail = found.detail;
	stop(pid);
	return why;
}

static void mappings_must_be_of_the_own_build(void **state)
{
	struct tree own, other;
	char command[600], *detail = NULL;
	struct stat slot;

	(void)state;
	assert_int_equal(
		sh("mkdir own other sys && echo 'int f(void){return 0;}' >f.c && "
		   "printf '%%s' '" SAY_AND_WAIT "' >m.c && "
		   "for d in own other sys; do cc -shared -fPIC -Wl,-soname,libf.so.1 -o "
		   "$d/libf.so.1.0 f.c && "
		   "ln -s libf.so.1.0 $d/libf.so.1; done && cp own/libf.so.1.0 sys/libf.so.1.7 && "
		   "ln -sf libf.so.1.7 sys/libf.so.1 && "
		   "cc -o own/prog m.c own/libf.so.1 && cp own/prog other/prog && cp own/prog "
		   "copy"),
		0);
	index_of(&own, "own");
	index_of(&other, "other");
	assert_int_equal(own.files_cnt, 2);
	assert_int_equal(stat(at("copy"), &slot), 0);
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("own"),
		       at("copy"));
	assert_int_equal(check(command, &own, &other, &slot, &detail), REASON_NONE);
	assert_null(detail);
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("own"),
		       at("other/prog"));
	assert_int_equal(check(command, &own, &other, &slot, &detail), REASON_FOREIGN_BUILD);
	assert_string_equal(detail, at("other/prog"));
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("other"),
		       at("own/prog"));
	assert_int_equal(check(command, &own, &other, &slot, &detail), REASON_FOREIGN_BUILD);
	assert_string_equal(detail, at("other/libf.so.1.0"));
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("sys"),
		       at("own/prog"));
	assert_int_equal(check(command, &own, &other, NULL, &detail), REASON_NOT_OWN_BUILD);
	assert_string_equal(detail, at("sys/libf.so.1.7"));
	assert_int_equal(check(command, &own, &own, NULL, &detail), REASON_NOT_OWN_BUILD);
	/* both sides are one tree */
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("own"),
		       at("own/prog"));
	assert_int_equal(check(command, &own, &own, NULL, &detail), REASON_NONE);
	assert_null(detail);
	tree__done(&own);
	tree__done(&other);
}

/* A file that was removed after it was mapped is still known by its inode. */
static void deleted_mappings_are_known(void **state)
{
	struct tree own, other;
	struct identity found;
	char command[300];
	pid_t pid;

	(void)state;
	assert_int_equal(sh("mkdir own other && printf '%%s' '" SAY_AND_WAIT "' >m.c && "
			    "echo 'int f(void) { return 0; }' >f.c && "
			    "cc -o other/prog m.c f.c && cp other/prog own/prog"),
			 0);
	index_of(&own, "own");
	index_of(&other, "other");
	(void)snprintf(command, sizeof(command), "exec %s", at("other/prog"));
	pid = start(command);
	assert_int_equal(rename(at("other/prog"), at("away")), 0);
	assert_int_equal(unlink(at("away")), 0);
	assert_int_equal(identity_check(pid, &own, &other, NULL, &found), REASON_FOREIGN_BUILD);
	assert_string_equal(found.detail, at("away"));
	free(found.detail);
	stop(pid);
	assert_int_equal(identity_check(pid, &own, &other, NULL, &found), REASON_NONE); /* gone */
	assert_null(found.detail);
	tree__done(&own);
	tree__done(&other);
}

/* libf and prog of two builds, numbers 1 and 2, in 1/ and 2/; the first of them in own/ as well. */
static void two_builds(struct tree *own, struct tree *other)
{
	assert_int_equal(sh("mkdir own other 1 2 && printf '%%s' '" SAY_AND_WAIT "' >m.c && "
			    "echo 'int f(void) { return 0; }' >f.c && for i in 1 2; do "
			    "cc -shared -fPIC -Wl,--build-id=0xa000000$i -Wl,-soname,libf.so -o "
			    "$i/libf.so f.c && "
			    "cc -Wl,--build-id=0xb000000$i -o $i/prog m.c $i/libf.so || exit; "
			    "done; cp 1/* own"),
			 0);
	index_of(own, "own");
	index_of(other, "other");
}

/* What is written anew keeps its inode; what has the same build id is the same build. */
static void changed_programs_are_told_by_their_build_id(void **state)
{
	static const struct {
		const char *change, *program;
		enum reason why;
	} cases[] = {
		{":", "own/prog", REASON_NONE},
		{"cat 1/libf.so >own/libf.so", "own/prog", REASON_NONE},
		{"cat 2/libf.so >own/libf.so", "own/prog", REASON_BUILD_CHANGED},
		{"cat 1/libf.so >own/libf.so; cat 2/prog >own/prog", "own/prog",
		 REASON_BUILD_CHANGED},
		{"cp 1/prog slot", "slot", REASON_NONE},
		{"cp 2/prog slot", "slot", REASON_BUILD_CHANGED},
	};
	struct tree own, other;
	char command[600], *detail = NULL;
	struct stat slot;

	(void)state;
	two_builds(&own, &other);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(sh("%s", cases[i].change), 0);
		(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("own"),
			       at(cases[i].program));
		assert_int_equal(stat(at(cases[i].program), &slot), 0);
		assert_int_equal(check(command, &own, &other,
				       strcmp(cases[i].program, "slot") ? NULL : &slot, &detail),
				 cases[i].why);
		if (cases[i].why == REASON_NONE)
			assert_null(detail);
		else
			assert_non_null(detail);
	}
	free(detail);
	tree__done(&own);
	tree__done(&other);
}

/* A process that its own user may not look into. */
static pid_t start_closed(void)
{
	pid_t pid;

	if (prctl(PR_SET_DUMPABLE, 0)) /* a child begins with it */
		_exit(253);
	pid = fork();
	if (!pid) {
		(void)pause();
		_exit(0);
	}
	return pid;
}

/* What a process without any privilege finds: the reason, and 100 for by_path. NULL: a closed one. */
static int found_by_nobody(const char *command, const struct tree *own, const struct tree *other)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		struct identity found;
		enum reason why;

		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(255);
		pid = command ? start(command) : start_closed();
		why = identity_check(pid, own, other, NULL, &found);
		stop(pid);
		if (why == REASON_BUILD_UNSEEN && !strstr(found.detail, strerror(EACCES)))
			_exit(254);
		_exit((int)why + (found.by_path ? 100 : 0));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

/* Never a silent pass: neither where nothing can be read, nor where only paths tell. */
static void what_cannot_be_seen_is_said(void **state)
{
	struct tree own, other;
	char command[600];

	(void)state;
	two_builds(&own, &other);
	assert_int_equal(chmod(root, 0755), 0);
	(void)snprintf(command, sizeof(command), "LD_LIBRARY_PATH=%s exec %s", at("own"),
		       at("own/prog"));
	assert_int_equal(found_by_nobody(command, &own, &other), 100 + REASON_NONE);
	assert_int_equal(found_by_nobody(NULL, &own, &other), REASON_BUILD_UNSEEN);
	tree__done(&own);
	tree__done(&other);
}

/* a.c and b.c linked in this order and in the other one. */
static void the_order_of_functions_is_told(void **state)
{
	uint64_t ab, again, ba, none;
	size_t cnt = 0, cnt_ba = 0;

	(void)state;
	assert_int_equal(
		sh("echo 'int a1(int x) { return x; } int a2(int x) { return x + 1; }' >a.c; "
		   "echo 'int b1(int x) { return x + 2; }' >b.c; "
		   "echo 'int main(void) { return 0; }' >m.c; "
		   "for l in 'a b' 'b a'; do set -- $l; cc -g -o $1$2 m.c $1.c $2.c; done; "
		   "cc -o again m.c a.c b.c; cc -s -o stripped m.c a.c b.c; "
		   "cc -c -o a.o a.c"),
		0);
	assert_int_equal(elf_function_order(at("ab"), &ab, &cnt), 0);
	assert_int_equal(elf_function_order(at("ba"), &ba, &cnt_ba), 0);
	assert_true(cnt >= 4 && cnt == cnt_ba);
	assert_true(ab != ba);
	assert_int_equal(elf_function_order(at("again"), &again, &cnt), 0);
	assert_true(ab == again);
	assert_int_equal(elf_function_order(at("stripped"), &none, &cnt), 0);
	assert_int_equal(cnt, 0);
	assert_int_equal(elf_function_order(at("a.o"), &none, &cnt), 0);
	assert_int_equal(cnt, 2);
	assert_int_equal(elf_function_order(at("a.c"), &none, &cnt), -ENOEXEC);
	assert_int_equal(elf_function_order(at("nowhere"), &none, &cnt), -ENOENT);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(notes_are_read),
		T(what_is_no_file_is_refused),
		T(damaged_files_end_well),
		T(mappings_must_be_of_the_own_build),
		T(the_order_of_functions_is_told),
		T(deleted_mappings_are_known),
		T(changed_programs_are_told_by_their_build_id),
		T(what_cannot_be_seen_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
