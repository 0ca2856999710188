/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <sys/stat.h>
#include "../../report/cleanup.h"

/* A regular file that may be executed: opening a pipe would wait for ever. */
bool files_can_run(const char *path);

#define FILES_SCRIPT_LINE 256 /* the kernel reads no more (BINPRM_BUF_SIZE) */
/* What follows "#!" and blanks in the first line of a script; false: it does not begin so. */
bool files_script_line(const char *path, char ret[static FILES_SCRIPT_LINE]);
/*
 * Whether `path` still names what is open at `fd`: a lock on a file or directory that was removed
 * meanwhile protects nothing.
 */
bool files_still_there(int fd, const char *path);
bool files_still_there_at(int fd, int dir_fd, const char *name); /* likewise, in a directory */
/*
 * Opens a program that may belong to somebody else, for reading. `path` is resolved: a link in it was put
 * there since (-ELOOP) and may lead to what its owner could not read himself. -EACCES: no regular file,
 * which could keep us waiting. A descriptor or a negative errno.
 */
int files_open_program(const char *path) MUST_CHECK;
/* Whether two programs hold the same bytes. Errors: as files_open_program; -EIO. */
int files_equal(const char *a, const char *b, bool *ret) MUST_CHECK;

/*
 * Copies a program (files_open_program) to the new file `to`, in a resolved directory, which must not be
 * there, and makes it executable by its owner; what it has become is in *ret. -ESTALE: it was written meanwhile;
 * -EOVERFLOW: larger than FILES_PROGRAM_MAX; -EFBIG: than a file may be here. On an error `to` is
 * removed again; where that fails as well, half a copy stays, which is harmless.
 */
#define FILES_PROGRAM_MAX ((off_t)4 << 30) /* a sparse file would fill the disk */
int files_copy_program(const char *from, const char *to, struct stat *ret) MUST_CHECK;
/* An error of it in words; static, or as long as strerror's. */
const char *files_copy_strerror(int err);

/*
 * The copies of programs that a run executes are called so. They belong to no version: nobody
 * copies, indexes or seals them, and what a killed run left goes when no other run uses the place.
 */
#define SLOT_PREFIX ".joust-slot-"
bool files_is_slot(const char *name);
