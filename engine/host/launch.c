/* SPDX-License-Identifier: BSD-2-Clause */
#include "launch.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "../util/clock.h"
#include "lineage.h"
#include "sandbox_private.h"

#define PROTOCOL_FD	3
#define FREE_FD		10    /* above every descriptor the child gets */
#define SIBLING_STACK	65536 /* some ten times what is used */
#define EXEC_LIMIT_MSEC 30000 /* execve of a file on a server that is gone never returns */

int launch__open(struct launch *l, const struct child_spec *spec)
{
	*l = (struct launch){.spec = spec,
			     .tag = lineage_tag_new(),
			     .engine = getpid(),
			     .null_fd = -1,
			     .out = {-1, -1},
			     .done = {-1, -1},
			     .listener = {-1, -1}};
	l->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (l->null_fd < 0 || pipe2(l->done, O_CLOEXEC))
		return -errno;
	if (spec->output_fd < 0 && pipe2(l->out, O_CLOEXEC))
		return -errno;
	if (sandbox_has(spec->sandbox, LAYER_NOTIFY) &&
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, l->listener))
		return -errno;
	/* Only our end: a worker that finds its stdout non-blocking would lose output. */
	if (l->out[0] >= 0 && fcntl(l->out[0], F_SETFL, O_NONBLOCK))
		return -errno;
	l->note = mmap(NULL, sizeof(*l->note), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (l->note == MAP_FAILED) {
		l->note = NULL;
		return -errno;
	}
	return 0;
}

static void close_one(int *fd)
{
	cleanup_fd(fd);
	*fd = -1;
}

void launch__close(struct launch *l)
{
	close_one(&l->null_fd);
	close_one(&l->out[0]);
	close_one(&l->out[1]);
	close_one(&l->done[0]);
	close_one(&l->done[1]);
	close_one(&l->listener[0]);
	close_one(&l->listener[1]);
	if (l->note)
		(void)munmap(l->note, sizeof(*l->note));
	l->note = NULL;
}

/* ---- In the child: async-signal-safe calls only, the engine may have had threads. ---- */

static int join_cgroups(const struct child_spec *s)
{
	for (unsigned i = 0; i < s->join_cnt; i++)
		if (write(s->join_fd[i], "0", 1) != 1) /* 0: the writer itself */
			return -1;
	return 0;
}

static void reset_signals(void)
{
	const struct sigaction dfl = {.sa_handler = SIG_DFL};
	sigset_t none;

	/* An ignored signal stays ignored over exec: SIGPIPE of the engine, SIGINT of a shell's &. */
	for (int sig = 1; sig < NSIG; sig++)
		(void)sigaction(sig, &dfl, NULL); /* EINVAL: SIGKILL, SIGSTOP, libc's own */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A copy out of the way of 0..3, which the engine itself may have closed and be using. */
static int moved_up(int fd)
{
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FREE_FD);

	if (fd >= 0 && copy < 0 && errno == EINVAL)
		errno = EMFILE; /* RLIMIT_NOFILE lies below FREE_FD */
	return copy;
}

static int place(int from, int to)
{
	return from < 0 || dup2(from, to) < 0 ? -1 : 0;
}

static int set_descriptors(struct launch *l)
{
	const struct child_spec *s = l->spec;
	int null_fd = moved_up(l->null_fd);
	int out = moved_up(s->output_fd >= 0 ? s->output_fd : l->out[1]);
	int protocol = moved_up(s->protocol_fd);

	/* the originals may be among 0..3 */
	l->done[1] = moved_up(l->done[1]);
	l->listener[1] = moved_up(l->listener[1]);
	if (l->done[1] < 0 || (l->listener[0] >= 0 && l->listener[1] < 0))
		return -1;
	if (place(null_fd, 0) || place(s->stdout_null ? null_fd : out, 1) || place(out, 2))
		return -1;
	if (s->protocol_fd >= 0 && place(protocol, PROTOCOL_FD))
		return -1;
	/* At exec, not now: `done` has to stay open until then (CLOSE_RANGE_CLOEXEC: Linux 5.11). */
	return close_range(s->protocol_fd >= 0 ? PROTOCOL_FD + 1 : PROTOCOL_FD, ~0u,
			   CLOSE_RANGE_CLOEXEC);
}

