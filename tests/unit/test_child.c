/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Real children: this program runs itself again with a role as its argument. Nothing sleeps to
 * synchronise: roles say on descriptor 3 that they are ready, and every wait has a deadline.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "engine/host/child.h"
#include "engine/host/lineage.h"
#include "engine/util/clock.h"
#include "engine/util/num.h"

#define SECOND_NS   UINT64_C(1000000000)
#define LONG_NS	    (60 * SECOND_NS) /* never reached unless something is broken */
#define FLOOD_BYTES 10000000u
#define SPIN_NS	    UINT64_C(50000000)

/* ---- Roles ---- */

static void say(const char *text)
{
	if (write(3, text, strlen(text)) < 0)
		_exit(90);
}

static void say_pid(pid_t pid)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", (int)pid);
	say(text);
}

static _Noreturn void stay(void)
{
	(void)alarm(120); /* should a failed test leave it behind */
	for (;;)
		(void)pause();
}

static void role_ignore_term(void)
{
	(void)signal(SIGTERM, SIG_IGN);
	say("ready");
	stay();
}

static void exit_5(int sig)
{
	(void)sig;
	_exit(5);
}

static void role_handle_term(void)
{
	(void)signal(SIGTERM, exit_5);
	say("ready");
	stay();
}

static void role_stay(void)
{
	say("ready");
	stay();
}

static void role_flood(void)
{
	static char block[65536];

	memset(block, 'x', sizeof(block));
	for (size_t left = FLOOD_BYTES; left > 0;) {
		ssize_t n = write(1, block, left < sizeof(block) ? left : sizeof(block));

		if (n < 0)
			_exit(91);
		left -= (size_t)n;
	}
	(void)!write(1, "THE END", 7);
}

/* Parent and child of a role: the parent goes on when the child has done its part. */
static int go_on[2];

static void let_go_on(void)
{
	if (write(go_on[1], "x", 1) != 1)
		_exit(93);
}

static void wait_to_go_on(void)
{
	char byte;

	if (read(go_on[0], &byte, 1) != 1)
		_exit(94);
}

static void open_go_on(void)
{
	if (pipe(go_on))
		_exit(95);
}

/* Forks twice, so that the second one has lost its parent, its session and its environment. */
static void make_daemon(void)
{
	open_go_on();
	if (fork() == 0) {
		(void)setsid();
		(void)clearenv();
		if (fork() == 0) {
			(void)setsid();
			say_pid(getpid());
			let_go_on();
			stay(); /* stdout and stderr stay open: the engine's pipe has a writer */
		}
		_exit(0);
	}
	(void)wait(NULL);
	wait_to_go_on();
}

static void role_daemon_and_stay(void)
{
	make_daemon();
	stay();
}

/* A child of its own that is dead when it ends itself, and that it never waited for. */
static void role_zombie(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	(void)waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

/* A process that is always somebody else; it stops one day, should nobody catch it. */
static void role_hop(void)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + LONG_NS;

	open_go_on();
	if (fork() == 0) {
		say("ready");
		let_go_on();
		while (clock_ns(CLOCK_MONOTONIC) < end && fork() <= 0)
			;
		_exit(0);
	}
	wait_to_go_on(); /* the successors keep the session; this one ends */
}

static void role_descriptors(void)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			(void)dprintf(1, "%d ", fd);
}

static void role_spin(void)
{
	uint64_t from = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - from < SPIN_NS)
		;
}

/* What a child should not inherit. */
static void role_state(void)
{
	struct sigaction pipe_action;
	struct rlimit core;
	sigset_t mask;
	char cwd[4096];

	(void)sigprocmask(SIG_SETMASK, NULL, &mask);
	(void)sigaction(SIGPIPE, NULL, &pipe_action);
	(void)getrlimit(RLIMIT_CORE, &core);
	(void)dprintf(1, "usr1 %d pipe %d core %d leads %d stdin %zd cwd %s env %s",
		      sigismember(&mask, SIGUSR1), pipe_action.sa_handler == SIG_DFL,
		      (int)core.rlim_max, getsid(0) == getpid(), read(0, cwd, 1),
		      getcwd(cwd, sizeof(cwd)), getenv("ONLY") ? getenv("ONLY") : "none");
}

