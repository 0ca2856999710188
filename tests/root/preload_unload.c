/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded into joust: takes its BPF programs off their tracepoints at the UNLOAD_AT_ORDER-th order
 * that it gives them (two for each worker that it starts), or at the third message that it sends
 * after it has looked at all of them for the UNLOAD_AT_ROUND-th time (once to begin with, and around
 * the pairs of every block, where each message is a window). The descriptors stay, of something else:
 * they are closed by their numbers later.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGE 3

int bpf_prog_test_run_opts(int prog, void *opts);
int bpf_obj_get_info_by_fd(int fd, void *info, unsigned *len);

static int replace_link(int dir_fd, const char *name, int nothing)
{
	char target[64] = "";

	if (readlinkat(dir_fd, name, target, sizeof(target) - 1) < 0 || !strstr(target, "bpf_link"))
		return 0;
	return dup3(nothing, atoi(name), O_CLOEXEC) >= 0;
}

static void unload(void)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), cnt = 0;
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	if (nothing < 0 || !dir)
		abort();
	while ((entry = readdir(dir)))
		cnt += replace_link(dirfd(dir), entry->d_name, nothing);
	(void)closedir(dir); /* only read */
	(void)close(nothing);
	(void)fprintf(stderr, "preload_unload: %d programs taken off\n", cnt);
}

static void count(int *done, const char *variable)
{
	const char *at = getenv(variable);

	if (at && ++*done == atoi(at))
		unload();
}

int bpf_prog_test_run_opts(int prog, void *opts)
{
	static int orders;
	int (*next)(int, void *) = (int (*)(int, void *))dlsym(RTLD_NEXT, "bpf_prog_test_run_opts");

	count(&orders, "UNLOAD_AT_ORDER");
	return next(prog, opts);
}

static int rounds;

/* They are looked at in the same order every time. */
int bpf_obj_get_info_by_fd(int fd, void *info, unsigned *len)
{
	static int first = -1;
	int (*next)(int, void *, unsigned *) =
		(int (*)(int, void *, unsigned *))dlsym(RTLD_NEXT, "bpf_obj_get_info_by_fd");

	if (first < 0)
		first = fd;
	rounds += fd == first;
	return next(fd, info, len);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	static int messages;
	const char *at = getenv("UNLOAD_AT_ROUND");
	ssize_t (*next)(int, const struct msghdr *, int) =
		(ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");

	if (at && rounds >= atoi(at) && ++messages == MESSAGE)
		unload();
	return next(socket, message, flags);
}
