/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts that the kernel gives about control groups and memory. What they do: tests/vm/cgroup_proofs.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/host/cgroup_clean.h"
#include "engine/host/cgroup_files.h"
#include "engine/host/cgroup_find.h"
#include "engine/host/ends.h"
#include "engine/host/peak.h"

static struct cgroup_texts texts;

static struct cgroup_place find(const char *groups, const char *mounts, const char *controller)
{
	struct cgroup_place p;

	strcpy(texts.groups, groups);
	strcpy(texts.mounts, mounts);
	cgroup_find(&texts, "/nowhere", controller, &p);
	return p;
}

#define MEMORY_AT(root, point)                                                                     \
	"34 30 0:31 " root " " point " rw,relatime shared:3 - cgroup cgroup rw,memory\n"

static void a_group_lies_below_its_mount(void **state)
{
	struct cgroup_place p =
		find("4:memory:/a/b\n0::/\n", MEMORY_AT("/", "/cg/memory"), "memory");

	(void)state;
	assert_int_equal(p.version, 1);
	assert_string_equal(p.dir, "/cg/memory/a/b");
	assert_int_equal(p.point_len, strlen("/cg/memory"));
	assert_false(p.writable); /* nothing is there */
	p = find("4:memory:/\n", MEMORY_AT("/", "/cg/memory"), "memory");
	assert_string_equal(p.dir, "/cg/memory");
}

static void a_part_of_a_hierarchy_may_be_mounted(void **state)
{
	struct cgroup_place p =
		find("4:memory:/docker/x/y\n", MEMORY_AT("/docker/x", "/cg"), "memory");

	(void)state;
	assert_string_equal(p.dir, "/cg/y");
	p = find("4:memory:/docker/x\n", MEMORY_AT("/docker/x", "/cg"), "memory");
	assert_string_equal(p.dir, "/cg");
	/* a name that only begins alike, and a group outside */
	assert_int_equal(
		find("4:memory:/docker/xy\n", MEMORY_AT("/docker/x", "/cg"), "memory").version, 0);
	assert_int_equal(find("4:memory:/other\n", MEMORY_AT("/docker/x", "/cg"), "memory").version,
			 0);
}

static void names_are_whole_words(void **state)
{
	(void)state;
	assert_int_equal(find("4:memory_not:/a\n", MEMORY_AT("/", "/cg"), "memory").version, 0);
	assert_int_equal(find("4:cpuset,memory:/a\n", MEMORY_AT("/", "/cg"), "memory").version, 1);
	assert_int_equal(find("4:memory:/a\n", MEMORY_AT("/", "/cg"), "pids").version, 0);
}

static void blanks_in_a_mount_point_are_written_in_octal(void **state)
{
	struct cgroup_place p = find("4:memory:/a\n", MEMORY_AT("/", "/my\\040cg"), "memory");

	(void)state;
	assert_string_equal(p.dir, "/my cg/a");
	assert_int_equal(p.point_len, strlen("/my cg"));
}