static void role_engine(void);

static const struct {
	const char *name;
	void (*run)(void);
} roles[] = {
	{"ignore-term", role_ignore_term},
	{"handle-term", role_handle_term},
	{"stay", role_stay},
	{"flood", role_flood},
	{"daemon", make_daemon},
	{"daemon-and-stay", role_daemon_and_stay},
	{"zombie", role_zombie},
	{"hop", role_hop},
	{"descriptors", role_descriptors},
	{"spin", role_spin},
	{"state", role_state},
	{"engine", role_engine},
};

static int play(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (strcmp(roles[i].name, name))
			continue;
		roles[i].run();
		/* The look for leaks at exit runs in a process of its own, whose time wait4 adds. */
		(void)fflush(stdout);
		_exit(0);
	}
	return 99;
}

/* ---- Helpers ---- */

struct act {
	struct child child;
	int link; /* our end of descriptor 3 */
};

static const char *const no_env[] = {NULL};

static int start_program(struct act *a, const char *path, const char *const *argv)
{
	int pair[2];
	struct child_spec spec = {
		.path = path, .argv = argv, .envp = no_env, .protocol_fd = -1, .output_fd = -1};
	int err;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	spec.protocol_fd = pair[1];
	err = child__start(&a->child, &spec);
	close(pair[1]);
	a->link = pair[0];
	return err;
}

static void start_role(struct act *a, const char *role)
{
	const char *argv[] = {"role", role, NULL};

	assert_int_equal(start_program(a, "/proc/self/exe", argv), 0);
}

static void start_shell(struct act *a, const char *script)
{
	const char *argv[] = {"sh", "-c", script, NULL};

	assert_int_equal(start_program(a, "/bin/sh", argv), 0);
}

static void act__done(struct act *a)
{
	child__done(&a->child);
	close(a->link);
}

static uint64_t soon(void)
{
	return clock_ns(CLOCK_MONOTONIC) + LONG_NS;
}

/* What the role said, as a number ("ready" is 0). */
static pid_t heard(struct act *a)
{
	char text[16] = "";
	uint64_t pid = 0;

	assert_int_equal(child__wait(&a->child, a->link, soon(), -1), CHILD_READABLE);
	assert_true(read(a->link, text, sizeof(text) - 1) > 0);
	if (strcmp(text, "ready"))
		assert_int_equal(num_u64(text, 1, INT32_MAX, &pid), 0);
	return (pid_t)pid;
}

static void await_exit(struct act *a)
{
	assert_int_equal(child__wait(&a->child, -1, soon(), -1), CHILD_EXITED);
	assert_true(a->child.reaped);
}

static void assert_gone(pid_t pid)
{
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void assert_alive(pid_t pid)
{
	assert_int_equal(kill(pid, 0), 0);
}

static void assert_end(const struct child *c, const char *name)
{
	AUTO_FREE char *got = child_end_name(c->status);

	assert_string_equal(got, name);
}

static size_t open_descriptors(void)
{
	size_t cnt = 0;

	for (int fd = 0; fd < 1024; fd++)
		cnt += fcntl(fd, F_GETFD) >= 0;
	return cnt;
}

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* ---- Tests ---- */

static void a_failed_start_is_an_error_and_leaks_nothing(void **state)
{
	const char *argv[] = {"x", NULL};
	cpu_set_t absent;
	struct {
		struct child_spec spec;
		int err;
	} cases[] = {
		{{.path = "/nonexistent/program"}, -ENOENT},
		{{.path = "/etc/passwd"}, -EACCES},
		{{.path = "/bin/true", .cwd = "/nonexistent"}, -ENOENT},
		{{.path = "/bin/true", .cpus = &absent}, -EINVAL},
	};
	size_t before = open_descriptors();

	(void)state;
	CPU_ZERO(&absent);
	CPU_SET(CPU_SETSIZE - 1, &absent);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct child_spec *s = &cases[i].spec;
		struct child c;

		s->argv = argv;
		s->envp = no_env;
		s->protocol_fd = s->output_fd = -1;
		assert_int_equal(child__start(&c, s), cases[i].err);
		child__done(&c);
	}
	assert_int_equal(open_descriptors(), before);
	assert_no_child();
}

