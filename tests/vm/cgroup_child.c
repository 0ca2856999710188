/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup_child.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char *touch(size_t mib)
{
	size_t len = mib << 20;
	/* not reserved: 10 GiB must begin on a host of 1 GiB too */
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		_exit(3);
	for (size_t i = 0; i < len; i += 4096)
		p[i] = 1;
	return p;
}

/* A worker's life: set-up that is given back, what stays, and measured work, between two handshakes. */
static void live(size_t setup, size_t work)
{
	char *p = touch(2 * setup + 40), c = 0;

	(void)munmap(p, (2 * setup + 40) << 20);
	(void)touch(setup);
	if (write(3, "r", 1) != 1 || read(3, &c, 1) != 1)
		_exit(4);
	p = touch(work);
	(void)munmap(p, work << 20);
	if (write(3, "d", 1) != 1 || read(3, &c, 1) != 1)
		_exit(5);
}

/* What a program does that works on a big input. */
static void read_file_and_touch(size_t mib)
{
	static char buf[65536];
	int fd = open(CGROUP_CHILD_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		_exit(6);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	(void)touch(mib);
}

static void fork_without_end(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid == 0)
			(void)pause();
		if (pid < 0)
			(void)poll(NULL, 0, 1);
	}
}

/* Leaves the session, its ancestors and the tag: what lineage alone cannot find. */
static void hide(void)
{
	const struct rlimit other = {1ull << 50, 1ull << 50};

	for (int i = 0; i < 2; i++) {
		if (fork())
			_exit(0);
		(void)setsid();
	}
	(void)setrlimit(RLIMIT_RTTIME, &other);
	(void)pause();
}

_Noreturn void cgroup_child(char **arg)
{
	size_t a = arg[1] ? strtoul(arg[1], NULL, 10) : 0;
	size_t b = arg[1] && arg[2] ? strtoul(arg[2], NULL, 10) : 0;

	if (!strcmp(arg[0], "touch"))
		(void)touch(a);
	else if (!strcmp(arg[0], "live"))
		live(a, b);
	else if (!strcmp(arg[0], "file"))
		read_file_and_touch(a);
	else if (!strcmp(arg[0], "bomb"))
		fork_without_end();
	else if (!strcmp(arg[0], "hide"))
		hide();
	else
		(void)pause();
	_exit(0);
}
