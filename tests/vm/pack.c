/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packs files into an initramfs ("newc" of Linux' Documentation/driver-api/early-userspace/
 * buffer-format.rst), so that no cpio and no root is needed; times and owners are 0, so that the
 * same files are the same bytes.
 * usage: pack NAME=FILE... >ARCHIVE      every file can be executed, NAME has no directory
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../report/cleanup.h"

#define MODE_FILE 0100755
#define ALIGN	  4

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "pack: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void pad(size_t len)
{
	for (; len % ALIGN; len++)
		putchar(0);
}

static void header(unsigned ino, unsigned mode, size_t size, const char *name)
{
	size_t name_len = strlen(name) + 1;
	int len;

	/* magic, ino, mode, uid, gid, nlink, mtime, filesize, 2 + 2 device numbers, namesize, check */
	len = printf("070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X", ino, mode, 0,
		     0, 1, 0, size, 0, 0, 0, 0, name_len, 0);
	(void)fwrite(name, 1, name_len, stdout);
	pad((size_t)len + name_len);
}

static size_t size_of(FILE *f, const char *path)
{
	long size;

	if (fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		die(path);
	return (size_t)size;
}

static void add(unsigned ino, const char *name, const char *path)
{
	AUTO_FILE FILE *f = fopen(path, "re");
	char buf[65536];
	size_t size, len, done = 0;

	if (!f)
		die(path);
	size = size_of(f, path);
	header(ino, MODE_FILE, size, name);
	while ((len = fread(buf, 1, sizeof(buf), f)) > 0)
		done += fwrite(buf, 1, len, stdout);
	if (ferror(f) || done != size)
		die(path);
	pad(size);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *equals = strchr(argv[i], '=');

		if (!equals || memchr(argv[i], '/', (size_t)(equals - argv[i]))) {
			fprintf(stderr, "usage: pack NAME=FILE... >ARCHIVE\n");
			return 64;
		}
		*equals = '\0';
		add((unsigned)i, argv[i], equals + 1);
	}
	header(0, 0, 0, "TRAILER!!!");
	if (fflush(stdout) || ferror(stdout))
		die("output");
	return 0;
}
