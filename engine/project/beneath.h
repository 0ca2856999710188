/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Files below a directory that is held open: no path can leave it, by `..` or through a symlink
 * that someone planted. Copies keep the execute bit and symlinks, and skip sockets and pipes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include "../../report/cleanup.h"

#define TREE_FILES_MAX 200000
#define TREE_BYTES_MAX (UINT64_C(4) << 30)
#define TREE_DEPTH_MAX 64

/* What was written so far, against the limits above, and who may stop it. */
struct transfer {
	int interrupt_fd;   /* -1: none */
	bool keep_existing; /* a copy onto a name that is taken leaves it as it is */
	size_t files;
	uint64_t bytes;
};

/* True once `fd` (-1: never) is readable. */
bool interrupted(int fd);

/* 0, -EINTR, -E2BIG (a limit): before each file. */
int transfer_next(struct transfer *t, uint64_t bytes) MUST_CHECK;

/*
 * Opens the directory of `path` below root_fd; with `make`, missing ones are made. *ret_name points
 * into path. Negative errno: -EINVAL for `..`, `.` or empty components, -ENOTDIR or -ELOOP where a
 * component is not a directory.
 */
int beneath_parent(int root_fd, const char *path, bool make, const char **ret_name) MUST_CHECK;

/* New file with these bytes; -EEXIST when the name is taken. */
int beneath_write(int root_fd, const char *path, const void *data, size_t len,
		  bool executable) MUST_CHECK;
int beneath_symlink(int root_fd, const char *path, const char *target) MUST_CHECK;

/*
 * Copies one file or symlink; a directory: everything below it but `.git`. -ENOENT: not there.
 * -EAGAIN: it changes faster than it can be read.
 */
int beneath_copy(int from_fd, int to_fd, const char *path, struct transfer *t) MUST_CHECK;
/* The file or symlink alone: a directory counts as not there. */
int beneath_copy_file(int from_fd, int to_fd, const char *path, struct transfer *t) MUST_CHECK;
/* Everything below from_fd but `.git`. */
int beneath_copy_all(int from_fd, int to_fd, struct transfer *t) MUST_CHECK;
