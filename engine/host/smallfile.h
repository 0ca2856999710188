/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Small files of /proc and /sys, read whole. `root` is put before the path ("" for the real ones),
 * so that tests can hand in a tree of their own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

/* Text up to size - 1 bytes, NUL-terminated, last newline dropped. Length or a negative errno. */
ssize_t smallfile_read(const char *root, const char *path, char *buf, size_t size) MUST_CHECK;

/* The next bytes of an open one, up to `size`, without a NUL. Their number or a negative errno. */
ssize_t smallfile_read_fd(int fd, char *buf, size_t size) MUST_CHECK;

/* A file that holds one number. */
int smallfile_u64(const char *root, const char *path, uint64_t *ret) MUST_CHECK;

bool smallfile_exists(const char *root, const char *path);

/* Word number `index` (from 0, parted by blanks) as an unsigned number. */
int smallfile_word_u64(const char *text, unsigned index, uint64_t *ret) MUST_CHECK;
