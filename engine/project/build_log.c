/* SPDX-License-Identifier: BSD-2-Clause */
#include "build_log.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define CHUNK 65536

int build_log__open(struct build_log *l, const char *path)
{
	*l = (struct build_log){.fd = -1, .ring = malloc(BUILD_LOG_TAIL)};
	if (!l->ring)
		return -ENOMEM;
	(void)unlink(path); /* readers of the last log keep it; a planted link is not followed */
	l->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (l->fd < 0) {
		int err = -errno;

		free(TAKE_PTR(l->ring));
		return err;
	}
	return 0;
}

static void put(struct build_log *l, const char *data, size_t len)
{
	while (len && !l->err) {
		ssize_t n = write(l->fd, data, len);

		if (n < 0 && errno != EINTR)
			l->err = -errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
}

static void remember(struct build_log *l, const char *data, size_t len)
{
	size_t at = l->total % BUILD_LOG_TAIL;
	size_t first = len < BUILD_LOG_TAIL - at ? len : BUILD_LOG_TAIL - at;

	memcpy(l->ring + at, data, first);
	memcpy(l->ring, data + first, len - first);
}

ssize_t build_log__pump(struct build_log *l, int fd)
{
	char chunk[CHUNK];
	ssize_t n = read(fd, chunk, sizeof(chunk));
	uint64_t room = l->total < BUILD_LOG_HEAD ? BUILD_LOG_HEAD - l->total : 0;

	if (n <= 0)
		return n < 0 ? -errno : 0;
	put(l, chunk, (uint64_t)n < room ? (size_t)n : (size_t)room);
	remember(l, chunk, (size_t)n);
	l->total += (uint64_t)n;
	return n;
}

/* The last `len` bytes, len <= BUILD_LOG_TAIL and <= total. */
static void last(const struct build_log *l, char *to, size_t len)
{
	size_t at = (l->total - len) % BUILD_LOG_TAIL;
	size_t first = len < BUILD_LOG_TAIL - at ? len : BUILD_LOG_TAIL - at;

	memcpy(to, l->ring + at, first);
	memcpy(to + first, l->ring, len - first);
}

char *build_log_tail(const struct build_log *l)
{
	size_t len = l->total < CHUNK ? (size_t)l->total : CHUNK;
	char *text = malloc(len + 1);
	unsigned lines = 0;
	size_t from = len;

	if (!text)
		return NULL;
	last(l, text, len);
	while (len && text[len - 1] == '\n')
		len--;
	for (from = len; from; from--) {
		if (text[from - 1] == '\n' && ++lines == BUILD_LOG_LINES)
			break;
	}
	memmove(text, text + from, len - from);
	text[len - from] = '\0';
	for (char *p = text; p < text + (len - from); p++)
		*p = *p ? *p : '?'; /* a NUL would hide what follows */
	return text;
}

int build_log__close(struct build_log *l)
{
	AUTO_FREE char *end = NULL;
	uint64_t left = l->total > BUILD_LOG_HEAD ? l->total - BUILD_LOG_HEAD : 0;
	size_t len = left < BUILD_LOG_TAIL ? (size_t)left : BUILD_LOG_TAIL;
	char gap[80];

	if (left > len) {
		(void)snprintf(gap, sizeof(gap), "\n[joust: %llu bytes left out]\n",
			       (unsigned long long)(left - len));
		put(l, gap, strlen(gap));
	}
	end = len ? malloc(len) : NULL;
	if (end) {
		last(l, end, len);
		put(l, end, len);
	} else if (len) {
		l->err = l->err ? l->err : -ENOMEM;
	}
	if (close(TAKE_FD(l->fd)) && !l->err)
		l->err = -errno;
	free(TAKE_PTR(l->ring));
	return l->err;
}