static void out_of_descriptors_is_an_error_of_the_start(void **state)
{
	struct rlimit old, few;
	const char *argv[] = {"true", NULL};
	struct child_spec spec = {.path = "/bin/true",
				  .argv = argv,
				  .envp = no_env,
				  .protocol_fd = -1,
				  .output_fd = -1};
	size_t before = open_descriptors();
	int next = fcntl(0, F_DUPFD_CLOEXEC, 0);
	struct child c;
	int err;

	(void)state;
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = (rlim_t)next + 1; /* for /dev/null, but not for a pipe */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	err = child__start(&c, &spec);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(err, -EMFILE);
	assert_int_equal(open_descriptors(), before);
}

static void done_accepts_what_never_started(void **state)
{
	struct child zeroed = {0};

	(void)state;
	child__done(&zeroed);
	child__done(&zeroed);
	assert_true(fcntl(0, F_GETFD) >= 0); /* descriptor 0 was not taken for its own */
}

static void ends_have_names(void **state)
{
	static const char *const cases[][2] = {
		{"exit 0", "exit status 0"},  {"exit 3", "exit status 3"},
		{"kill -SEGV $$", "SIGSEGV"}, {"kill -ABRT $$", "SIGABRT"},
		{"kill -KILL $$", "SIGKILL"}, {"kill -40 $$", "signal 40"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct act a;

		start_shell(&a, cases[i][0]);
		await_exit(&a);
		assert_end(&a.child, cases[i][1]);
		assert_false(a.child.killed_by_us);
		assert_false(a.child.left_processes);
		act__done(&a);
	}
}

static void expect_output(const struct child *c, const char *want)
{
	AUTO_FREE char *text = kept_text(&c->output);

	assert_non_null(text);
	assert_string_equal(text, want);
}

static void both_outputs_are_captured(void **state)
{
	struct act a;

	(void)state;
	start_shell(&a, "echo out; echo err >&2");
	await_exit(&a);
	assert_int_equal(a.child.output.total, 8);
	expect_output(&a.child, "out\nerr\n");
	act__done(&a);
}

static void stdout_of_a_command_goes_nowhere(void **state)
{
	const char *argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
	struct child_spec spec = {.path = "/bin/sh",
				  .argv = argv,
				  .envp = no_env,
				  .protocol_fd = -1,
				  .output_fd = -1,
				  .stdout_null = true};
	struct child c;

	(void)state;
	assert_int_equal(child__start(&c, &spec), 0);
	assert_int_equal(child__wait(&c, -1, soon(), -1), CHILD_EXITED);
	expect_output(&c, "err\n");
	child__done(&c);
}

static void output_can_go_to_a_file(void **state)
{
	AUTO_FILE FILE *f = tmpfile();
	const char *argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
	struct child_spec spec = {
		.path = "/bin/sh", .argv = argv, .envp = no_env, .protocol_fd = -1};
	struct child c;
	char text[16];

	(void)state;
	assert_non_null(f);
	spec.output_fd = fileno(f);
	assert_int_equal(child__start(&c, &spec), 0);
	assert_int_equal(child__wait(&c, -1, soon(), -1), CHILD_EXITED);
	assert_int_equal(pread(fileno(f), text, sizeof(text), 0), 8);
	assert_memory_equal(text, "out\nerr\n", 8);
	assert_int_equal(c.output.total, 0);
	child__done(&c);
}

static void a_child_joins_its_groups_first(void **state)
{
	int fds[] = {memfd_create("tasks", MFD_CLOEXEC), memfd_create("procs", MFD_CLOEXEC)};
	const char *argv[] = {"true", NULL};
	struct child_spec spec = {.path = "/bin/true",
				  .argv = argv,
				  .envp = no_env,
				  .protocol_fd = -1,
				  .output_fd = -1,
				  .join_fd = {fds[0], fds[1]},
				  .join_cnt = 2};
	struct child c;
	char text[4];

	(void)state;
	assert_int_equal(child__start(&c, &spec), 0);
	child__done(&c);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pread(fds[i], text, sizeof(text), 0), 1);
		assert_int_equal(text[0], '0');
		close(fds[i]);
	}
	spec.join_fd[0] = -1; /* a group that is gone is an error of the start */
	assert_int_equal(child__start(&c, &spec), -EBADF);
	child__done(&c);
	assert_no_child();
}

