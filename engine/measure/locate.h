/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Which file argv[0] of a benchmark is, on either side. */
#include <stdbool.h>
#include "../project/versions.h"

/*
 * Whether argv[0] is a program of the trees, on both sides alike: a side that has lost its own must not
 * be measured by the host's program of the same name.
 */
bool locate_in_trees(const struct versions *versions, const char *word);
/*
 * The side's own program, a path, or (`in_tree` false) a name in the PATH of workers; where there is
 * none, the last place looked at. Owned; NULL when memory is out.
 */
char *locate_program(const struct tree *tree, const char *word, bool in_tree);

/* The file that the user's own PATH finds for a name without a slash. Owned; NULL: none. */
char *locate_users(const char *word);
/*
 * Notes in the record where the user's own PATH finds another file than the workers' for the program
 * of benchmark `name`, or for what the first line of that program (#!/usr/bin/env NAME) asks for.
 * `word`: what was looked for in PATH, or NULL; `file`: the program. 0 or -ENOMEM.
 */
int locate_note(struct record *rec, const struct sandbox *sandbox, const char *name,
		const char *word, const char *file) MUST_CHECK;