static void what_is_cut_short_is_nowhere(void **state)
{
	static const char *const mounts[] = {"",
					     "\n",
					     "34",
					     "34 30 0:31 / /cg",
					     " - cgroup",
					     "34 30 0:31 / /cg rw - cgroup",
					     "a b c d  - cgroup x memory",
					     "34 30 0:31 / /cg rw - tmpfs cgroup rw,memory\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++)
		assert_int_equal(find("4:memory:/a\n", mounts[i], "memory").version, 0);
	assert_int_equal(find("4:memory", MEMORY_AT("/", "/cg"), "memory").version, 0);
	assert_int_equal(find(":::\n\n4", MEMORY_AT("/", "/cg"), "memory").version, 0);
}

static void a_key_is_a_whole_word_at_a_line_s_begin(void **state)
{
	static const char text[] = "low 0\noom 3\noom_kill 5\noom_group_kill 7\nlast 9";
	uint64_t v = 42;

	(void)state;
	assert_int_equal(cgroup_text_key(text, "oom", &v), 0);
	assert_int_equal(v, 3);
	assert_int_equal(cgroup_text_key(text, "oom_kill", &v), 0);
	assert_int_equal(v, 5);
	assert_int_equal(cgroup_text_key(text, "last", &v), 0);
	assert_int_equal(v, 9);
	assert_int_equal(cgroup_text_key(text, "kill", &v), -ENOENT);
	assert_int_equal(cgroup_text_key("", "oom", &v), -ENOENT);
	assert_int_not_equal(cgroup_text_key("oom \n", "oom", &v), 0);
	assert_int_not_equal(cgroup_text_key("oom x\n", "oom", &v), 0);
	assert_int_equal(v, 9);
}

static void resident_memory_is_in_the_status(void **state)
{
	struct resident r = {0};

	(void)state;
	assert_int_equal(
		resident_parse("Name:\tVmRSS\nVmHWM:\t    3000 kB\nVmRSS:\t  2000 kB\n"
			       "RssAnon:\t 500 kB\nRssFile:\t 1000 kB\nRssShmem:\t 24 kB\n",
			       &r),
		0);
	assert_true(r.now == 2000 * 1024.0 && r.peak == 3000 * 1024.0 && r.file == 1024 * 1024.0);
	/* a zombie and a kernel thread have none */
	assert_int_equal(resident_parse("Name:\tx\nState:\tZ (zombie)\n", &r), -EINVAL);
	assert_int_equal(resident_parse("VmHWM:\nVmRSS:\n", &r), -EINVAL);
	assert_true(r.now == 2000 * 1024.0);
	assert_int_equal(resident_read(getpid(), &r), 0);
	assert_true(r.peak >= r.now && r.now > r.file);
}

static void limits_come_before_what_follows_from_them(void **state)
{
	struct child c = {.reaped = true, .status = 9}; /* SIGKILL */

	(void)state;
	assert_int_equal(end_of(&c), REASON_KILLED_BY_SYSTEM);
	c.events.oom_kill = 1; /* the host's lack of memory, not the leaf's */
	assert_int_equal(end_of(&c), REASON_KILLED_BY_SYSTEM);
	c.events.memory_max = 1;
	assert_int_equal(end_of(&c), REASON_MEMORY_LIMIT);
	c.events.lost = true;
	assert_int_equal(end_of(&c), REASON_CGROUP_LOST);
	c = (struct child){.reaped = true, .status = 9, .killed_by_us = true};
	assert_int_equal(end_of(&c), REASON_SIGNAL);
	c = (struct child){.reaped = true, .events.pids_max = 1}; /* even when all else is well */
	assert_int_equal(end_of(&c), REASON_PIDS_LIMIT);
	c = (struct child){.reaped = true, .left_processes = true};
	assert_int_equal(end_of(&c), REASON_LEFT_PROCESSES);
	c.status = 3 << 8;
	assert_int_equal(end_of(&c), REASON_EXIT_STATUS);
	c = (struct child){.reaped = true, .events.memory_max = 5}; /* reclaimed, nobody killed */
	assert_int_equal(end_of(&c), REASON_NONE);
}

static void without_groups_nothing_is_done(void **state)
{
	struct cgroup_leaf leaf = {0};
	struct peak p = {0};
	enum reason why = REASON_NONE;
	double bytes = 5;

	(void)state;
	assert_int_equal(cgroup_leaf__mark(&leaf), -ENOTSUP);
	assert_int_equal(cgroup_leaf__peak(&leaf, &bytes), -ENOTSUP);
	assert_int_equal(cgroup_leaf__populated(NULL), -ENOTSUP);
	assert_int_equal(cgroup_leaf__kill(NULL, 0), -ENOTSUP);
	assert_false(cgroup_leaf__events(NULL).lost);
	cgroup_leaf__close(&leaf);
	assert_true(bytes == 5);
	peak__open(&p, NULL, 0);
	peak__begin(&p);
	peak__end(&p);
	assert_true(isnan(peak_value(&p, 0, &why)));
	assert_int_equal(why, REASON_NO_CGROUP);
	peak__close(&p);
}

/* An engine that is called dead is killed: one that cannot be looked at is not. */
static void who_cannot_be_looked_at_lives(void **state)
{
	struct rlimit old, none;
	char name[64], gone[64];
	bool dead, dead_without;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(cgroup_name(name, sizeof(name)), 0);
	(void)snprintf(gone, sizeof(gone), "joust.%d%s", (int)pid, strchr(name + 6, '.'));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(cgroup_name_is_dead(name));
	assert_true(cgroup_name_is_dead(gone));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	dead = cgroup_name_is_dead(name);
	dead_without = cgroup_name_is_dead(gone);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_false(dead);
	assert_false(dead_without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_lies_below_its_mount),
		cmocka_unit_test(a_part_of_a_hierarchy_may_be_mounted),
		cmocka_unit_test(names_are_whole_words),
		cmocka_unit_test(blanks_in_a_mount_point_are_written_in_octal),
		cmocka_unit_test(what_is_cut_short_is_nowhere),
		cmocka_unit_test(a_key_is_a_whole_word_at_a_line_s_begin),
		cmocka_unit_test(resident_memory_is_in_the_status),
		cmocka_unit_test(limits_come_before_what_follows_from_them),
		cmocka_unit_test(without_groups_nothing_is_done),
		cmocka_unit_test(who_cannot_be_looked_at_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