static void a_flood_leaves_its_ends_and_little_memory(void **state)
{
	struct rusage before, after;
	AUTO_FREE char *text = NULL;
	struct act a;

	(void)state;
	(void)getrusage(RUSAGE_SELF, &before);
	start_role(&a, "flood");
	await_exit(&a);
	(void)getrusage(RUSAGE_SELF, &after);
	assert_end(&a.child, "exit status 0");
	assert_int_equal(a.child.output.total, FLOOD_BYTES + 7);
	text = kept_text(&a.child.output);
	assert_non_null(text);
	assert_int_equal(kept_lost(&a.child.output), FLOOD_BYTES + 7 - 2 * KEPT_BYTES);
	assert_string_equal(strstr(text, "xxTHE END"), "xxTHE END");
	assert_true(after.ru_maxrss - before.ru_maxrss < 4096); /* KiB; the flood has 9766 */
	act__done(&a);
}

static void output_without_end_does_not_hide_the_deadline(void **state)
{
	struct act a;

	(void)state;
	start_shell(&a, "exec yes");
	assert_int_equal(child__wait(&a.child, -1, 0, -1), CHILD_TIMED_OUT);
	assert_true(a.child.output.total <= 65536 + 16384); /* one wake-up, one chunk over */
	assert_int_equal(child__wait(&a.child, -1, clock_ns(CLOCK_MONOTONIC) + SECOND_NS / 5, -1),
			 CHILD_TIMED_OUT);
	child__kill(&a.child, true);
	assert_end(&a.child, "SIGKILL");
	assert_true(a.child.killed_by_us);
	act__done(&a);
}

static void a_deaf_child_is_killed_after_its_grace(void **state)
{
	struct act a;

	(void)state;
	start_role(&a, "ignore-term");
	(void)heard(&a);
	assert_int_equal(child__wait(&a.child, -1, 0, -1), CHILD_TIMED_OUT);
	child__kill(&a.child, false);
	assert_true(a.child.reaped);
	assert_end(&a.child, "SIGKILL");
	act__done(&a);
}

static void a_stopped_child_gets_its_term(void **state)
{
	struct act a;

	(void)state;
	start_role(&a, "handle-term");
	(void)heard(&a);
	assert_int_equal(kill(a.child.pid, SIGSTOP), 0);
	child__kill(&a.child, false);
	assert_end(&a.child, "exit status 5"); /* its own handler ran */
	act__done(&a);
}

static void one_that_ended_unseen_was_not_killed_by_us(void **state)
{
	struct act a;
	struct pollfd p = {.events = POLLIN};

	(void)state;
	start_shell(&a, "kill -KILL $$");
	p.fd = a.child.pidfd;
	assert_int_equal(poll(&p, 1, 60000), 1);
	child__kill(&a.child, true);
	assert_true(a.child.reaped);
	assert_false(a.child.killed_by_us);
	act__done(&a);
}

