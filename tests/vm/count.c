/* SPDX-License-Identifier: BSD-2-Clause */
#include "count.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loop.h"
#include "tap.h"

/* Of real hardware: per million and at least, so that a tick every 4 ms does not fail a proof. */
#define METAL_PPM   100
#define METAL_LEAST 64

static bool metal;

void count_init(int argc, char **argv)
{
	metal = argc > 1 && strcmp(argv[1], "--metal") == 0;
}

bool count_same(uint64_t got, uint64_t want)
{
	uint64_t more = metal ? want / 1000000 * METAL_PPM + METAL_LEAST : 0;

	return got + more >= want && got <= want + more;
}

bool count_equal(uint64_t got, uint64_t want, const char *name, ...)
{
	char text[128];
	va_list ap;
	bool same = count_same(got, want);

	va_start(ap, name);
	(void)vsnprintf(text, sizeof(text), name, ap);
	va_end(ap);
	if (!tap_ok(same, "%s", text))
		tap_note("got %llu, want %llu", (unsigned long long)got, (unsigned long long)want);
	return same;
}

void count_must(int err, const char *what)
{
	if (!err)
		return;
	errno = -err;
	tap_die(what);
}

void count_open(struct perf_group *g, pid_t tid)
{
	enum reason why;

	count_must(perf_group__open_hw(g, tid, &why), "perf_group__open_hw");
}

void count_read(const struct perf_group *g, struct perf_reading *ret)
{
	count_must(perf_group__read(g, ret), "perf_group__read");
}

struct perf_reading count_between(const struct perf_reading *from, const struct perf_reading *to)
{
	struct perf_reading r = {
		.enabled_ns = to->enabled_ns - from->enabled_ns,
		.running_ns = to->running_ns - from->running_ns,
	};

	for (unsigned i = 0; i < PERF_GROUP_MAX; i++)
		r.value[i] = to->value[i] - from->value[i];
	return r;
}

struct perf_reading count_window(const struct perf_group *g, void (*loop)(uint64_t), uint64_t trips)
{
	struct perf_reading from, to;

	count_read(g, &from);
	loop(trips);
	count_read(g, &to);
	return count_between(&from, &to);
}

/* Field 3 of /proc/PID/task/TID/stat, behind the name in parentheses. */
static char state_of(pid_t pid, pid_t tid)
{
	char path[64], line[512], *end;
	AUTO_FD int fd = -1;
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (len <= 0)
		tap_die(path);
	line[len] = '\0';
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : '?';
}

/* Nothing is left to read: the reader took it, and it sleeps again only when it wants more. */
static bool taken(int fd)
{
	int left;

	if (ioctl(fd, FIONREAD, &left))
		tap_die("FIONREAD");
	return left == 0;
}

void count_parked(pid_t pid, pid_t tid, int fd)
{
	while (!taken(fd))
		(void)sched_yield();
	for (char state; (state = state_of(pid, tid)) != 'S';) {
		if (state == 'Z' || state == 'X') {
			errno = ESRCH;
			tap_die("a worker");
		}
		(void)sched_yield();
	}
}

static _Noreturn void spin_when_told(int fd)
{
	uint64_t trips;

	while (read(fd, &trips, sizeof(trips)) == sizeof(trips))
		loop_spin(trips);
	_exit(0);
}

void count_worker__start(struct count_worker *w)
{
	int fd[2];

	if (pipe(fd) || (w->pid = fork()) < 0)
		tap_die("fork");
	if (w->pid == 0) {
		close(fd[1]);
		spin_when_told(fd[0]);
	}
	close(fd[0]);
	w->fd = fd[1];
	count_parked(w->pid, w->pid, w->fd);
	count_open(&w->g, w->pid);
}

uint64_t count_worker__spin(const struct count_worker *w, uint64_t trips)
{
	struct perf_reading from, to;

	count_read(&w->g, &from);
	if (write(w->fd, &trips, sizeof(trips)) != sizeof(trips))
		tap_die("the pipe of a worker");
	count_parked(w->pid, w->pid, w->fd);
	count_read(&w->g, &to);
	return count_between(&from, &to).value[COUNT_INSTRUCTIONS];
}

void count_worker__end(struct count_worker *w)
{
	perf_group__close(&w->g);
	close(w->fd);
	/* a younger one may hold the pipe as well: no end of file */
	(void)kill(w->pid, SIGKILL);
	(void)waitpid(w->pid, NULL, 0);
}

void count_take_cpu0(int fd[static COUNT_CPU_EVENTS])
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.pinned = 1,
	};

	for (size_t i = 0; i < COUNT_CPU_EVENTS; i++) {
		fd[i] = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd[i] < 0)
			tap_die("an event of CPU 0");
	}
}

void count_give_back(const int fd[static COUNT_CPU_EVENTS])
{
	for (size_t i = 0; i < COUNT_CPU_EVENTS; i++)
		close(fd[i]);
}

void count_set(const char *path, const char *value)
{
	AUTO_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		tap_die(path);
}
