/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "engine/project/dirs.h"
#include "engine/project/elf_file.h"
#include "engine/project/tree.h"
#include "engine/project/versions.h"

/* Programs that a compiler made, files that nobody made, and the mappings of live processes. */

static char root[64];

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
	(void)state;
	strcpy(root, "/tmp/joust-test-XXXXXX");
	assert_non_null(mkdtemp(root));
	assert_int_equal(setenv("HOME", root, 1), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return dirs_remove(root);
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

static pid_t start(const char *command)
{
	pid_t pid = fork();
	char exe[64], link[256];

	if (!pid) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	(void)snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	for (int i = 0; i < 500; i++) { /* until the program has taken the shell's place */
		ssize_t n = readlink(link, exe, sizeof(exe) - 1);

		if (n > 0 && !strncmp(exe, root, strlen(root)))
			break;
		(void)usleep(10000);
	}
	(void)usleep(100000); /* its libraries are mapped */
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
	enum reason why;

	free(*detail);
	*detail = NULL;
	why = identity_check(pid, own, other, slot, detail);
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
		   "echo '#include <unistd.h>\nint f(void);int main(void){return f()+pause();}' "
		   ">m.c && "
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
	char command[300], *detail = NULL;
	enum reason why;
	pid_t pid;

	(void)state;
	assert_int_equal(sh("mkdir own other && printf '#include <unistd.h>\\nint "
			    "main(void){return pause();}' >m.c && "
			    "cc -o other/prog m.c && cp other/prog own/prog"),
			 0);
	index_of(&own, "own");
	index_of(&other, "other");
	(void)snprintf(command, sizeof(command), "exec %s", at("other/prog"));
	pid = start(command);
	assert_int_equal(rename(at("other/prog"), at("away")), 0);
	assert_int_equal(unlink(at("away")), 0);
	why = identity_check(pid, &own, &other, NULL, &detail);
	assert_int_equal(why, REASON_FOREIGN_BUILD);
	assert_string_equal(detail, at("away"));
	free(detail);
	stop(pid);
	detail = NULL;
	assert_int_equal(identity_check(pid, &own, &other, NULL, &detail), REASON_NONE); /* gone */
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

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(notes_are_read),
		T(what_is_no_file_is_refused),
		T(damaged_files_end_well),
		T(mappings_must_be_of_the_own_build),
		T(the_order_of_functions_is_told),
		T(deleted_mappings_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