/* In a PID namespace the parent's number is 0, dead or alive: its end of the pipe tells. */
static bool engine_lives(const struct launch *l)
{
	struct pollfd p = {.fd = l->done[1]};

	return poll(&p, 1, 0) == 0;
}

/* After the last change of credentials, which clears it. */
static int die_with_engine(const struct launch *l)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		return -1;
	if (!engine_lives(l)) { /* it died before the prctl */
		errno = ESRCH;
		return -1;
	}
	return 0;
}

/* The same on every host, as far as ours allow: what is measured must not hang on them. */
static const struct {
	int resource;
	rlim_t soft, hard;
	const char *why;
} limits[] = {
	{RLIMIT_CORE, 0, 0, "a crash must not fill the disk, and its end comes at once"},
	{RLIMIT_FSIZE, (rlim_t)16 << 30, (rlim_t)16 << 30, "no file fills the disk; SIGXFSZ tells"},
	{RLIMIT_NOFILE, 1024, 65536, "what most systems give: select() counts on it"},
};

static int set_limits(void)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct rlimit l;

		if (getrlimit(limits[i].resource, &l))
			return -1;
		if (l.rlim_max > limits[i].hard) /* RLIM_INFINITY is the largest */
			l.rlim_max = limits[i].hard;
		l.rlim_cur = limits[i].soft < l.rlim_max ? limits[i].soft : l.rlim_max;
		if (setrlimit(limits[i].resource, &l))
			return -1;
	}
	return 0;
}

static int set_place(const struct launch *l)
{
	lineage_tag_wear(l->tag);
	return l->spec->cpus ? sched_setaffinity(0, sizeof(*l->spec->cpus), l->spec->cpus) : 0;
}

static _Noreturn void give_up(const struct launch *l)
{
	l->note->error = errno;
	_exit(127);
}

/*
 * A child of the engine (CLONE_PARENT) that has left our program when this returns: it borrows our
 * memory until its exec or its end, on a stack within ours, while we stand still. So no page table is
 * copied. The memory is this process's, not the engine's, which must not hang in here. The kernel
 * notes the number before the child runs: whoever never comes to its exec has to be killed.
 */
static int run_sibling(int (*run)(void *), struct launch *l, char stack[static SIBLING_STACK],
		       pid_t *ret_pid)
{
	int flags = CLONE_PARENT | CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD;

	return clone(run, stack + SIBLING_STACK, flags, l, ret_pid) < 0 ? -1 : 0;
}

static int run_init(void *arg)
{
	const struct launch *l = arg;

	sandbox_become_init(l->spec->sandbox);
	give_up(l);
}

static _Noreturn void become_program(struct launch *l);

static int run_program(void *arg)
{
	become_program(arg);
}

/*
 * unshare(CLONE_NEWPID) is for children only: the first one is PID 1, the second the program, and who
 * made them ends.
 */
static _Noreturn void go_on_inside(struct launch *l)
{
	/* One for each: nobody returns from a frame, so a sanitizer's marks of them stay. */
	_Alignas(64) char stack[2][SIBLING_STACK];

	if (run_sibling(run_init, l, stack[0], &l->note->init))
		give_up(l);
	/* Without PID 1 the next clone says ENOMEM, which is not why. */
	if (!l->note->error && run_sibling(run_program, l, stack[1], &l->note->pid))
		give_up(l);
	_exit(0);
}

static void enter_namespaces(struct launch *l)
{
	const struct sandbox *s = l->spec->sandbox;
	enum sandbox_layer layer;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || sandbox_enter_namespaces(s, &layer) ||
	    sandbox_drop_bounding())
		give_up(l);
	if (sandbox_layer_on(s, LAYER_PID))
		go_on_inside(l);
}

static int enter_root(const struct child_spec *s)
{
	enum sandbox_layer layer;

	if (!sandbox_has(s->sandbox, LAYER_ROOT))
		return 0;
	return sandbox_enter_root(s->sandbox, s->bind, s->bind_cnt, &layer);
}

