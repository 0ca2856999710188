/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sandbox on another processor and kernel: its PID 1, which is a program in assembly, and what is
 * answered to refused system calls. As root. This program is its own child, with a role as argument.
 * A guest's root is an initramfs, which pivot_root refuses: nothing is asked of the layer "root".
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/host/child.h"
#include "engine/util/clock.h"
#include "tap.h"

#define LIMIT_NS (60 * 1000000000ull) /* against hanging alone */

/* ---- Roles ---- */

static int role_who(void)
{
	printf("%d %d", (int)getpid(), (int)getppid());
	return 0;
}

static int role_term(void)
{
	return raise(SIGTERM);
}

static int role_abort(void)
{
	return raise(SIGABRT);
}

static int role_refused(void)
{
	int err = unshare(CLONE_NEWNS) ? errno : 0;

	printf("%d ", err);
	err = syscall(100000) < 0 ? errno : 0; /* of a kernel to come */
	printf("%d", err);
	return 0;
}

static int role_leave(void)
{
	if (fork() == 0) {
		(void)setsid();
		(void)alarm(120); /* should a failed test leave it behind */
		for (;;)
			(void)pause();
	}
	return 0;
}

static int role_stay(void)
{
	(void)alarm(120);
	(void)!write(STDOUT_FILENO, "x", 1);
	while (pause() < 0) {
	}
	return 0;
}

/* The number of a process that ends as a child of PID 1. */
static pid_t end_as_orphan(void)
{
	pid_t orphan = 0;
	int fds[2];

	if (pipe(fds))
		return 0;
	if (fork() == 0) {
		orphan = fork();
		if (orphan > 0 && write(fds[1], &orphan, sizeof(orphan)) < 0)
			_exit(1);
		_exit(0);
	}
	(void)wait(NULL);
	(void)close(fds[1]);
	if (read(fds[0], &orphan, sizeof(orphan)) != sizeof(orphan))
		orphan = 0;
	(void)close(fds[0]);
	return orphan;
}

/* 0 once nothing is left of an orphan: a zombie still had its number. */
static int role_orphan(void)
{
	uint64_t deadline_ns = clock_ns(CLOCK_MONOTONIC) + LIMIT_NS;
	pid_t pid = end_as_orphan();

	while (pid > 0 && !kill(pid, 0) && clock_ns(CLOCK_MONOTONIC) < deadline_ns)
		(void)sched_yield();
	return pid <= 0 || !kill(pid, 0);
}

static const struct {
	const char *name;
	int (*play)(void);
} roles[] = {
	{"who", role_who},	   {"term", role_term},	  {"abort", role_abort},
	{"refused", role_refused}, {"leave", role_leave}, {"stay", role_stay},
	{"orphan", role_orphan},
};

static int play(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(roles[i].name, name))
			return roles[i].play();
	return 99;
}

/* ---- Tests ---- */

static void start(struct child *c, struct sandbox *s, const char *role, const char *path)
{
	static const char *const no_env[] = {NULL};
	const char *argv[] = {"sandbox_proofs", role, NULL};
	const struct child_spec spec = {.path = path,
					.argv = argv,
					.envp = no_env,
					.protocol_fd = -1,
					.output_fd = -1,
					.sandbox = s};
	int err = child__start(c, &spec);

	errno = -err;
	if (err)
		tap_die(role);
}

static void await(struct child *c)
{
	if (child__wait(c, -1, clock_ns(CLOCK_MONOTONIC) + LIMIT_NS, -1) != CHILD_EXITED)
		tap_note("it did not end");
}

static void ends(struct sandbox *s, const char *path, const char *role, const char *end,
		 const char *said)
{
	AUTO_FREE char *got = NULL;
	AUTO_FREE char *text = NULL;
	struct child c;

	start(&c, s, role, path);
	await(&c);
	text = kept_text(&c.output);
	got = child_end_name(c.status);
	if (!tap_ok(got && !strcmp(got, end) && !strcmp(text ? text : "", said), "%s: %s, \"%s\"",
		    role, end, said))
		tap_note("got %s, \"%s\"", got, text ? text : "");
	child__done(&c);
	tap_ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "%s: nothing is left", role);
}

static void leaves(struct sandbox *s, const char *path)
{
	struct child c;

	start(&c, s, "leave", path);
	await(&c);
	tap_ok(c.left_processes && !c.status, "a process that is left is told");
	child__done(&c);
	tap_ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "and ended");
}

/* kB; 0: not known. */
static long rss_of(pid_t pid)
{
	char path[48], line[256];
	long kb = 0;
	AUTO_FILE FILE *f = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	return kb;
}

/* It has none of the engine's memory, and its end is everybody's. */
static void init_is_small(struct sandbox *s, const char *path)
{
	struct child c;
	long kb;

	start(&c, s, "stay", path);
	(void)child__wait(&c, c.out_fd, clock_ns(CLOCK_MONOTONIC) + LIMIT_NS, -1);
	kb = rss_of(c.init);
	if (!tap_ok(c.init > 0 && kb > 0 && kb <= 64, "PID 1 has at most 64 kB"))
		tap_note("process %d has %ld kB", (int)c.init, kb);
	(void)kill(c.init, SIGKILL);
	await(&c);
	tap_ok(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGKILL, "its end is the program's");
	child__done(&c);
}

int main(int argc, char **argv)
{
	const char *itself[] = {NULL, NULL}; /* Landlock shows it no other way */
	struct sandbox *s;
	struct sandbox_fault fault;
	int err;

	if (argc == 2)
		return play(argv[1]);
	if (child_engine_setup())
		tap_die("set-up");
	itself[0] = argv[0];
	err = sandbox__new(&s, &(struct sandbox_request){.level = SANDBOX_STANDARD, .read = itself},
			   &fault);
	errno = -err;
	if (err)
		tap_die("sandbox");
	for (int l = 0; l < LAYER_CNT; l++) {
		enum sandbox_layer layer = (enum sandbox_layer)l;

		if (layer != LAYER_ROOT)
			tap_ok(sandbox_has(s, layer), "layer %s: %s", sandbox_layer_name(layer),
			       strerror(sandbox_missing(s, layer)));
	}
	ends(s, argv[0], "who", "exit status 0", "2 0");
	ends(s, argv[0], "term", "SIGTERM", "");
	ends(s, argv[0], "abort", "SIGABRT", "");
	ends(s, argv[0], "refused", "exit status 0", "1 38"); /* EPERM, ENOSYS */
	ends(s, argv[0], "orphan", "exit status 0", "");
	leaves(s, argv[0]);
	init_is_small(s, argv[0]);
	sandbox__free(s);
	return tap_done();
}
