/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The log of a build: its head on disk, its tail in memory until the end, the middle left out. */
#include <stddef.h>
#include <stdint.h>
#include "../../report/cleanup.h"

#define BUILD_LOG_HEAD	(15u << 20)
#define BUILD_LOG_TAIL	(1u << 20)
#define BUILD_LOG_LINES 50

struct build_log {
	int fd;
	uint64_t total; /* bytes that came */
	char *ring;	/* the last BUILD_LOG_TAIL of them */
	int err;	/* first failure to write */
};

int build_log__open(struct build_log *l, const char *path) MUST_CHECK;
/* Takes what the pipe has: bytes, 0 at its end, -EAGAIN when there is nothing now. */
ssize_t build_log__pump(struct build_log *l, int fd) MUST_CHECK;
/* The last lines; NULL when memory is out. Owned. */
char *build_log_tail(const struct build_log *l);
/* Writes the tail, closes: the first error of all. */
int build_log__close(struct build_log *l) MUST_CHECK;
