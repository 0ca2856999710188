/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What libgit2's parser does not tell or refuse: forbidden bytes, includes (which it would follow
 * before anyone can look), empty sections, and the line of every section and key.
 */
#include <stdbool.h>
#include <stddef.h>
#include "../../report/cleanup.h"

struct config_mark {
	unsigned line; /* 1-based */
	bool header;   /* a section header, else a key */
	/* Of a key: what the syntax takes out of its value. */
	bool quote_inside; /* a double quote, where not the whole value is one quoted part */
	bool cut_in_word;  /* its comment begins right behind a word */
	bool cut_in_quote; /* its comment begins in an open quote of a command */
	char *name; /* "section", "section.Sub Section" or "section.Sub Section.key"; owned */
};

struct config_marks {
	size_t cnt;
	struct config_mark *items;
	unsigned open_line; /* first line whose quote has no end (libgit2 takes it); 0 */
};

/* NULL, or why these bytes cannot be a configuration; *ret_line is the line of the first bad one. */
const char *config_bytes_refused(const char *text, size_t len, unsigned *ret_line);

/* Section headers and keys in the order of the file, as lenient as libgit2. 0 or -ENOMEM. */
int config_marks__scan(struct config_marks *ret, const char *text, size_t len) MUST_CHECK;
void config_marks__done(struct config_marks *m);
