/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the sandbox costs: a program's start, up to its exec and to its end, by a bare fork and exec,
 * by the engine without a sandbox and with one; and a system call without the filter and with it, in
 * two processes that wait for each other on one CPU. The arms are run by turns, so that what the
 * machine does meets all of them. Minimum against minimum, and the median of the rounds' differences.
 * Needs a quiet machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/host/child.h"
#include "engine/util/clock.h"
#include "stats/sort.h"

#define ROUNDS	      101
#define CALLS	      20000
#define SOCKET_FD     3
#define START_MOST_MS 3
#define CALL_MOST_NS  40

static const char *const no_env[] = {NULL};

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "bench_sandbox: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_ns(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC);
}

/*
 * Says by how much `arm` is more than `base` (NULL: what it is itself): minimum against minimum, and
 * the median of the differences within rounds; whether that is within `most` (0: nothing is promised).
 */
static bool within(const char *what, const double *arm, const double *base, double unit_ns,
		   const char *unit, double most)
{
	double least_arm = arm[0], least_base = base ? base[0] : 0, more[ROUNDS], middle;

	for (int i = 0; i < ROUNDS; i++) {
		least_arm = fmin(least_arm, arm[i]);
		least_base = base ? fmin(least_base, base[i]) : 0;
		more[i] = (arm[i] - (base ? base[i] : 0)) / unit_ns;
	}
	sort_doubles(more, ROUNDS);
	middle = sorted_median(more, ROUNDS);
	printf("  %-44s %8.3f %8.3f %s", what, (least_arm - least_base) / unit_ns, middle, unit);
	if (most > 0)
		printf("  at most %.0f%s", most, middle > most ? ": OVER" : "");
	putchar('\n');
	return most <= 0 || middle <= most;
}

/* ---- Starts ---- */

struct start {
	double exec, end; /* ns from the beginning */
};

/* What anybody would write: the pipe closes by the exec. */
static struct start start_bare(void)
{
	double from = now_ns();
	struct start s;
	char byte;
	int fds[2];
	pid_t pid;

	must(!pipe2(fds, O_CLOEXEC), "pipe");
	pid = fork();
	must(pid >= 0, "fork");
	if (pid == 0) {
		(void)execve("/bin/true", (char *const[]){(char *)"true", NULL},
			     (char *const *)no_env);
		_exit(127);
	}
	(void)close(fds[1]);
	must(read(fds[0], &byte, 1) == 0, "exec");
	s.exec = now_ns() - from;
	(void)close(fds[0]);
	must(waitpid(pid, NULL, 0) == pid, "waitpid");
	s.end = now_ns() - from;
	return s;
}

/* As workers and commands are started; `sandbox` may be NULL. */
static struct start start_by_engine(struct sandbox *sandbox)
{
	static const char *const argv[] = {"true", NULL};
	const struct child_spec spec = {.path = "/bin/true",
					.argv = argv,
					.envp = no_env,
					.protocol_fd = -1,
					.output_fd = -1,
					.sandbox = sandbox};
	double from = now_ns();
	struct child c;
	struct start s;
	int err = child__start(&c, &spec);

	errno = -err;
	must(!err, "start");
	s.exec = now_ns() - from;
	must(child__wait(&c, -1, UINT64_MAX, -1) == CHILD_EXITED && !c.status, "end");
	child__done(&c);
	s.end = now_ns() - from;
	return s;
}

static bool measure_starts(struct sandbox *sandbox)
{
	static double exec[3][ROUNDS], end[3][ROUNDS];

	for (int i = -1; i < ROUNDS; i++) { /* the first round is for caches */
		const struct start s[3] = {start_bare(), start_by_engine(NULL),
					   start_by_engine(sandbox)};

		for (int arm = 0; i >= 0 && arm < 3; arm++) {
			exec[arm][i] = s[arm].exec;
			end[arm][i] = s[arm].end;
		}
	}
	printf("a start, %d rounds by turns:                      least   median\n", ROUNDS);
	(void)within("bare fork and exec", exec[0], NULL, 1e6, "ms", 0);
	(void)within("more by the engine, without a sandbox", exec[1], exec[0], 1e6, "ms", 0);
	(void)within("bare start and end", end[0], NULL, 1e6, "ms", 0);
	(void)within("more by the engine, without a sandbox", end[1], end[0], 1e6, "ms", 0);
	(void)within("more in the sandbox, to the end", end[2], end[0], 1e6, "ms", 0);
	return within("more in the sandbox, to the exec", exec[2], exec[0], 1e6, "ms",
		      START_MOST_MS);
}

/* ---- Calls. What the process on the other side of the socket does for one byte. ---- */

static void get_parent(int fd)
{
	(void)fd;
	(void)getppid();
}

static void write_byte(int fd)
{
	(void)!write(fd, "", 1);
}

