/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A command line cut into words without a shell: blanks separate, '..', ".." and \ quote. */
#include <stddef.h>
#include "../../report/cleanup.h"

struct words {
	size_t cnt;
	char **items; /* NULL-terminated: an argv */
};

/* 0; -EINVAL: an open quote or nothing but blanks; -ENOMEM. */
int words__split(struct words *ret, const char *line) MUST_CHECK;
/* A copy of argv[0..cnt). */
int words__copy(struct words *ret, char *const *argv, size_t cnt) MUST_CHECK;
/* The words as one line that words__split and a shell cut the same way; owned, NULL when memory is out. */
char *words_join(const struct words *w);
void words__done(struct words *w);
