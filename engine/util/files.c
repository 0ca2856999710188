/* SPDX-License-Identifier: BSD-2-Clause */
#include "files.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool files_can_run(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

int files_equal(const char *a, const char *b, bool *ret)
{
	AUTO_FILE FILE *fa = fopen(a, "re");
	AUTO_FILE FILE *fb = fa ? fopen(b, "re") : NULL;
	char buffer_a[16384], buffer_b[16384];
	size_t na, nb;

	if (!fa || !fb)
		return -errno;
	do {
		na = fread(buffer_a, 1, sizeof(buffer_a), fa);
		nb = fread(buffer_b, 1, sizeof(buffer_b), fb);
	} while (na == sizeof(buffer_a) && na == nb && !memcmp(buffer_a, buffer_b, na));
	if (ferror(fa) || ferror(fb))
		return -EIO;
	*ret = na == nb && !memcmp(buffer_a, buffer_b, na) && feof(fa) && feof(fb);
	return 0;
}

bool files_is_slot(const char *name)
{
	return !strncmp(name, SLOT_PREFIX, strlen(SLOT_PREFIX));
}

bool files_still_there(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !lstat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
