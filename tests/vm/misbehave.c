/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Goes wrong in the one way it is told, to prove that a guest does not call it right.
 * usage: misbehave WAY
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "count.h"
#include "tap.h"

static void fail_one(void)
{
	tap_ok(true, "good");
	tap_ok(false, "bad");
}

static void die_early(void)
{
	tap_ok(true, "before a signal");
	(void)raise(SIGSEGV);
}

static void leave_early(void)
{
	tap_ok(true, "without a plan");
	_exit(0);
}

static void hang(void)
{
	for (;;)
		pause();
}

static void plan_too_much(void)
{
	tap_ok(true, "one of two");
	printf("1..2\n");
	fflush(stdout);
	_exit(0);
}

/* What the kernel does of itself when it warns: it logs, and it sets a bit that stays. */
static void log_a_warning(void)
{
	count_set("/dev/kmsg", "<4>WARNING: CPU: 0 PID: 1 at kernel/nowhere.c:1");
}

static void taint(void)
{
	count_set("/proc/sys/kernel/tainted", "512");
}

static void panic(void)
{
	tap_ok(true, "before a panic");
	count_set("/proc/sysrq-trigger", "c");
}

static const struct {
	const char *name;
	void (*go)(void);
} ways[] = {
	{"fail", fail_one},	 {"die", die_early},	 {"leave", leave_early}, {"hang", hang},
	{"plan", plan_too_much}, {"log", log_a_warning}, {"taint", taint},	 {"panic", panic},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (argc == 2 && strcmp(argv[1], ways[i].name) == 0)
			ways[i].go();
	return tap_done();
}
