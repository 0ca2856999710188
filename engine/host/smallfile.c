/* SPDX-License-Identifier: BSD-2-Clause */
#include "smallfile.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "../util/num.h"

static int path_join(char *out, size_t size, const char *root, const char *path)
{
	int n = snprintf(out, size, "%s%s", root, path);

	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

ssize_t smallfile_read_fd(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

ssize_t smallfile_read(const char *root, const char *path, char *buf, size_t size)
{
	char full[PATH_MAX];
	AUTO_FD int fd = -1;
	ssize_t len;
	int err = path_join(full, sizeof(full), root, path);

	if (err)
		return err;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	len = smallfile_read_fd(fd, buf, size - 1);
	if (len < 0)
		return len;
	if (len > 0 && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return len;
}

int smallfile_u64(const char *root, const char *path, uint64_t *ret)
{
	char buf[64];
	ssize_t len = smallfile_read(root, path, buf, sizeof(buf));

	return len < 0 ? (int)len : num_u64(buf, 0, UINT64_MAX, ret);
}

bool smallfile_exists(const char *root, const char *path)
{
	char full[PATH_MAX];

	return !path_join(full, sizeof(full), root, path) && !access(full, F_OK);
}

int smallfile_word_u64(const char *text, unsigned index, uint64_t *ret)
{
	static const char blanks[] = " \t\n";
	char word[24];
	size_t len;

	text += strspn(text, blanks);
	while (index--) {
		text += strcspn(text, blanks);
		text += strspn(text, blanks);
	}
	len = strcspn(text, blanks);
	if (!len || len >= sizeof(word))
		return -EINVAL;
	memcpy(word, text, len);
	word[len] = '\0';
	return num_u64(word, 0, UINT64_MAX, ret);
}
