/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The file that a user named for a result: found out before anything is measured, written at the end. */
#include <stdio.h>
#include "../project/dirs.h"

/*
 * Refuses a path that cannot be written; NULL and "-" always can. A pipe or device is held from here
 * on, so that its reader sees no end before the result: atomic__abort(held) is due, however it went.
 */
int export_check(const char *path, struct atomic_file *held, struct problem *why) MUST_CHECK;

/* Writes to `f` and returns 0 or a negative errno. */
typedef int export_fn(FILE *f, const void *arg);

/*
 * Writes what `write` writes to the path, or to what is held of it. `held` may be NULL: nothing is.
 * 0 or a negative errno, for atomic_strerror.
 */
int export_write(const char *path, struct atomic_file *held, export_fn *write,
		 const void *arg) MUST_CHECK;
