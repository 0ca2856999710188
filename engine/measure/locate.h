/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Which file argv[0] of a benchmark is, on either side. */
#include <stdbool.h>
#include "../project/versions.h"

struct located {
	/* absolute, of the host; where there is none, the last place looked at */
	char *program[SIDE_CNT];
	bool in_tree;  /* both are parts of their versions */
	bool one_file; /* a path that leads to the same file on both sides */
};

/*
 * The programs of `word`: the two that were named; a path in the trees; or a name, which is a program of
 * the trees or one in the PATH of workers, on both sides alike: a side that has lost its own must not be
 * measured by the host's program of the same name. `worker`: it is a worker program, which no host has
 * in its PATH.
 *
 * An absolute path into a directory of the user that a version was taken from, also through links, is
 * each version's own file, and so is a path that is in the trees without being in that directory: its
 * file there is neither version. -ENOMEM.
 */
int locate(struct located *ret, const struct versions *versions, const char *word,
	   bool worker) MUST_CHECK;
void located__done(struct located *l); /* accepts a zeroed one */

/* Whether an absolute path names a file of a directory that a version was taken from. -ENOMEM. */
int locate_at_home(const struct versions *versions, const char *path, bool *ret) MUST_CHECK;

/* The file of a name in the PATH of workers; where there is none, the last place looked at. Owned. */
char *locate_in_path(const char *word);

/* locate_note.c: the file that the user's own PATH finds for a name without a slash. Owned; NULL: none. */
char *locate_users(const char *word);
/*
 * Notes in the record where the user's own PATH finds another file than the workers' for the program
 * of benchmark `name`, or for what the first line of that program (#!/usr/bin/env NAME) asks for.
 * `word`: what was looked for in PATH, or NULL; `file`: the program. 0 or -ENOMEM.
 */
int locate_note(struct record *rec, const struct sandbox *sandbox, const char *name,
		const char *word, const char *file) MUST_CHECK;
/*
 * A note where an argument of the program is, or has in it, a path into a directory that a version was
 * taken from, and no version is shown in its place. 0 or -ENOMEM.
 */
int locate_note_argument(struct record *rec, const struct versions *versions,
			 const char *word) MUST_CHECK;
/* A note where that is so of the whole project, though there is a root of joust's. 0 or -ENOMEM. */
int locate_note_place(struct record *rec, const struct sandbox *sandbox,
		      const struct versions *versions) MUST_CHECK;
