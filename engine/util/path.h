/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Paths as texts: nothing is looked up, so "." and ".." are names like others. */

/*
 * What of `path` lies below `dir`, without the slash between: "" where it is `dir` itself, NULL where it
 * is neither. Slashes at the end of `dir` do not count, and everything absolute is below "/".
 */
const char *path_below(const char *path, const char *dir);
/* The directory of "DIR/NAME"; "." of a name alone. Owned; NULL when memory is out. */
char *path_dir(const char *path);
/* DIR/NAME, owned; NULL when memory is out. */
char *path_join(const char *dir, const char *name);
