/* SPDX-License-Identifier: BSD-2-Clause */
#include "command.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "subject.h"

#define LANE	   5
#define SLEEPS	   97
#define CHILDREN   11
#define THREADS	   3
#define HOG_ROUNDS 7
#define READINGS   16

/* The descriptors of a command: it lets its competitor go, and ends when that has. */
enum { FD_START = 3, FD_FINISHED, FD_FREE = 10 };

/* ---- what commands do */

static void nap(void)
{
	struct timespec t = {.tv_nsec = 50000};

	(void)nanosleep(&t, NULL);
}

static void run_sleep(void)
{
	for (int i = 0; i < SLEEPS; i++)
		nap();
}

static void *sleep_twice(void *arg)
{
	nap();
	nap();
	return arg;
}

static void run_threads(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, sleep_twice, NULL))
			abort();
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
}

/* Beside each other, so that they wait for each other's CPU. */
static void run_family(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid < 0)
			abort();
		if (!pid) {
			run_threads();
			_exit(0);
		}
	}
	for (int i = 0; i < CHILDREN; i++)
		if (wait(NULL) < 0)
			abort();
}

static void run_contended(void)
{
	char byte;

	if (write(FD_START, "", 1) != 1 || fcntl(FD_FINISHED, F_SETFL, O_NONBLOCK))
		abort();
	while (read(FD_FINISHED, &byte, 1) != 0) {
	}
}

/* Until it has had its share; then its end of the pipe is closed by its end. */
static void compete_hog(void)
{
	char byte;

	if (read(FD_START, &byte, 1) != 1)
		abort();
	for (int i = 0; i < HOG_ROUNDS; i++) {
		uint64_t end = now_of(CLOCK_THREAD_CPUTIME_ID) + 2000000;

		while (now_of(CLOCK_THREAD_CPUTIME_ID) < end) {
		}
		nap();
	}
}

/* ---- starting them */

static void place(int from, int to)
{
	if (dup2(from, to) < 0)
		abort();
}

/* Nothing but these two and what is below them stays open. */
static void take_ends(int start, int finished)
{
	int high[2] = {fcntl(start, F_DUPFD, FD_FREE), fcntl(finished, F_DUPFD, FD_FREE)};

	place(high[0], FD_START);
	place(high[1], FD_FINISHED);
	if (close_range(FD_FINISHED + 1, ~0u, 0))
		abort();
}

struct pipes {
	int park[2], start[2], finished[2];
};

static void close_both(const int fd[2])
{
	(void)close(fd[0]);
	(void)close(fd[1]);
}

static _Noreturn void competitor(const struct command_proof *p, const struct pipes *at)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* always works */
	(void)prctl(PR_SET_NAME, "competitor");
	take_ends(at->start[0], at->finished[1]);
	p->compete();
	_exit(0);
}

static _Noreturn void start_command(const struct command_proof *p, const struct pipes *at)
{
	char byte;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* always works */
	(void)close(at->park[1]);
	if (read(at->park[0], &byte, 1) != 1)
		_exit(1);
	take_ends(at->start[1], at->finished[0]);
	(void)execl("/proc/self/exe", COMMAND_ARGV0, p->name, (char *)NULL);
	_exit(127);
}

static uint64_t turns_of(pid_t pid)
{
	uint64_t run, wait, turns = 0;
	char path[64];
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid); /* fits */
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%lu %lu %lu", &run, &wait, &turns) != 3)
		turns = 0;
	(void)fclose(f); /* only read */
	return turns;
}

/* On the CPU of the command: as long as this runs, that makes no half of a switch. */
static int read_outcome(struct watch *w, pid_t pid, struct command_outcome *o)
{
	struct rusage usage;
	siginfo_t info;
	int status;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		if (errno != EINTR)
			return -errno;
	for (int i = 0; i < READINGS; i++) { /* nothing may come between */
		uint64_t turns = turns_of(pid);

		o->switches_cnt = process_switches(pid);
		if (watch__read(w, LANE, &o->record))
			return -EAGAIN;
		o->turns_cnt = turns_of(pid);
		if (turns == o->turns_cnt)
			break;
	}
	if (wait4(pid, &status, 0, &usage) != pid || status)
		return -ECHILD;
	o->usage_switches_cnt = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
	return watch__take_preemptors(w, LANE, o->preemptor, WATCH_NAMES, &o->preemptors_cnt,
				      &o->unknown_ns);
}

/*
 * With priority, whoever waits for a command has its CPU at once when it ends, and finds it half taken
 * apart. Where that right lacks it may be so or not.
 */
static void set_priority(bool above)
{
	const struct sched_param param = {.sched_priority = above};

	(void)sched_setscheduler(0, (above ? SCHED_FIFO : SCHED_OTHER) | SCHED_RESET_ON_FORK,
				 &param); /* without the right */
}

static int watch_it(struct watch *w, pid_t pid, struct pipes *at, struct command_outcome *o)
{
	uint64_t missed = watch__lost(w), switches, turns;
	uint32_t generation;
	int err = wait_asleep(pid);

	if (!err)
		err = watch__enrol(w, LANE, pid, WATCH_TREE, &generation);
	if (err)
		return err;
	switches = process_switches(pid);
	turns = turns_of(pid);
	close_both(at->start); /* the competitor's end must be the last one */
	close_both(at->finished);
	at->start[0] = at->start[1] = at->finished[0] = at->finished[1] = -1;
	if (write(at->park[1], "", 1) != 1)
		return -EPIPE;
	set_priority(true);
	err = read_outcome(w, pid, o);
	set_priority(false);
	o->missed_cnt = watch__lost(w) - missed;
	o->switches_cnt -= switches;
	o->turns_cnt -= turns;
	o->usage_switches_cnt -= switches;
	return err;
}