static void the_interrupt_is_seen_and_not_read(void **state)
{
	struct act a;
	int pipe_fd[2];

	(void)state;
	assert_int_equal(pipe2(pipe_fd, O_CLOEXEC), 0);
	start_role(&a, "stay");
	(void)heard(&a);
	assert_int_equal(write(pipe_fd[1], "x", 1), 1);
	assert_int_equal(child__wait(&a.child, a.link, soon(), pipe_fd[0]), CHILD_INTERRUPTED);
	assert_int_equal(child__wait(&a.child, a.link, soon(), pipe_fd[0]), CHILD_INTERRUPTED);
	act__done(&a);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

static void an_answer_comes_before_the_exit(void **state)
{
	struct act a;
	struct pollfd p = {.events = POLLIN};

	(void)state;
	start_shell(&a, "echo ready >&3");
	p.fd = a.child.pidfd;
	assert_int_equal(poll(&p, 1, 60000), 1);
	assert_int_equal(child__wait(&a.child, a.link, soon(), -1), CHILD_READABLE);
	await_exit(&a);
	assert_int_equal(child__wait(&a.child, -1, soon(), -1), CHILD_EXITED); /* and still so */
	act__done(&a);
}

static void only_its_own_descriptors_are_open(void **state)
{
	AUTO_FD int secret = open("/dev/null", O_RDONLY); /* without close-on-exec */
	AUTO_FD int high = fcntl(secret, F_DUPFD, 900);
	struct act a;

	(void)state;
	assert_true(secret >= 0 && high >= 900);
	start_role(&a, "descriptors");
	await_exit(&a);
	expect_output(&a.child, "0 1 2 3 ");
	act__done(&a);
}

/* As if the engine had been started with `<&- >&- 2>&-`. No assertion may print in between. */
static void close_standard(int saved[3])
{
	for (int fd = 0; fd < 3; fd++)
		saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 20);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
}

static void reopen_standard(const int saved[3])
{
	for (int fd = 0; fd < 3; fd++) {
		(void)dup2(saved[fd], fd);
		close(saved[fd]);
	}
}

/* The pipe that tells of the exec is 1 and 2 here, where the child's outputs go. */
static void a_failed_start_is_seen_without_standard_descriptors(void **state)
{
	const char *argv[] = {"x", NULL};
	struct child_spec spec = {.path = "/nonexistent",
				  .argv = argv,
				  .envp = no_env,
				  .protocol_fd = -1,
				  .output_fd = -1};
	int saved[3], err;
	struct child c;

	(void)state;
	close_standard(saved);
	err = child__start(&c, &spec);
	reopen_standard(saved);
	assert_int_equal(err, -ENOENT);
}

static void it_starts_when_the_engine_has_no_standard_descriptors(void **state)
{
	int saved[3];
	struct act a;

	(void)state;
	close_standard(saved);
	start_role(&a, "descriptors");
	await_exit(&a);
	reopen_standard(saved);
	expect_output(&a.child, "0 1 2 3 ");
	child__done(&a.child); /* its link was one of the descriptors put back */
}

static void it_inherits_neither_signals_nor_limits(void **state)
{
	const char *argv[] = {"role", "state", NULL};
	const char *env[] = {"ONLY=this", NULL};
	struct child_spec spec = {.path = "/proc/self/exe",
				  .argv = argv,
				  .envp = env,
				  .cwd = "/usr",
				  .protocol_fd = -1,
				  .output_fd = -1};
	struct child c;
	sigset_t usr1, old;

	(void)state;
	(void)sigemptyset(&usr1);
	(void)sigaddset(&usr1, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &usr1, &old);
	assert_int_equal(child__start(&c, &spec), 0);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	assert_int_equal(child__wait(&c, -1, soon(), -1), CHILD_EXITED);
	expect_output(&c, "usr1 0 pipe 1 core 0 leads 1 stdin 0 cwd /usr env this");
	child__done(&c);
}