/* The last step: from here on only what the filter allows. */
static int lock(const struct launch *l)
{
	const struct child_spec *s = l->spec;
	enum sandbox_layer layer;

	/* Cleared by the change of credentials; counters and /proc/PID need it. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
		return -1;
	return sandbox_enter_locked(s->sandbox, s->bind, s->bind_cnt, l->listener[1], &layer);
}

/* Until the engine has prepared to watch: from here on nothing of ours happens any more. */
static int park(struct launch *l)
{
	if (write(l->done[1], "", 1) != 1)
		return -1;
	while (!__atomic_load_n(&l->note->go, __ATOMIC_ACQUIRE))
		if (syscall(SYS_futex, &l->note->go, FUTEX_WAIT, 0, NULL, NULL, 0) &&
		    errno != EAGAIN && errno != EINTR)
			return -1;
	l->spec->witness->leaves(l->spec->witness->arg);
	return 0;
}

static _Noreturn void become_program(struct launch *l)
{
	const struct child_spec *s = l->spec;

	/* The program alone: PID 1, which outlives it, would be taken for a process that it left. */
	if (join_cgroups(s))
		give_up(l);
	(void)setsid(); /* cannot fail: a fresh child leads no group */
	reset_signals();
	if (set_place(l) || set_descriptors(l) || set_limits() || enter_root(s) ||
	    (s->cwd && chdir(s->cwd)))
		give_up(l);
	if (s->sandbox && sandbox_drop_capabilities())
		give_up(l);
	if (die_with_engine(l) || (s->sandbox && lock(l)))
		give_up(l);
	if (s->witness && park(l))
		give_up(l);
	l->note->at_ns = clock_ns(CLOCK_MONOTONIC);
	l->note->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	(void)execve(s->path, (char *const *)s->argv, (char *const *)s->envp);
	give_up(l);
}

static _Noreturn void child_main(struct launch *l)
{
	if (l->spec->sandbox)
		enter_namespaces(l);
	become_program(l);
}

/* ---- In the engine. ---- */

/* Blocked signals keep a handler of the engine from running in the child before the reset. */
static pid_t fork_quietly(struct launch *l)
{
	sigset_t all, old;
	pid_t pid;

	(void)sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, &old))
		return -errno;
	pid = fork();
	if (pid == 0)
		child_main(l);
	if (pid < 0)
		pid = -errno;
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

/* The child sleeps, or is about to. */
static void witness(const struct launch *l, pid_t pid)
{
	const struct child_witness *w = l->spec->witness;

	w->parked(w->arg, pid);
	__atomic_store_n(&l->note->go, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &l->note->go, FUTEX_WAKE, 1, NULL, NULL, 0); /* cannot fail */
}

/* 1: the child is parked; 0: it has left our program, by its exec or by its end. */
static int wait_for_child(const struct launch *l)
{
	struct pollfd p = {.fd = l->done[0], .events = POLLIN};
	char byte;
	int n;

	do
		n = poll(&p, 1, EXEC_LIMIT_MSEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n < 0 ? -errno : -ETIMEDOUT;
	return read(l->done[0], &byte, 1) == 1;
}

static int wait_for_exec(const struct launch *l, pid_t pid)
{
	int n = wait_for_child(l);

	if (n == 1) {
		witness(l, l->note->pid ? l->note->pid : pid);
		n = wait_for_child(l);
	}
	return n < 0 ? n : -l->note->error;
}

static void await_end(pid_t pid)
{
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* All that was started, the namespace's PID 1 first: its end is everybody's in there. */
static void undo(const struct launch *l, pid_t pid)
{
	if (l->note->init > 0)
		(void)kill(l->note->init, SIGKILL);
	(void)kill(pid, SIGKILL);
	await_end(pid);
	if (l->note->pid > 0)
		(void)kill(l->note->pid, SIGKILL);
	await_end(l->note->pid);
	await_end(l->note->init);
}

pid_t launch__go(struct launch *l)
{
	bool inside = sandbox_has(l->spec->sandbox, LAYER_PID);
	pid_t pid = fork_quietly(l);
	int err;

	if (pid < 0)
		return pid;
	close_one(&l->done[1]);
	close_one(&l->out[1]);
	close_one(&l->listener[1]);
	err = wait_for_exec(l, pid);
	if (err) {
		undo(l, pid);
		return err;
	}
	if (!inside)
		return pid;
	await_end(pid); /* both have left it, and it has nothing left to do */
	return l->note->pid;
}

int launch_take_listener(const struct launch *l)
{
	union {
		struct cmsghdr header; /* for its alignment */
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control.bytes)};
	int fd = -1;

	if (l->listener[0] < 0 ||
	    recvmsg(l->listener[0], &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
		return -1;
	if (message.msg_controllen >= sizeof(control.header) &&
	    control.header.cmsg_level == SOL_SOCKET && control.header.cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}
