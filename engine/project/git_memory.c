/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <git2/sys/alloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int status_at_end = EXIT_COULD_NOT_COMPARE;

static void *there_or_end(void *p)
{
	static const char words[] = "joust: out of memory while git's files are read\n";
	ssize_t ignored;

	if (p)
		return p;
	ignored = write(STDERR_FILENO, words, sizeof(words) - 1);
	(void)ignored; /* the status says it as well */
	_exit(status_at_end);
}

static void *allocate(size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(malloc(n ? n : 1));
}

static void *allocate_zeroed(size_t cnt, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(cnt && size ? calloc(cnt, size) : calloc(1, 1));
}

static char *copy_text(const char *s, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(strdup(s));
}

/* At most `n` bytes. */
static char *copy_text_part(const char *s, size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(strndup(s, n));
}

/* Exactly `n` bytes, which may hold NULs, and one more behind them. */
static char *copy_bytes(const char *s, size_t n, const char *file, int line)
{
	char *ret = allocate(n + 1, file, line);

	memcpy(ret, s, n);
	ret[n] = '\0';
	return ret;
}

static void *resize_block(void *p, size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(realloc(p, n ? n : 1));
}

static void *resize_array(void *p, size_t cnt, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return there_or_end(cnt && size ? reallocarray(p, cnt, size) : realloc(p, 1));
}

static void *allocate_array(size_t cnt, size_t size, const char *file, int line)
{
	return resize_array(NULL, cnt, size, file, line);
}

int git_memory_ends_with(int status)
{
	static git_allocator allocator = {
		.gmalloc = allocate,
		.gcalloc = allocate_zeroed,
		.gstrdup = copy_text,
		.gstrndup = copy_text_part,
		.gsubstrdup = copy_bytes,
		.grealloc = resize_block,
		.greallocarray = resize_array,
		.gmallocarray = allocate_array,
		.gfree = free,
	};

	status_at_end = status;
	return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &allocator) ? -EINVAL : 0;
}
