/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The policy alone, as data: which system calls, what happens, why. */
#include <stddef.h>
#include <stdint.h>

enum seccomp_rule {
	RULE_ALLOW,
	RULE_ALLOW_IPC,	    /* only with an IPC namespace of its own */
	RULE_ALLOW_NETWORK, /* only with `network = yes`; else denied */
	RULE_UNKNOWN,	    /* answered ENOSYS at once, not counted: libc has another way */
	RULE_DENY,	    /* EPERM, counted; every call in no group: ENOSYS, counted */
};

struct seccomp_group {
	enum seccomp_rule rule;
	const char *why;
	const char *names; /* separated by blanks */
};
extern const struct seccomp_group seccomp_policy[];
extern const size_t seccomp_policy_cnt;

/* Calls allowed by an argument alone; else they are denied. */
struct seccomp_argument {
	const char *name;
	unsigned index;
	uint64_t mask, value; /* (argument & mask) == value */
	const char *why;
};
extern const struct seccomp_argument seccomp_arguments[];
extern const size_t seccomp_arguments_cnt;
