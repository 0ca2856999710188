/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loaded before the engine: makes calls fail by where they stand. Calls are told apart by the functions
 * above them, and numbered as they come for the first time: PRELOAD_FAIL="CALL NUMBER ERRNO MODE" fails
 * number NUMBER of CALL, MODE "once" the first time, "always" from then on. Only in the process that it was
 * loaded into, not in what that forks. With PRELOAD_PATH only opening of what has that in its name counts. PRELOAD_LOG is a file: "failed" once that has happened,
 * else at the end how many there were.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SITES_MAX 4096
#define FRAMES	  10 /* a helper that many call is as many sites */

static struct {
	bool on, always, hit;
	char call[24];
	unsigned number; /* from 1 */
	int error;
	pid_t pid;
	const char *log, *path;
	unsigned sites_cnt;
	uint64_t site[SITES_MAX];
} plan;

static __thread bool busy; /* backtrace itself opens files */

static __attribute__((constructor)) void read_plan(void)
{
	const char *text = getenv("PRELOAD_FAIL");
	void *frame[2];
	char mode[8];

	plan.log = getenv("PRELOAD_LOG");
	plan.path = getenv("PRELOAD_PATH");
	busy = true;
	(void)backtrace(frame, 2); /* loads what it needs */
	busy = false;
	if (!text ||
	    sscanf(text, "%23s %u %d %7s", plan.call, &plan.number, &plan.error, mode) != 4)
		return;
	plan.always = strcmp(mode, "always") == 0;
	plan.pid = getpid();
	plan.on = true;
}

static void write_log(const char *text)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, plan.log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (fd < 0)
		return;
	(void)syscall(SYS_write, fd, text, strlen(text));
	(void)syscall(SYS_close, fd);
}

static __attribute__((destructor)) void say_how_many(void)
{
	char text[32];

	if (!plan.on || plan.hit || !plan.log || getpid() != plan.pid)
		return;
	(void)snprintf(text, sizeof(text), "%u\n", plan.sites_cnt);
	write_log(text);
}

static uint64_t where(void)
{
	void *frame[FRAMES];
	int cnt;
	uint64_t hash = 14695981039346656037u;

	busy = true;
	cnt = backtrace(frame, FRAMES);
	busy = false;
	for (int i = 0; i < cnt; i++)
		hash = (hash ^ (uintptr_t)frame[i]) * 1099511628211u;
	return hash;
}

/* From 1, in the order in which they come; 0: one too many. */
static unsigned number_of(uint64_t site)
{
	unsigned i = 0;

	while (i < plan.sites_cnt && plan.site[i] != site)
		i++;
	if (i == SITES_MAX)
		return 0;
	if (i == plan.sites_cnt)
		plan.site[plan.sites_cnt++] = site;
	return i + 1;
}

/* Whether this call is to fail; errno is set then. */
static bool fails(const char *call)
{
	if (!plan.on || busy || strcmp(call, plan.call) != 0 || getpid() != plan.pid)
		return false;
	if ((plan.hit && !plan.always) || number_of(where()) != plan.number)
		return false;
	if (!plan.hit && plan.log)
		write_log("failed\n");
	plan.hit = true;
	errno = plan.error;
	return true;
}

/* The function that would have been called. */
#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

static bool fails_to_open(const char *path)
{
	return (!plan.path || strstr(path, plan.path)) && fails("open");
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails_to_open(path) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails_to_open(path) ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...) __attribute__((alias("openat")));

FILE *fopen(const char *path, const char *mode)
{
	return fails_to_open(path) ? NULL : NEXT(fopen)(path, mode);
}

DIR *opendir(const char *path)
{
	return fails_to_open(path) ? NULL : NEXT(opendir)(path);
}

ssize_t write(int fd, const void *data, size_t len)
{
	return fails("write") ? -1 : syscall(SYS_write, fd, data, len);
}

int fsync(int fd)
{
	return fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int fclose(FILE *f)
{
	bool fail = fails("fclose");
	int error = errno, ret = NEXT(fclose)(f);

	errno = fail ? error : errno;
	return fail ? EOF : ret;
}

int rename(const char *from, const char *to)
{
	return fails("rename") ? -1 : NEXT(rename)(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return fails("rename") ? -1 : NEXT(renameat)(from_dir, from, to_dir, to);
}

pid_t fork(void)
{
	return fails("fork") ? -1 : NEXT(fork)();
}

/* perf_event_open and bpf have no function in libc; nor has the engine's clone. */
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	const char *name = number == SYS_perf_event_open ? "perf_event_open"
			   : number == SYS_bpf		 ? "bpf"
							 : "other";
	va_list args;
	long a[6];

	if (!next)
		next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return fails(name) ? -1 : next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
