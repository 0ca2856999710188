/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What went wrong, for the person at the terminal, and the exit status that it stands for. A
 * function fills it once and returns a negative errno; whoever owns the terminal prints it.
 */
#include <stddef.h>

enum joust_exit {
	EXIT_PASSED = 0,
	EXIT_REGRESSED = 1,
	EXIT_UNDECIDED = 2, /* under --strict */
	EXIT_COULD_NOT_COMPARE = 3,
	EXIT_USAGE = 64,
	EXIT_SIGHUP = 129,
	EXIT_SIGINT = 130,
	EXIT_SIGTERM = 143,
};

#define PROBLEM_TEXT  2048
#define PROBLEM_SHORT 400 /* what does not fit is cut to this, in the middle */

struct problem {
	enum joust_exit exit;
	char text[PROBLEM_TEXT]; /* one sentence or more; raw (escape on output) */
	char *detail;		 /* owned: the tail of a build log and the like; NULL */
};

/* Fills `p` (the first problem stays) and returns `err`, so that a failure is one line. */
int problem_set(struct problem *p, enum joust_exit status, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * What a path that the user named stands for where it cannot be opened or read: wrong usage where the
 * name is to blame (nothing there, something else there, no permission), else (no descriptors, no
 * memory, a failing disk) the host, which is no usage. `err` as a positive or negative errno.
 */
enum joust_exit problem_exit_of_path(int err);
/*
 * The status of a program that a signal ended, as a shell has it: of SIGHUP, SIGINT and SIGTERM. A
 * signal handler may call it.
 */
enum joust_exit problem_exit_of_signal(int sig);
void problem__done(struct problem *p);