static void ask_ready(int fd)
{
	int cnt;

	(void)ioctl(fd, FIONREAD, &cnt);
}

static void open_close(int fd)
{
	(void)fd;
	(void)close(open("/dev/null", O_RDWR | O_CLOEXEC));
}

static const struct {
	const char *name;
	void (*call)(int fd);
	double most_ns; /* 0: nothing is promised */
} kinds[] = {
	{"getppid: allowed whatever its arguments", get_parent, CALL_MOST_NS},
	{"write: likewise", write_byte, CALL_MOST_NS},
	{"ioctl: its arguments are looked at", ask_ready, 0},
	{"open and close: Landlock looks as well", open_close, 0},
};
#define KINDS_CNT (sizeof(kinds) / sizeof(kinds[0]))

static int serve(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	unsigned char kind;

	while (read(SOCKET_FD, &kind, 1) == 1 && kind < KINDS_CNT) {
		double from = now_ns(), ns;

		for (int i = 0; i < CALLS; i++)
			kinds[kind].call(null);
		ns = (now_ns() - from) / CALLS;
		if (write(SOCKET_FD, &ns, sizeof(ns)) != sizeof(ns))
			return 1;
	}
	return 0;
}

struct server {
	struct child child;
	int fd;
};

/* This program itself, which is shown to the sandbox in its directory. */
static void start_server(struct server *s, struct sandbox *sandbox)
{
	static char path[PATH_MAX], dir[PATH_MAX];
	static const char *const argv[] = {"bench_sandbox", "serve", NULL};
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int fds[2], err;
	struct child_spec spec = {.path = path,
				  .argv = argv,
				  .envp = no_env,
				  .output_fd = -1,
				  .sandbox = sandbox,
				  .bind = {{dir, dir, 0}},
				  .bind_cnt = sandbox != NULL};

	must(len > 0 && (size_t)len < sizeof(path) - 1, "readlink");
	(void)snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	must(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), "socketpair");
	spec.protocol_fd = fds[1];
	err = child__start(&s->child, &spec);
	errno = -err;
	must(!err, "start");
	(void)close(fds[1]);
	s->fd = fds[0];
}

static double ask(struct server *s, size_t kind)
{
	unsigned char byte = (unsigned char)kind;
	double ns;

	must(write(s->fd, &byte, 1) == 1, "the program for calls is gone");
	must(child__wait(&s->child, s->fd, UINT64_MAX, -1) == CHILD_READABLE,
	     "the program for calls has ended");
	must(read(s->fd, &ns, sizeof(ns)) == sizeof(ns), "the program for calls is gone");
	return ns;
}

static void end_server(struct server *s)
{
	(void)close(s->fd);
	child__done(&s->child);
}

static bool measure_calls(struct sandbox *sandbox)
{
	static double without[KINDS_CNT][ROUNDS], with[KINDS_CNT][ROUNDS];
	struct server bare, inside;
	bool good = true;

	start_server(&bare, NULL);
	start_server(&inside, sandbox);
	for (int i = -1; i < ROUNDS; i++)
		for (size_t k = 0; k < KINDS_CNT; k++) {
			double bare_ns = ask(&bare, k), inside_ns = ask(&inside, k);

			without[k][i < 0 ? 0 : i] = bare_ns;
			with[k][i < 0 ? 0 : i] = inside_ns;
		}
	end_server(&bare);
	end_server(&inside);
	printf("a call, %d rounds of %d by turns; more with the filter:\n", ROUNDS, CALLS);
	for (size_t k = 0; k < KINDS_CNT; k++)
		good &= within(kinds[k].name, with[k], without[k], 1, "ns", kinds[k].most_ns);
	return good;
}

/* ---- ---- */

/* The figures of a weaker sandbox are not those that are promised. */
static void say_missing(const struct sandbox *s)
{
	for (int l = 0; l < LAYER_CNT; l++)
		if (!sandbox_has(s, (enum sandbox_layer)l))
			printf("without the layer \"%s\": %s\n",
			       sandbox_layer_name((enum sandbox_layer)l),
			       strerror(sandbox_missing(s, (enum sandbox_layer)l)));
}

int main(int argc, char **argv)
{
	struct sandbox *sandbox;
	struct sandbox_fault fault;
	cpu_set_t set;
	bool good;

	if (argc == 2 && !strcmp(argv[1], "serve"))
		return serve();
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	must(!sched_setaffinity(0, sizeof(set), &set), "affinity");
	must(!child_engine_setup(), "set-up");
	errno = -sandbox__new(&sandbox, &(struct sandbox_request){.level = SANDBOX_STANDARD},
			      &fault);
	must(!errno, "sandbox");
	say_missing(sandbox);
	good = measure_starts(sandbox);
	good &= measure_calls(sandbox);
	sandbox__free(sandbox);
	return good ? 0 : 1;
}
