/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The filter of system calls: made by libseccomp from a table of groups, exported once, installed
 * in children by the bare system call without an allocation.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../../report/cleanup.h"

struct seccomp_filter {
	void *program; /* of struct sock_filter: mapped from a memfd */
	size_t bytes;
	int *denied; /* numbers that are answered EPERM, ascending; all others ENOSYS */
	size_t denied_cnt;
};

struct seccomp_wish {
	bool network, ipc;	  /* allow sockets; allow System V and POSIX queues */
	bool notify;		  /* refused calls go to the listener; else errno by the table */
	const char *const *allow; /* more names, NULL-terminated; NULL */
};

/* -EINVAL: an unknown name in `allow`, which *ret_word points to. */
int seccomp_filter__new(struct seccomp_filter *ret, const struct seccomp_wish *wish,
			const char **ret_word) MUST_CHECK;
void seccomp_filter__done(struct seccomp_filter *f); /* accepts a zeroed one */

/*
 * In the child, after no_new_privs: async-signal-safe. With `notify` the listener's descriptor
 * (close-on-exec), else 0; -1 with errno. Asks for SPEC_ALLOW: before Linux 5.16 a filter would
 * switch on mitigations that change the speed of what is measured.
 */
int seccomp_filter_install(const struct seccomp_filter *f, bool notify) MUST_CHECK;

struct seccomp_call {
	int number;
	int error; /* that it was answered; 0: let through */
};
/*
 * Answers one waiting call of the listener: 1; 0 when there is none (any more); a negative errno
 * when the listener is of no more use. `log` lets the call through.
 */
int seccomp_answer(const struct seccomp_filter *f, int listener, bool log,
		   struct seccomp_call *ret) MUST_CHECK;

/* "mount": owned; NULL when it has no name here or memory is out. */
char *seccomp_call_name(int number);
