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
