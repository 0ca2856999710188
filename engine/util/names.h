/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A set of names: a tree of the C library's, because a foreign program may give thousands. */
#include "../../report/cleanup.h"

/* Zeroed: empty. The strings are the caller's and must outlive it. */
struct names {
	void *root;
};

/* 0; -EEXIST: it is there already; -ENOMEM. */
int names__add(struct names *n, const char *name) MUST_CHECK;
/* The string that was added; NULL: none. */
const char *names_find(const struct names *n, const char *name);
/* Accepts a zeroed one. */
void names__done(struct names *n);
