/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include "../../report/cleanup.h"

/* A regular file that may be executed: opening a pipe would wait for ever. */
bool files_can_run(const char *path);
/*
 * Whether `path` still names what is open at `fd`: a lock on a file or directory that was removed
 * meanwhile protects nothing.
 */
bool files_still_there(int fd, const char *path);
/* Whether two files hold the same bytes. A file that cannot be opened is an error. */
int files_equal(const char *a, const char *b, bool *ret) MUST_CHECK;

/*
 * The copies of programs that a run executes are called so. They belong to no version: nobody
 * copies, indexes or seals them, and what a killed run left goes when no other run uses the place.
 */
#define SLOT_PREFIX ".joust-slot-"
bool files_is_slot(const char *name);
