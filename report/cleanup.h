/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Scope-bound resources, the one idiom of userspace code. It lives in report/ because report/ and
 * engine/ both need it and arrows point this way. Handles of a library are declared with
 * DEFINE_CLEANUP in that library's one adapter.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLEANUP(func) __attribute__((cleanup(func)))

/* static cleanup function `name` for variables of type `type`, released by `release` when non-NULL */
#define DEFINE_CLEANUP(name, type, release)                                                        \
	static inline void name(type *p)                                                           \
	{                                                                                          \
		if (*p)                                                                            \
			release(*p);                                                               \
	}                                                                                          \
	struct cleanup_semicolon_##name

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_fd(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* callers who must know about a failed close do it themselves */
}

static inline void cleanup_file(FILE **f)
{
	if (*f)
		(void)fclose(*f);
}

static inline void cleanup_dir(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}

#define AUTO_FREE CLEANUP(cleanup_free)
#define AUTO_FD	  CLEANUP(cleanup_fd)
#define AUTO_FILE CLEANUP(cleanup_file)
#define AUTO_DIR  CLEANUP(cleanup_dir)

/* Hand ownership out of a scope: the value is returned, the variable is left empty. */
#define TAKE_PTR(p)                                                                                \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})
#define TAKE_FD(fd)                                                                                \
	({                                                                                         \
		int taken_ = (fd);                                                                 \
		(fd) = -1;                                                                         \
		taken_;                                                                            \
	})

#define MUST_CHECK __attribute__((warn_unused_result))

/* An error that is deliberately not acted on; the line that uses it says why. */
#define IGNORE_ERROR(expr)                                                                         \
	do {                                                                                       \
		if (expr) {                                                                        \
		}                                                                                  \
	} while (0)
