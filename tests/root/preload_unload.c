/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded into joust: takes its BPF programs off their tracepoints at the UNLOAD_AT_ORDER-th order
 * that it gives them (two for each worker that it starts), or the UNLOAD_AT_LOOK-th time that it looks
 * at one of them (at each, around every window). The descriptors stay, of something else: they are
 * closed by their numbers later.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int bpf_obj_get_info_by_fd(int fd, void *info, unsigned *len)
{
	static int looks;
	int (*next)(int, void *, unsigned *) =
		(int (*)(int, void *, unsigned *))dlsym(RTLD_NEXT, "bpf_obj_get_info_by_fd");

	count(&looks, "UNLOAD_AT_LOOK");
	return next(fd, info, len);
}
