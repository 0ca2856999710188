/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup_files.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include "../util/num.h"
#include "smallfile.h"

#define FILE_BYTES 4096

ssize_t cgroup_file_read(int dir_fd, const char *name, char *buf, size_t size)
{
	AUTO_FD int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -errno : smallfile_read_fd(fd, buf, size - 1);

	if (len >= 0)
		buf[len] = '\0';
	return len;
}

int cgroup_file_u64(int dir_fd, const char *name, uint64_t *ret)
{
	char buf[64];
	ssize_t len = cgroup_file_read(dir_fd, name, buf, sizeof(buf));

	if (len < 0)
		return (int)len;
	buf[strcspn(buf, "\n")] = '\0';
	if (!strcmp(buf, "max")) {
		*ret = UINT64_MAX;
		return 0;
	}
	return num_u64(buf, 0, UINT64_MAX, ret);
}

int cgroup_text_key(const char *text, const char *key, uint64_t *ret)
{
	size_t len = strlen(key);

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (!strncmp(line, key, len) && line[len] == ' ')
			return smallfile_word_u64(line + len, 0, ret);
	}
	return -ENOENT;
}

int cgroup_file_key(int dir_fd, const char *name, const char *key, uint64_t *ret)
{
	char buf[FILE_BYTES];
	ssize_t len = cgroup_file_read(dir_fd, name, buf, sizeof(buf));

	return len < 0 ? (int)len : cgroup_text_key(buf, key, ret);
}

/* In one write: the kernel takes a control file's text whole or not at all. */
int cgroup_file_write(int dir_fd, const char *name, const char *text)
{
	AUTO_FD int fd = openat(dir_fd, name, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do
		n = write(fd, text, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : (size_t)n == len ? 0 : -EIO;
}

int cgroup_file_write_u64(int dir_fd, const char *name, uint64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	return cgroup_file_write(dir_fd, name, text);
}