static void end(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

int command_run(struct watch *w, const struct command_proof *p, struct command_outcome *ret)
{
	struct pipes at = {{-1, -1}, {-1, -1}, {-1, -1}};
	pid_t pid, other = 0;
	int err;

	memset(ret, 0, sizeof(*ret));
	pin(allowed_cpus[0]);
	if (pipe2(at.park, O_CLOEXEC) || pipe2(at.start, O_CLOEXEC) ||
	    pipe2(at.finished, O_CLOEXEC))
		return -errno;
	if (p->compete) {
		other = fork();
		if (!other)
			competitor(p, &at);
	}
	pid = fork();
	if (!pid)
		start_command(p, &at);
	err = pid < 0 || other < 0 ? -EAGAIN : watch_it(w, pid, &at, ret);
	if (err)
		end(pid);
	end(other);
	close_both(at.park);
	close_both(at.start);
	close_both(at.finished);
	return err;
}

_Noreturn void command_main(const char *name)
{
	for (size_t i = 0; i < command_proofs_cnt; i++)
		if (!strcmp(command_proofs[i].name, name)) {
			command_proofs[i].run();
			_exit(0);
		}
	_exit(1);
}

/* ---- what must be seen */

#define WRONG(...) (snprintf(why, 256, __VA_ARGS__), why)

static uint64_t entries(const struct command_outcome *o, enum interference_state state)
{
	return o->record.sum.entries_cnt[state];
}

static uint64_t switches(const struct command_outcome *o)
{
	return entries(o, INTERFERENCE_BLOCKED) + entries(o, INTERFERENCE_PREEMPTED);
}

/* All waiting is somebody's, or nobody's by name. */
static const char *check_bill(const struct command_outcome *o, char why[static 256])
{
	uint64_t billed = o->unknown_ns + o->record.sum.wake_idle_ns;
	uint64_t waited = joust_interference_waiting_ns(&o->record.sum);

	for (size_t i = 0; i < o->preemptors_cnt; i++)
		billed += o->preemptor[i].time_ns;
	return billed == waited ? NULL : WRONG("%lu ns billed, %lu ns waited", billed, waited);
}

/*
 * One process: its counts are in /proc until it is waited for. Each switch after its end is in both,
 * and so is each turn, but for those that follow a switch after its end.
 */
static const char *check_one(const struct command_outcome *o, char why[static 256])
{
	uint64_t ended = entries(o, INTERFERENCE_ENDED), late = o->record.sum.late_cnt;

	if (o->record.threads_cnt != 1 || ended != 1 || !late || o->record.running_cnt)
		return WRONG("%u threads, %lu ended, %u running", o->record.threads_cnt, ended,
			     o->record.running_cnt);
	if (switches(o) + late != o->switches_cnt)
		return WRONG("%lu switches and %lu after its end, /proc says %lu", switches(o),
			     late, o->switches_cnt);
	if (entries(o, INTERFERENCE_RUNNING) + late - 1 != o->turns_cnt)
		return WRONG("%lu turns and %lu after its end, schedstat says %lu",
			     entries(o, INTERFERENCE_RUNNING), late - 1, o->turns_cnt);
	return check_bill(o, why);
}

static const char *check_sleep(const struct command_outcome *o, char why[static 256])
{
	/* A time that is over before the thread sleeps is no sleep: the machine may stand still. */
	if (entries(o, INTERFERENCE_BLOCKED) < SLEEPS / 2)
		return WRONG("%d sleeps, %lu seen", SLEEPS, entries(o, INTERFERENCE_BLOCKED));
	return check_one(o, why);
}

static const struct watch_preemptor *find(const struct command_outcome *o, const char *comm,
					  uint32_t pid)
{
	for (size_t i = 0; i < o->preemptors_cnt; i++)
		if (comm ? !strcmp(o->preemptor[i].comm, comm) : o->preemptor[i].pid == pid)
			return &o->preemptor[i];
	return NULL;
}

static const char *check_hog(const struct command_outcome *o, char why[static 256])
{
	if (!find(o, "competitor", 0))
		return WRONG("the hog is not among %zu preemptors", o->preemptors_cnt);
	if (find(o, NULL, WATCH_OWN_PID))
		return WRONG("it waited for itself");
	return check_one(o, why);
}

/*
 * wait4 has the switches after their end of those that were waited for late, and not of threads. Of
 * its own CPU a child waits for others of its family.
 */
static const char *check_family(const struct command_outcome *o, char why[static 256])
{
	uint64_t all = 1 + CHILDREN * (1 + THREADS), ended = entries(o, INTERFERENCE_ENDED);
	uint64_t late = o->record.sum.late_cnt;

	if (o->record.threads_cnt != all || ended != all || o->record.running_cnt)
		return WRONG("%lu threads, %u seen, %lu ended, %u running", all,
			     o->record.threads_cnt, ended, o->record.running_cnt);
	if (o->usage_switches_cnt < switches(o) || o->usage_switches_cnt > switches(o) + late)
		return WRONG("%lu switches and %lu after their ends, wait4 says %lu", switches(o),
			     late, o->usage_switches_cnt);
	if (!find(o, NULL, WATCH_OWN_PID))
		return WRONG("none waited for another one of them");
	return check_bill(o, why);
}

const struct command_proof command_proofs[] = {
	{.name = "switches and turns of a command are the kernel's",
	 .run = run_sleep,
	 .check = check_sleep},
	{.name = "a hog beside a command is named",
	 .run = run_contended,
	 .compete = compete_hog,
	 .check = check_hog},
	{.name = "children and threads of a command are all seen",
	 .run = run_family,
	 .check = check_family},
};
const size_t command_proofs_cnt = sizeof(command_proofs) / sizeof(command_proofs[0]);
