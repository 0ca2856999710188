/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ways out of the sandbox, each tried by itself: "held NAME" or "ESCAPED NAME" on stderr. What
 * to aim at comes from the file "where" in the working directory, in lines NAME=VALUE.
 */
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char places[16][512];
static size_t places_cnt;

static void read_places(void)
{
	FILE *f = fopen("where", "re");

	while (f && places_cnt < 16 && fgets(places[places_cnt], sizeof(places[0]), f)) {
		places[places_cnt][strcspn(places[places_cnt], "\n")] = '\0';
		places_cnt++;
	}
	if (f)
		fclose(f);
}

/* "" when the file does not say. */
static const char *place(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < places_cnt; i++) {
		if (!strncmp(places[i], name, n) && places[i][n] == '=')
			return places[i] + n + 1;
	}
	return "";
}

static int number(const char *name)
{
	return atoi(place(name));
}

/* ---- The ways. True: it got out. ---- */

static bool can_write(const char *dir)
{
	char path[600];
	int fd;

	if (!*dir)
		return false;
	(void)snprintf(path, sizeof(path), "%s/escaped", dir);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool can_read(const char *path)
{
	char byte;
	int fd = *path ? open(path, O_RDONLY) : -1;
	bool got = fd >= 0 && read(fd, &byte, 1) == 1;

	if (fd >= 0)
		close(fd);
	return got;
}

static bool write_other_tree(void)
{
	return can_write(place("other")) || can_write(place("cache"));
}

static bool read_secret(void)
{
	return can_read(place("secret"));
}

static bool read_shadow(void)
{
	return can_read("/etc/shadow") || can_read("/etc/gshadow");
}

static bool read_root_home(void)
{
	return !access("/root/.", F_OK) || !access("/home/.", F_OK);
}

static bool write_home(void)
{
	return can_write(place("home"));
}

static bool connect_loopback(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)number("port")),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to));
}

static bool signal_engine(void)
{
	return number("engine") > 0 && !kill(number("engine"), 0);
}

static bool trace_engine(void)
{
	return number("engine") > 0 && !ptrace(PTRACE_ATTACH, number("engine"), NULL, NULL);
}

static bool trace_init(void)
{
	return !ptrace(PTRACE_ATTACH, 1, NULL, NULL);
}

static bool open_engine_memory(void)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", number("engine"));
	return !access(path, F_OK) || can_read("/proc/1/mem");
}

static bool change_cgroup(void)
{
	if (!mkdir("/sys/fs/cgroup/escaped", 0700))
		(void)rmdir("/sys/fs/cgroup/escaped");
	return !access("/sys/fs/cgroup", F_OK);
}

/* What succeeds is undone: a sandbox that does not hold must not cost the host its /tmp. */
static bool mount_something(void)
{
	if (mount("tmpfs", "/tmp", "tmpfs", 0, NULL))
		return false;
	(void)umount2("/tmp", MNT_DETACH);
	return true;
}

static bool remount_root(void)
{
	return !mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL) || can_write("/usr");
}

static bool new_namespace(void)
{
	return !unshare(CLONE_NEWUSER) || !unshare(CLONE_NEWNS) || !unshare(CLONE_NEWNET);
}

static bool clone_namespace(void)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(0);
	return pid > 0;
}

static bool load_bpf(void)
{
	char attr[128] = {0};

	return syscall(SYS_bpf, 0, attr, sizeof(attr)) >= 0 || errno == EINVAL;
}

static bool open_perf(void)
{
	char attr[128] = {0};

	return syscall(SYS_perf_event_open, attr, 0, -1, -1, 0) >= 0 || errno == EINVAL ||
	       errno == ENOENT;
}

static bool push_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR);

	return (fd >= 0 && !ioctl(fd, TIOCSTI, "x")) || !ioctl(0, TIOCSTI, "x") ||
	       !ioctl(2, TIOCSTI, "x");
}

/* The kernel takes 32 bits of the number: a filter that compares 64 would let this one pass. */
static bool push_terminal_disguised(void)
{
	return !syscall(SYS_ioctl, 0, 0x100000000ul | TIOCSTI, "x") || errno == ENOTTY;
}

static bool write_sysctl(void)
{
	int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY);

	return fd >= 0;
}

static bool use_io_uring(void)
{
	char params[256] = {0};

	return syscall(SYS_io_uring_setup, 1, params) >= 0;
}

static bool change_clock(void)
{
	struct timespec t;

	return !clock_gettime(CLOCK_REALTIME, &t) && !clock_settime(CLOCK_REALTIME, &t);
}

static bool see_host_processes(void)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/status", number("engine"));
	return number("engine") > 0 && !access(path, F_OK);
}

static bool abstract_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

/* More than the private /tmp holds. */
static bool fill_tmp(void)
{
	int fd = open("/tmp/fill", O_WRONLY | O_CREAT, 0600);
	bool filled = fd >= 0 && !fallocate(fd, 0, 0, (off_t)3 << 30);

	if (fd >= 0)
		close(fd);
	(void)unlink("/tmp/fill");
	return filled;
}

static const struct {
	const char *name;
	bool (*escaped)(void);
} ways[] = {
	{"write-other-tree", write_other_tree},
	{"read-secret", read_secret},
	{"read-shadow", read_shadow},
	{"read-homes", read_root_home},
	{"write-home", write_home},
	{"loopback", connect_loopback},
	{"signal-engine", signal_engine},
	{"trace-engine", trace_engine},
	{"trace-init", trace_init},
	{"engine-memory", open_engine_memory},
	{"host-processes", see_host_processes},
	{"cgroup", change_cgroup},
	{"mount", mount_something},
	{"remount", remount_root},
	{"unshare", new_namespace},
	{"clone-namespace", clone_namespace},
	{"bpf", load_bpf},
	{"perf", open_perf},
	{"terminal", push_terminal},
	{"terminal-disguised", push_terminal_disguised},
	{"sysctl", write_sysctl},
	{"io-uring", use_io_uring},
	{"clock", change_clock},
	{"unix-socket", abstract_socket},
	{"fill-tmp", fill_tmp},
};
#define WAYS_CNT (sizeof(ways) / sizeof(ways[0]))

/* All of them, or the one named; how many led out. */
static size_t try_ways(const char *only)
{
	size_t out = 0;

	read_places();
	for (size_t i = 0; i < WAYS_CNT; i++) {
		bool escaped;

		if (only && strcmp(only, ways[i].name) != 0)
			continue;
		escaped = ways[i].escaped();
		fprintf(stderr, "%s %s\n", escaped ? "ESCAPED" : "held", ways[i].name);
		out += escaped;
	}
	return out;
}
