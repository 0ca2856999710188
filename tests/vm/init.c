/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Process 1 of a guest: mounts what the tests need, runs the programs of /plan one after the other
 * and powers off. It says on the console what happened, in lines that begin with "@vm ":
 *	begin NAME		what follows, until "end", is the program's output
 *	end NAME exit N		or "signal N", or "timeout"
 *	trouble TEXT		the kernel complained, or this program could not do its work
 *	done			the last line; a guest without it broke down
 * A line of the plan: SECONDS PROGRAM [ARGUMENT...], seconds of the guest's clock.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../../report/cleanup.h"

#define WORDS_MAX 16

static const struct {
	const char *type, *where, *why;
} mounts[] = {
	{"proc", "/proc", "sysctls, status, schedstat"},
	{"sysfs", "/sys", "BTF, PMUs, hot-unplug of CPUs"},
	{"devtmpfs", "/dev", "kmsg, null"},
	{"tracefs", "/sys/kernel/tracing", "tracepoints"},
	{"cgroup2", "/sys/fs/cgroup", "limits and peaks"},
	{"tmpfs", "/tmp", "files of tests"},
};

/*
 * How the kernel begins when something of its own is broken. No "Call Trace": a cgroup that runs
 * out of memory has one too.
 */
static const char *const complaints[] = {
	"BUG:",
	"WARNING: CPU",
	"Oops",
	"stall on CPU",
	"stalls on CPU",
	"soft lockup",
	"blocked for more than",
	"general protection fault",
	"Unable to handle kernel",
	"refcount_t:",
	"Bad page state",
};

static void trouble(const char *what, const char *detail)
{
	printf("@vm trouble %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	fflush(stdout);
}

static void prepare(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		if (mkdir(mounts[i].where, 0755) && errno != EEXIST)
			trouble(mounts[i].where, strerror(errno));
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL))
			trouble(mounts[i].where, strerror(errno));
	}
	if (chmod("/tmp", 01777))
		trouble("/tmp", strerror(errno));
}

/* One record of the log is "level,number,time,flags;text\n" and more lines that we do not need. */
static void look_at_record(char *record)
{
	char *text = strchr(record, ';');

	if (!text)
		return;
	text[strcspn(text, "\n")] = '\0';
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++)
		if (strstr(text, complaints[i])) {
			trouble("kernel", text + 1);
			return;
		}
}

/* A record whose line has no end yet cannot be read before the next one. */
static void end_last_record(void)
{
	static const char mark[] = "<7>joust: looks at the log\n";
	AUTO_FD int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, mark, sizeof(mark) - 1) < 0)
		trouble("/dev/kmsg", strerror(errno));
}

/* What the kernel logged since the last call. */
static void look_at_log(int kmsg)
{
	char record[8192];
	ssize_t len;

	end_last_record();
	while ((len = read(kmsg, record, sizeof(record) - 1)) > 0 || errno == EPIPE) {
		if (len < 0) {
			trouble("kernel", "its log was overwritten before it was read");
			errno = 0;
			continue;
		}
		record[len] = '\0';
		look_at_record(record);
	}
	if (errno != EAGAIN)
		trouble("/dev/kmsg", strerror(errno));
}

/* Every warning, oops, bad page and lockup leaves a bit (kernel/panic.c, taint_flags). */
static unsigned long taint(void)
{
	AUTO_FILE FILE *f = fopen("/proc/sys/kernel/tainted", "re");
	unsigned long bits = 0;

	if (!f || fscanf(f, "%lu", &bits) != 1)
		trouble("/proc/sys/kernel/tainted", "unreadable");
	return bits;
}

static void look_at_kernel(int kmsg, unsigned long *tainted)
{
	unsigned long now = taint();
	char text[64];

	look_at_log(kmsg);
	if (now == *tainted)
		return;
	snprintf(text, sizeof(text), "taint %#lx, was %#lx", now, *tainted);
	trouble("kernel", text);
	*tainted = now;
}

static pid_t start(char **words, const sigset_t *mask)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	(void)setsid();
	(void)sigprocmask(SIG_UNBLOCK, mask, NULL);
	(void)execv(words[0], words);
	printf("cannot be executed: %s\n", strerror(errno));
	fflush(stdout);
	_exit(127);
}

/* Waits for `pid` until the deadline, reaping whoever else ends. Whether it ended by itself. */
static bool wait_for(pid_t pid, const sigset_t *mask, const char *seconds, int *ret_status)
{
	struct timespec now, end, left;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += atoi(seconds);
	for (;;) {
		pid_t ended;

		while ((ended = waitpid(-1, ret_status, WNOHANG)) > 0)
			if (ended == pid)
				return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = (struct timespec){.tv_sec = end.tv_sec - now.tv_sec};
		if (left.tv_sec <= 0)
			return false;
		(void)sigtimedwait(mask, NULL, &left);
	}
}

/* Whatever the program left behind. */
static void sweep(void)
{
	(void)kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
}

static void run(char **words, const char *seconds, const sigset_t *mask)
{
	const char *name = words[0];
	int status = 0;
	pid_t pid;

	printf("@vm begin %s\n", name);
	fflush(stdout);
	pid = start(words, mask);
	if (pid < 0)
		printf("@vm end %s signal 0\n", name);
	else if (!wait_for(pid, mask, seconds, &status))
		printf("\n@vm end %s timeout\n", name);
	else if (WIFEXITED(status))
		printf("\n@vm end %s exit %d\n", name, WEXITSTATUS(status));
	else
		printf("\n@vm end %s signal %d\n", name, WTERMSIG(status));
	fflush(stdout);
	sweep();
}

static void run_line(char *line, const sigset_t *mask)
{
	char *words[WORDS_MAX + 1] = {NULL};
	char *rest = line;
	size_t cnt = 0;

	while (cnt < WORDS_MAX && (words[cnt] = strtok_r(rest, " \t\n", &rest)))
		cnt++;
	if (cnt == 0 || words[0][0] == '#')
		return;
	if (cnt < 2 || cnt == WORDS_MAX)
		trouble("/plan", "a line is not SECONDS PROGRAM [ARGUMENT...]");
	else
		run(words + 1, words[0], mask);
}

static void run_plan(const sigset_t *mask)
{
	AUTO_FILE FILE *plan = fopen("/plan", "re");
	int kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	unsigned long tainted = 0;
	char line[1024];

	if (!plan || kmsg < 0) {
		trouble(plan ? "/dev/kmsg" : "/plan", strerror(errno));
		return;
	}
	look_at_kernel(kmsg, &tainted);
	while (fgets(line, sizeof(line), plan)) {
		run_line(line, mask);
		look_at_kernel(kmsg, &tainted);
	}
	close(kmsg);
}

int main(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &mask, NULL);
	prepare();
	if (chdir("/"))
		trouble("/", strerror(errno));
	run_plan(&mask);
	printf("@vm done\n");
	fflush(stdout);
	(void)reboot(RB_POWER_OFF);
	for (;;)
		pause();
}
