/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Where joust keeps things: $XDG_CACHE_HOME/joust (trees) and $XDG_STATE_HOME/joust (records). */
#include <stdbool.h>
#include <sys/stat.h>
#include "../util/problem.h"
#include "../../report/cleanup.h"

/* The directory, made 0700 when missing, owned by this user or refused. Owned strings. */
int dirs_cache(char **ret, struct problem *why) MUST_CHECK;
/* .../joust/NAME-HASH8 for the project at `root`: name readable, hash of the path unique. */
int dirs_state(const char *root, char **ret, struct problem *why) MUST_CHECK;
/* The same, and nothing is made: where it is not there *ret says where it would be. */
int dirs_state_found(const char *root, char **ret, struct problem *why) MUST_CHECK;

/* One of these places: it may lie within the project, and is no part of it. */
bool dirs_is_own(const struct stat *st);

/* mkdir -p with mode 0700; never through a symlink in the last component. */
int dirs_make(const char *path) MUST_CHECK;
/*
 * Makes the directory and locks it, shared, against `joust clean`. When no other run has it locked,
 * what killed runs left in it goes: files whose name begins with a dot.
 */
int dirs_hold(const char *path, int *ret_fd) MUST_CHECK;
/* Removes a tree without following symlinks (fd-relative). 0 also when it is not there. */
int dirs_remove(const char *path) MUST_CHECK;

/*
 * Everything that joust keeps for anyone (`joust clean`): both directories of this user. Trees that
 * a live run holds stay: then the result is 0 and `why` has a remark to show (EXIT_PASSED).
 */
int dirs_clean(struct problem *why, unsigned long long *ret_bytes) MUST_CHECK;

/*
 * Writes path atomically: temporary file in the same directory, which has no name where the file
 * system can do without, fsync, rename, fsync directory. What a killed run left of one with a name,
 * the next that writes the same path removes.
 */
struct atomic_file {
	char *path, *temp; /* temp: NULL as long as it has no name */
	bool through;	   /* to a pipe, a device or a descriptor, which is not replaced */
	FILE *file;	   /* write here */
};
/* Of a file of joust's own: whatever bears the name is replaced, be it a link or a pipe. */
int atomic__open(struct atomic_file *ret, const char *path) MUST_CHECK;
/*
 * Of a file that a user named: links are followed (output_file.h), and what is no regular file is
 * written to. -ENXIO of a pipe that nobody reads, at once.
 */
int atomic__open_named(struct atomic_file *ret, const char *path) MUST_CHECK;
/* What a user is told of an error of these; static, or as long as strerror's. */
const char *atomic_strerror(int err);
/* 0 or the first error of write, fsync, close or rename; the temporary file is gone either way. */
int atomic__commit(struct atomic_file *f) MUST_CHECK;
void atomic__abort(struct atomic_file *f);
