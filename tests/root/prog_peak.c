/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory of a known size, as files in the working directory say, so that two versions differ without a
 * compiler: memory.txt has the MiB that measured work needs at once, input.txt the path of a file that is
 * read first. With the argument "command" that is all; else a worker with the benchmark "peak", whose
 * set-up needs more than its work, and "untimed", whose untimed sections do. start.txt has the MiB that
 * every process of it needs before its main.
 */
#include "joust.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SETUP_MIB   10 /* stays */
#define GIVEN_MIB   40 /* of set-up, given back before the loop */
#define UNTIMED_MIB 40

/* Populated by the kernel: a page fault for each page would take many times as long. */
static char *touch(size_t mib)
{
	size_t len = mib << 20;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		abort();
	p[len - 1] = 1;
	return p;
}

static void touch_and_give_back(size_t mib)
{
	(void)munmap(touch(mib), mib << 20);
}

static size_t mib_of(const char *name)
{
	FILE *f = fopen(name, "re");
	unsigned mib = 0;

	if (!f || fscanf(f, "%u", &mib) != 1)
		abort();
	fclose(f);
	return mib;
}

static __attribute__((constructor)) void start(void)
{
	if (!access("start.txt", F_OK))
		(void)touch(mib_of("start.txt"));
}

/* The file is read whole, where there is one. */
static void read_input(void)
{
	static char buf[65536];
	char path[512] = "";
	FILE *f = fopen("input.txt", "re");
	int fd;

	if (!f)
		return;
	if (fscanf(f, "%511s", path) != 1)
		abort();
	fclose(f);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	while (read(fd, buf, sizeof(buf)) > 0)
		continue;
	close(fd);
}

JOUST_BENCH(bench_peak, "peak")
{
	size_t mib = mib_of("memory.txt");

	read_input();
	touch_and_give_back(GIVEN_MIB);
	(void)touch(SETUP_MIB);
	JOUST_LOOP(b)
		touch_and_give_back(mib);
}

JOUST_BENCH(bench_untimed, "untimed")
{
	size_t mib = mib_of("memory.txt");

	JOUST_LOOP(b) {
		JOUST_UNTIMED(b)
			touch_and_give_back(UNTIMED_MIB);
		touch_and_give_back(mib);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "command") != 0)
		return joust_main(argc, argv);
	read_input();
	(void)touch(mib_of("memory.txt"));
	return 0;
}
