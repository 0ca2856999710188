/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The control files of one group, by the descriptor of its directory. A group that was removed
 * answers ENODEV through an open file and ENOENT by name.
 */
#include <stdint.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

/* The whole text, NUL-terminated. Length or a negative errno. */
ssize_t cgroup_file_read(int dir_fd, const char *name, char *buf, size_t size) MUST_CHECK;
/* One number; "max" is UINT64_MAX. */
int cgroup_file_u64(int dir_fd, const char *name, uint64_t *ret) MUST_CHECK;
/* The number beside `key` in lines of "KEY NUMBER"; -ENOENT: no such line. */
int cgroup_file_key(int dir_fd, const char *name, const char *key, uint64_t *ret) MUST_CHECK;
int cgroup_file_write(int dir_fd, const char *name, const char *text) MUST_CHECK;
int cgroup_file_write_u64(int dir_fd, const char *name, uint64_t value) MUST_CHECK;

/* The parser behind cgroup_file_key. */
int cgroup_text_key(const char *text, const char *key, uint64_t *ret) MUST_CHECK;
