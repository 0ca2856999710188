/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Where a path leads that a user named for output: links are followed as a shell's ">" follows them. */
#include <stdbool.h>
#include "../../report/cleanup.h"

struct output_file {
	char *path; /* of the file itself, without links; owned */
	int fd; /* >= 0: it is this descriptor of ours (/dev/stdout, /dev/fd/N, ...); borrowed */
	bool in_proc; /* of another process's descriptors: a link without a text */
	bool through; /* what a rename would replace rather than write to: a pipe, a device, a descriptor */
};

/*
 * Nothing is opened or made. -EISDIR of a directory, -ENOENT where the directory is not there, -EACCES
 * of a link that somebody else put into a directory that all may write (fs.protected_symlinks; here
 * whatever that says, because what is renamed to the target never passes the link).
 * Kernel facts: proc(5), what is in a "fd" directory of /proc are no links with a text but files.
 */
int output_file__find(const char *path, struct output_file *ret) MUST_CHECK;
void output_file__done(struct output_file *f);
/* A descriptor to write with, which is the caller's. -ENXIO: a pipe that nobody reads, or a socket. */
int output_file__open(const struct output_file *f) MUST_CHECK;

/* Whether a user who names `path` means stdout: "-", /dev/stdout, /proc/self/fd/1, ... */
bool output_file_is_stdout(const char *path);