static void cpu_time_counts_from_exec(void **state)
{
	struct act a;
	const struct rusage *u = &a.child.usage;
	double cpu, whole;

	(void)state;
	start_role(&a, "spin");
	await_exit(&a);
	cpu = child_cpu_from_exec_ns(&a.child);
	whole = 1e9 * (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
		1e3 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
	assert_true(a.child.exec_cpu_ns > 0);
	/* its own clock said 50 ms; wait4 cuts user and system to 1 us each */
	assert_true(cpu >= (double)SPIN_NS - 2000);
	assert_true(cpu < whole);
	assert_true(a.child.spawn_ns < a.child.exec_ns && a.child.exec_ns < a.child.exit_ns);
	/* one thread cannot compute for longer than it was there; the clocks are 1 us apart */
	assert_true(cpu <= (double)(a.child.exit_ns - a.child.exec_ns) + 2000);
	act__done(&a);
}

static void cpu_time_is_never_negative(void **state)
{
	const struct child c = {.usage.ru_utime.tv_usec = 3, .exec_cpu_ns = 5000};
	const struct child d = {
		.usage = {.ru_utime.tv_usec = 30, .ru_stime = {.tv_sec = 1, .tv_usec = 4}},
		.exec_cpu_ns = 5000};

	(void)state;
	assert_true(child_cpu_from_exec_ns(&c) == 0);
	assert_true(child_cpu_from_exec_ns(&d) == 1000029000.0);
}

static void a_daemon_is_found_and_its_neighbours_are_spared(void **state)
{
	struct act a, neighbour;
	pid_t daemon_pid, neighbour_daemon;

	(void)state;
	start_role(&neighbour, "daemon-and-stay");
	neighbour_daemon = heard(&neighbour);
	start_role(&a, "daemon");
	daemon_pid = heard(&a);
	await_exit(&a);
	assert_end(&a.child, "exit status 0");
	assert_true(a.child.left_processes);
	assert_gone(daemon_pid);
	assert_alive(neighbour.child.pid);
	assert_alive(neighbour_daemon);
	assert_int_equal(child__wait(&neighbour.child, -1, 0, -1), CHILD_TIMED_OUT);
	act__done(&a);
	act__done(&neighbour);
	assert_gone(neighbour_daemon);
	assert_no_child();
}

static void a_dead_orphan_was_not_left(void **state)
{
	struct act a;

	(void)state;
	start_role(&a, "zombie");
	await_exit(&a);
	assert_false(a.child.left_processes);
	assert_no_child(); /* it was reaped as well */
	act__done(&a);
}

static void one_that_forks_and_ends_without_end_is_caught(void **state)
{
	struct act a;

	(void)state;
	start_role(&a, "hop");
	(void)heard(&a);
	await_exit(&a);
	assert_true(a.child.left_processes);
	assert_no_child();
	act__done(&a);
}

static void killing_reaches_what_left_the_session(void **state)
{
	struct act a;
	pid_t daemon_pid;

	(void)state;
	start_role(&a, "daemon-and-stay");
	daemon_pid = heard(&a);
	child__kill(&a.child, true);
	assert_gone(daemon_pid);
	act__done(&a);
	assert_no_child();
}

/* A session leader that ends and leaves a helper, which ends at the end of our pipe. */
static pid_t leave_helper(int read_end, int write_end)
{
	siginfo_t info;
	pid_t pid = fork();
	char byte;

	if (pid == 0) {
		(void)setsid();
		close(write_end);
		if (fork() == 0)
			_exit((int)read(read_end, &byte, 1));
		_exit(0);
	}
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

static void the_session_alone_tells_and_grace_is_given(void **state)
{
	int end[2];
	struct lineage l = {.tag = 0};

	(void)state;
	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	l.root = leave_helper(end[0], end[1]);
	assert_true(lineage_left(&l, 0));
	close(end[1]);
	assert_false(lineage_left(&l, LONG_NS));
	assert_int_equal(waitpid(l.root, NULL, 0), l.root);
	close(end[0]);
	assert_no_child();
}

static void tags_differ_and_only_go_down(void **state)
{
	uint64_t a = lineage_tag_new(), b = lineage_tag_new();
	int status;

	(void)state;
	assert_true(a != 0 && b != 0 && a != b);
	if (fork() == 0) {
		lineage_tag_wear(a);
		_exit(lineage_tag_new() < a ? 0 : 1);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

/* In the role of an engine: starts a child and says its number. */
static void role_engine(void)
{
	const char *argv[] = {"sleep", "1000", NULL};
	struct child_spec spec = {.path = "/bin/sleep",
				  .argv = argv,
				  .envp = no_env,
				  .protocol_fd = -1,
				  .output_fd = -1};
	struct child c;

	if (child_engine_setup() || child__start(&c, &spec))
		_exit(92);
	say_pid(c.pid);
	stay();
}

static void a_child_dies_with_its_engine(void **state)
{
	struct act engine;
	struct pollfd p = {.events = POLLIN};
	pid_t worker;

	(void)state;
	start_role(&engine, "engine");
	worker = heard(&engine);
	p.fd = pidfd_open(worker, 0);
	assert_true(p.fd >= 0);
	/* not through child__kill, which would find and kill the worker as well */
	assert_int_equal(kill(engine.child.pid, SIGKILL), 0);
	assert_int_equal(poll(&p, 1, 20000), 1);
	close(p.fd);
	act__done(&engine);
	/* adopted with the tag of the other engine: nobody else's to reap */
	assert_int_equal(waitpid(worker, NULL, 0), worker);
	assert_no_child();
}

/* As under a CI runner that ignores SIGCHLD: the kernel would reap our children. */
static void setup_wants_the_status_of_children(void **state)
{
	struct act a;

	(void)state;
	(void)signal(SIGCHLD, SIG_IGN);
	assert_int_equal(child_engine_setup(), 0);
	start_shell(&a, "exit 7");
	await_exit(&a);
	assert_end(&a.child, "exit status 7");
	act__done(&a);
}

static int setup(void **state)
{
	(void)state;
	return child_engine_setup();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_start_is_an_error_and_leaks_nothing),
		cmocka_unit_test(out_of_descriptors_is_an_error_of_the_start),
		cmocka_unit_test(done_accepts_what_never_started),
		cmocka_unit_test(ends_have_names),
		cmocka_unit_test(both_outputs_are_captured),
		cmocka_unit_test(stdout_of_a_command_goes_nowhere),
		cmocka_unit_test(output_can_go_to_a_file),
		cmocka_unit_test(a_child_joins_its_groups_first),
		cmocka_unit_test(a_flood_leaves_its_ends_and_little_memory),
		cmocka_unit_test(output_without_end_does_not_hide_the_deadline),
		cmocka_unit_test(a_deaf_child_is_killed_after_its_grace),
		cmocka_unit_test(a_stopped_child_gets_its_term),
		cmocka_unit_test(one_that_ended_unseen_was_not_killed_by_us),
		cmocka_unit_test(the_interrupt_is_seen_and_not_read),
		cmocka_unit_test(an_answer_comes_before_the_exit),
		cmocka_unit_test(only_its_own_descriptors_are_open),
		cmocka_unit_test(a_failed_start_is_seen_without_standard_descriptors),
		cmocka_unit_test(it_starts_when_the_engine_has_no_standard_descriptors),
		cmocka_unit_test(it_inherits_neither_signals_nor_limits),
		cmocka_unit_test(cpu_time_counts_from_exec),
		cmocka_unit_test(cpu_time_is_never_negative),
		cmocka_unit_test(a_daemon_is_found_and_its_neighbours_are_spared),
		cmocka_unit_test(a_dead_orphan_was_not_left),
		cmocka_unit_test(one_that_forks_and_ends_without_end_is_caught),
		cmocka_unit_test(killing_reaches_what_left_the_session),
		cmocka_unit_test(the_session_alone_tells_and_grace_is_given),
		cmocka_unit_test(tags_differ_and_only_go_down),
		cmocka_unit_test(a_child_dies_with_its_engine),
		cmocka_unit_test(setup_wants_the_status_of_children),
	};

	if (argc > 1)
		return play(argv[1]);
	return cmocka_run_group_tests(tests, setup, NULL);
}
