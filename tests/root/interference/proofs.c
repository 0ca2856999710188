/* SPDX-License-Identifier: BSD-2-Clause */
/* The known things that a subject does, each with a prime number of events, and what must be seen. */
#include "subject.h"
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLEEPS	   997
#define HOPS	   997
#define YIELDS	   499
#define MOVES	   199
#define BURSTS	   53
#define THREADS	   997
#define SPIN_NS	   100000000u
#define BURST_NS   1000000u
#define HOG_ROUNDS 11

static bool is_set(const uint32_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(uint32_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

/* The subject lets its competitor go, who has slept until now. */
static void start(struct stage *s)
{
	if (write(s->start[1], "", 1) != 1)
		abort();
}

static void wait_for_start(struct stage *s)
{
	char byte;

	if (read(s->start[0], &byte, 1) != 1)
		abort();
	set(&s->running);
}

static void nap(uint64_t ns)
{
	struct timespec t = {.tv_nsec = (long)ns};

	(void)nanosleep(&t, NULL);
}

/* Until this thread has had so much CPU time: the same work on an idle and on a busy machine. */
static void spin(clockid_t clock, uint64_t ns)
{
	uint64_t end = now_of(clock) + ns;

	while (now_of(clock) < end) {
	}
}

/* ---- work and competition */

static void work_sleep(struct stage *s)
{
	for (int i = 0; i < SLEEPS; i++)
		nap(50000);
	s->known = SLEEPS;
}

static void work_spin(struct stage *s)
{
	(void)s;
	spin(CLOCK_THREAD_CPUTIME_ID, SPIN_NS);
}

static void work_contended(struct stage *s)
{
	start(s);
	while (!is_set(&s->finished))
		stage_look(s);
}

static void work_move(struct stage *s)
{
	for (int i = 0; i < MOVES; i++)
		pin(allowed_cpus[(i + 1) % 2]);
	s->known = MOVES;
}

static void work_yield(struct stage *s)
{
	start(s);
	while (!is_set(&s->running))
		(void)sched_yield();
	for (int i = 0; i < YIELDS; i++)
		(void)sched_yield();
	s->known = YIELDS;
}

static void compete_yield(struct stage *s)
{
	wait_for_start(s);
	for (;;)
		(void)sched_yield();
}

static void echo(int fd)
{
	char byte;

	while (read(fd, &byte, 1) == 1 && write(fd, &byte, 1) == 1) {
	}
	_exit(0);
}

static void work_hop(struct stage *s)
{
	int ends[2];
	char byte = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		abort();
	pid = fork();
	if (!pid) {
		(void)close(ends[0]);
		echo(ends[1]);
	}
	(void)close(ends[1]);
	for (int i = 0; i < HOPS; i++)
		if (write(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
			abort();
	(void)close(ends[0]);
	(void)waitpid(pid, NULL, 0);
	s->known = HOPS;
}

/* How often its competitor left the CPU; each time it had been there instead of the subject. */
static void work_preempted(struct stage *s)
{
	uint64_t before = process_switches(s->competitor);

	start(s);
	while (!is_set(&s->finished) || !is_asleep(s->competitor)) {
	}
	s->known = process_switches(s->competitor) - before;
}

/*
 * With a priority above the subject's: each burst takes the CPU away from it. Not always once: a
 * time that is over before it sleeps is no sleep, and who stands above both may cut a burst in two.
 */
static void compete_burst(struct stage *s)
{
	wait_for_start(s);
	for (int i = 0; i < BURSTS; i++) {
		if (i)
			nap(2000000);
		spin(CLOCK_THREAD_CPUTIME_ID, BURST_NS); /* its own: others may preempt it, too */
	}
	set(&s->finished);
}

/* The subject works until this has had its share, which may take long where others want the CPU. */
static void compete_hog(struct stage *s)
{
	wait_for_start(s);
	for (int i = 0; i < HOG_ROUNDS; i++) {
		spin(CLOCK_THREAD_CPUTIME_ID, 5000000);
		nap(1000000);
	}
	set(&s->finished);
}

static void *nothing(void *arg)
{
	return arg;
}

/* Whoever is joined has not left its CPU for the last time yet. */
static void wait_ended(const struct stage *s, uint64_t cnt)
{
	struct interference_reading r = {.threads_cnt = 0};

	for (int i = 0; i < 50000 && r.sum.entries_cnt[INTERFERENCE_ENDED] < cnt; i++) {
		nap(100000);
		if (joust_interference_read(s->lane, 0, now_of(CLOCK_MONOTONIC), &r))
			abort();
	}
}

static void work_threads(struct stage *s)
{
	pthread_t t;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t, NULL, nothing, NULL) || pthread_join(t, NULL))
			abort();
	wait_ended(s, THREADS);
	s->known = THREADS;
}

/* More at once than there are rows: the rest is shared. */
static void *wait_and_spin(void *arg)
{
	(void)pthread_barrier_wait(arg);
	spin(CLOCK_THREAD_CPUTIME_ID, 200000);
	return NULL;
}

#define CROWD 61

static void work_crowd(struct stage *s)
{
	pthread_barrier_t barrier;
	pthread_t t[CROWD];

	(void)pthread_barrier_init(&barrier, NULL, CROWD); /* cannot fail for this count */
	for (int i = 0; i < CROWD; i++)
		if (pthread_create(&t[i], NULL, wait_and_spin, &barrier))
			abort();
	for (int i = 0; i < CROWD; i++)
		(void)pthread_join(t[i], NULL);
	wait_ended(s, CROWD);
	s->known = CROWD;
}

/*
 * Processes one after the other whose numbers all share one place of the table of threads, which has
 * room for four: whoever is gone must have left its place. Without the right to choose numbers they
 * have those that they get, and only that all are seen is proved.
 */
#define PROCESSES  23
#define SAME_PLACE 1024 /* numbers that are so far apart share a place (bpf/watch_private.h) */
#define FIRST_PID  5000
#define PID_TRIES  400

static pid_t fork_as(pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number, .set_tid_size = 1};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

static void work_processes(struct stage *s)
{
	int born = 0;

	for (int i = 0; i < PID_TRIES && born < PROCESSES; i++) {
		pid_t pid = fork_as(FIRST_PID + i % (PROCESSES + 3) * SAME_PLACE);

		if (pid < 0 && errno == EEXIST)
			continue; /* somebody has that number */
		if (pid < 0)
			pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			abort();
		born++;
	}
	wait_ended(s, (uint64_t)born);
	s->known = (uint64_t)born;
}

/* ---- what must be seen */

static uint64_t entries(const struct outcome *o, enum interference_state state)
{
	return o->diff.record.sum.entries_cnt[state];
}

static uint64_t time_of(const struct outcome *o, enum interference_state state)
{
	return o->diff.record.sum.time_ns[state];
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

#define WRONG(...) (snprintf(why, 256, __VA_ARGS__), why)

/* Both kinds of switches, beside all who count them; and the states fill the window. */
static const char *check_switches(const struct outcome *o, char why[static 256])
{
	uint64_t voluntary = entries(o, INTERFERENCE_BLOCKED);
	uint64_t involuntary = entries(o, INTERFERENCE_PREEMPTED), sum_ns = 0;

	if (voluntary + involuntary != o->diff.status_vol + o->diff.status_invol)
		return WRONG("%lu switches, /proc says %lu", voluntary + involuntary,
			     o->diff.status_vol + o->diff.status_invol);
	if (apart(voluntary, o->diff.voluntary) > entries(o, INTERFERENCE_BLOCKED) / 100 + 1)
		return WRONG("%lu voluntary, getrusage says %lu", voluntary, o->diff.voluntary);
	if (voluntary + involuntary != o->diff.perf_switches)
		return WRONG("%lu switches, perf says %lu", voluntary + involuntary,
			     o->diff.perf_switches);
	for (int i = INTERFERENCE_RUNNING; i < INTERFERENCE_ENDED; i++)
		sum_ns += time_of(o, i);
	if (sum_ns != o->diff.wall_ns)
		return WRONG("%lu ns in all states, %lu ns have passed", sum_ns, o->diff.wall_ns);
	return NULL;
}

static const char *check_sleep(const struct outcome *o, char why[static 256])
{
	uint64_t seen = entries(o, INTERFERENCE_BLOCKED);

	/* A time that is over before the thread sleeps is no sleep: the machine may stand still. */
	if (seen > o->known + o->diff.naps || seen < o->known / 2)
		return WRONG("%lu sleeps, %lu seen", o->known, seen);
	return check_switches(o, why);
}

static const char *check_at_least(const struct outcome *o, char why[static 256])
{
	uint64_t seen = entries(o, INTERFERENCE_BLOCKED) + entries(o, INTERFERENCE_PREEMPTED);

	if (!seen)
		return WRONG("%lu events, %lu switches", o->known, seen);
	return check_switches(o, why);
}

static uint64_t tolerance(const struct outcome *o, uint64_t ns, uint64_t part)
{
	return ns / part + switch_ns * (o->diff.voluntary + o->diff.involuntary + 1);
}

/* Between the two clocks of the kernel, which differ themselves: 0.1 % and the switches. */
static const char *check_time(const struct outcome *o, char why[static 256])
{
	uint64_t running = time_of(o, INTERFERENCE_RUNNING), low = o->diff.perf_clock_ns;
	uint64_t high = o->diff.thread_ns, slack = tolerance(o, high, 1000) + o->diff.width_ns;

	if (low > high) {
		low = o->diff.thread_ns;
		high = o->diff.perf_clock_ns;
	}
	if (running + slack < low || running > high + slack)
		return WRONG("%lu ns running, task-clock %lu, thread clock %lu, slack %lu", running,
			     o->diff.perf_clock_ns, o->diff.thread_ns, slack);
	return check_switches(o, why);
}

/*
 * The scheduler reads its clock first and the programs read theirs later in the same switch. A machine
 * that stands still between the two, as emulators do, puts that time to the state before for the one and
 * to the state after for the other: the sum of both states shows none of it. By how much it moves
 * between them is what the kernel's two clocks say of it, turn by turn: they lie around the programs.
 * Taken over all turns they say too little: one moves time this way and the next one that way.
 */
static const char *check_wait(const struct outcome *o, char why[static 256])
{
	uint64_t waited = joust_interference_disturbed_ns(&o->diff.record.sum);
	uint64_t busy = waited + time_of(o, INTERFERENCE_RUNNING);
	uint64_t kernel_busy = o->diff.schedstat_wait + o->diff.thread_ns;
	uint64_t slack = tolerance(o, o->diff.schedstat_wait, 50);

	if (apart(busy, kernel_busy) > slack + o->diff.width_ns)
		return WRONG("%lu ns waited or running, the scheduler says %lu, slack %lu", busy,
			     kernel_busy, slack + o->diff.width_ns);
	if (apart(waited, o->diff.schedstat_wait) > slack + o->moved_ns)
		return WRONG("%lu ns waited, schedstat says %lu, slack %lu", waited,
			     o->diff.schedstat_wait, slack + o->moved_ns);
	return check_switches(o, why);
}

static const char *check_move(const struct outcome *o, char why[static 256])
{
	uint64_t seen = o->diff.record.sum.migrations_cnt;

	if (seen != o->known || seen != o->diff.perf_migrations)
		return WRONG("%lu moves, %lu seen, %lu by perf", o->known, seen,
			     o->diff.perf_migrations);
	return check_switches(o, why);
}

static const struct watch_preemptor *competitor_of(const struct outcome *o)
{
	for (size_t i = 0; i < o->preemptors_cnt; i++)
		if (!strcmp(o->preemptor[i].comm, "competitor"))
			return &o->preemptor[i];
	return NULL;
}

static const char *check_preempted(const struct outcome *o, char why[static 256])
{
	const struct watch_preemptor *p = competitor_of(o);

	if (!p)
		return WRONG("the competitor is not among %zu preemptors", o->preemptors_cnt);
	if (p->cnt != o->known)
		return WRONG("preempted %lu times, %u seen", o->known, p->cnt);
	if (p->time_ns + o->unknown_ns < BURSTS * BURST_NS)
		return WRONG("%lu ns by the competitor, it took at least %u", p->time_ns,
			     BURSTS * BURST_NS);
	return check_switches(o, why);
}

static const char *check_hog(const struct outcome *o, char why[static 256])
{
	uint64_t billed = o->unknown_ns + o->total.sum.wake_idle_ns;
	uint64_t waited = joust_interference_waiting_ns(&o->total.sum);

	if (!competitor_of(o))
		return WRONG("the hog is not among %zu preemptors", o->preemptors_cnt);
	for (size_t i = 0; i < o->preemptors_cnt; i++)
		billed += o->preemptor[i].time_ns;
	if (billed != waited)
		return WRONG("%lu ns billed, %lu ns waited", billed, waited);
	return check_wait(o, why);
}

static const char *check_threads(const struct outcome *o, char why[static 256])
{
	uint64_t seen = entries(o, INTERFERENCE_BLOCKED) + entries(o, INTERFERENCE_PREEMPTED);

	if (o->threads_cnt != o->known || entries(o, INTERFERENCE_ENDED) != o->known)
		return WRONG("%lu threads, %u born, %lu ended", o->known, o->threads_cnt,
			     entries(o, INTERFERENCE_ENDED));
	if (seen != o->diff.voluntary + o->diff.involuntary)
		return WRONG("%lu switches, getrusage says %lu", seen,
			     o->diff.voluntary + o->diff.involuntary);
	return NULL;
}

static const char *check_crowd(const struct outcome *o, char why[static 256])
{
	uint64_t running = time_of(o, INTERFERENCE_RUNNING);

	if (running < o->known * 200000)
		return WRONG("%lu ns running, %lu threads had 200000 each", running, o->known);
	return check_threads(o, why);
}

static const char *check_processes(const struct outcome *o, char why[static 256])
{
	if (o->known < PROCESSES)
		return WRONG("only %lu numbers of processes were free", o->known);
	if (o->threads_cnt != o->known || entries(o, INTERFERENCE_ENDED) != o->known)
		return WRONG("%lu processes, %u born, %lu ended", o->known, o->threads_cnt,
			     entries(o, INTERFERENCE_ENDED));
	return NULL;
}

const struct proof proofs[] = {
	{.name = "sleeps are voluntary switches", .work = work_sleep, .check = check_sleep},
	{.name = "running is the task clock", .work = work_spin, .check = check_time},
	{.name = "yields are involuntary switches",
	 .work = work_yield,
	 .compete = compete_yield,
	 .check = check_at_least},
	{.name = "hops through a pipe are switches", .work = work_hop, .check = check_at_least},
	{.name = "moves are migrations", .work = work_move, .check = check_move, .other_cpu = true},
	{.name = "a preemptor is named, once for each time",
	 .work = work_preempted,
	 .compete = compete_burst,
	 .check = check_preempted,
	 .realtime = true},
	{.name = "a hog is named, and waiting is the run queue's",
	 .work = work_contended,
	 .compete = compete_hog,
	 .check = check_hog},
	{.name = "threads that are gone at once are all seen",
	 .work = work_threads,
	 .check = check_threads,
	 .process = true},
	{.name = "more threads than rows have an exact sum",
	 .work = work_crowd,
	 .check = check_crowd,
	 .process = true},
	{.name = "processes that it starts are followed, and leave their place",
	 .work = work_processes,
	 .check = check_processes,
	 .tree = true},
};
const size_t proofs_cnt = sizeof(proofs) / sizeof(proofs[0]);
