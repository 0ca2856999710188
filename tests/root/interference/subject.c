/* SPDX-License-Identifier: BSD-2-Clause */
#include "subject.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LANE	 3
#define READINGS 16
#define LOOKS	 4

int allowed_cpus[2] = {-1, -1};
uint64_t switch_ns = 1000;

struct meters {
	const struct interference_lane *lane;
	int status, schedstat, clock, switches, migrations;
	int who; /* of getrusage */
};

uint64_t now_of(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t); /* always there */
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void find_cpus(void)
{
	cpu_set_t set;
	int found = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		abort();
	for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			allowed_cpus[found++] = cpu;
}

void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		abort();
}

static int perf_open(uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = config};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t perf_value(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static uint64_t number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : UINT64_MAX;
}

void status_switches(int fd, uint64_t *ret_voluntary, uint64_t *ret_involuntary)
{
	char text[4096] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		abort();
	*ret_voluntary = number_after(text, "\nvoluntary_ctxt_switches:");
	*ret_involuntary = number_after(text, "nonvoluntary_ctxt_switches:");
}

uint64_t process_switches(pid_t pid)
{
	uint64_t voluntary, involuntary;
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid); /* fits */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	status_switches(fd, &voluntary, &involuntary);
	(void)close(fd); /* only read */
	return voluntary + involuntary;
}

static void read_proc(const struct meters *m, struct instant *i)
{
	char text[64] = "";

	status_switches(m->status, &i->status_vol, &i->status_invol);
	i->schedstat_run = i->schedstat_wait = 0;
	if (m->schedstat >= 0 && pread(m->schedstat, text, sizeof(text) - 1, 0) > 0)
		(void)sscanf(text, "%lu %lu", &i->schedstat_run, &i->schedstat_wait);
}

static uint64_t switches_of(const struct interference_reading *r)
{
	return r->sum.entries_cnt[INTERFERENCE_RUNNING] + r->threads_cnt;
}

/* Everything again until no switch came between. */
static int read_once(const struct meters *m, uint32_t generation, struct instant *ret)
{
	struct interference_reading again;
	struct rusage u;
	uint64_t from_ns;
	int err;

	do {
		read_proc(m, ret);
		from_ns = now_of(CLOCK_MONOTONIC);
		ret->perf_clock_ns = perf_value(m->clock);
		ret->perf_switches = perf_value(m->switches);
		ret->perf_migrations = perf_value(m->migrations);
		if (getrusage(m->who, &u))
			return -errno;
		ret->thread_ns = now_of(CLOCK_THREAD_CPUTIME_ID);
		ret->wall_ns = now_of(CLOCK_MONOTONIC);
		err = joust_interference_read_own(m->lane, generation, ret->wall_ns, &ret->record);
		if (err)
			return err;
		ret->width_ns = now_of(CLOCK_MONOTONIC) - from_ns;
		read_proc(m, ret);
		if (getrusage(m->who, &u))
			return -errno;
		err = joust_interference_read(m->lane, generation, now_of(CLOCK_MONOTONIC), &again);
		if (err)
			return err;
	} while (switches_of(&again) != switches_of(&ret->record) ||
		 ret->perf_switches != perf_value(m->switches));
	ret->voluntary = (uint64_t)u.ru_nvcsw;
	ret->involuntary = (uint64_t)u.ru_nivcsw;
	return 0;
}

/*
 * A machine that stands still between two of the readings puts them apart, and no counter tells: the
 * closest of some.
 */
static int read_all(const struct meters *m, uint32_t generation, struct instant *ret)
{
	static uint64_t naps; /* a subject has one thread that reads */
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		struct instant once;
		int err = read_once(m, generation, &once);

		/* Nobody saw it come; it is known again when it has left once. */
		if (err == -ENODATA && i < READINGS - 1) {
			naps++;
			(void)usleep(1000);
			continue;
		}
		if (err)
			return err;
		if (once.width_ns >= narrowest)
			continue;
		narrowest = once.width_ns;
		*ret = once;
		ret->naps = naps;
	}
	return 0;
}

static struct meters meters_open(int lane_fd, bool process)
{
	struct meters m = {
		.lane = joust_interference_map(lane_fd),
		.status = open("/proc/thread-self/status", O_RDONLY),
		.schedstat = open("/proc/thread-self/schedstat", O_RDONLY),
		.clock = perf_open(PERF_COUNT_SW_TASK_CLOCK),
		.switches = perf_open(PERF_COUNT_SW_CONTEXT_SWITCHES),
		.migrations = perf_open(PERF_COUNT_SW_CPU_MIGRATIONS),
		.who = process ? RUSAGE_SELF : RUSAGE_THREAD,
	};

	if (!m.lane || m.status < 0 || m.clock < 0 || m.switches < 0 || m.migrations < 0)
		abort();
	return m;
}

/* The thread clock less task-clock, of the readings that are the closest together. */
static int64_t ahead_of(const struct meters *m)
{
	uint64_t narrowest = UINT64_MAX;
	int64_t ahead_ns = 0;

	for (int i = 0; i < LOOKS; i++) {
		uint64_t from_ns = now_of(CLOCK_MONOTONIC);
		uint64_t perf_ns = perf_value(m->clock);
		uint64_t thread_ns = now_of(CLOCK_THREAD_CPUTIME_ID);
		uint64_t width_ns = now_of(CLOCK_MONOTONIC) - from_ns;

		if (width_ns >= narrowest)
			continue;
		narrowest = width_ns;
		ahead_ns = (int64_t)(thread_ns - perf_ns);
	}
	return ahead_ns;
}

static uint64_t turns_of(const struct stage *s)
{
	struct interference_reading r;

	if (joust_interference_read(s->lane, s->generation, now_of(CLOCK_MONOTONIC), &r))
		return s->turns_cnt;
	return r.sum.entries_cnt[INTERFERENCE_RUNNING];
}

static void add_movement(struct stage *s, int64_t ahead_ns)
{
	s->moved_ns += (uint64_t)llabs(ahead_ns - s->ahead_ns);
	s->ahead_ns = ahead_ns;
}

void stage_look(struct stage *s)
{
	uint64_t turns = turns_of(s);

	if (turns == s->turns_cnt)
		return;
	add_movement(s, ahead_of(s->meters));
	s->turns_cnt = turns;
}

/* The subject: parked before and after, so that it is enrolled and read at rest. */
static void subject(const struct proof *p, struct stage *s, int lane_fd, const int park[2])
{
	struct meters m;
	char byte = 0;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(allowed_cpus[0]);
	m = meters_open(lane_fd, p->process);
	if (write(park[1], &byte, 1) != 1 || read(park[1], &byte, 1) != 1)
		_exit(1);
	s->lane = m.lane;
	s->meters = &m;
	s->read_err = read_all(&m, s->generation, &s->before);
	if (!s->read_err) {
		s->turns_cnt = s->before.record.sum.entries_cnt[INTERFERENCE_RUNNING];
		s->ahead_ns = (int64_t)(s->before.thread_ns - s->before.perf_clock_ns);
		p->work(s);
		s->read_err = read_all(&m, s->generation, &s->after);
		add_movement(s, (int64_t)(s->after.thread_ns - s->after.perf_clock_ns));
	}
	if (write(park[1], &byte, 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

static void competitor(const struct proof *p, struct stage *s)
{
	struct sched_param high = {.sched_priority = 10};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_NAME, "competitor");
	pin(allowed_cpus[0]);
	if (p->realtime && sched_setscheduler(0, SCHED_FIFO, &high))
		_exit(1);
	p->compete(s);
	for (;;)
		(void)pause();
}

static uint64_t minus(uint64_t to, uint64_t from)
{
	return to - from;
}

static void difference(struct outcome *o, const struct stage *s)
{
	const struct instant *from = &s->before, *to = &s->after;
	struct instant *d = &o->diff;

	joust_interference_diff(&d->record.sum, &from->record.sum, &to->record.sum);
	o->threads_cnt = to->record.threads_cnt - from->record.threads_cnt;
	d->record.unwatched_cnt = to->record.unwatched_cnt;
	d->width_ns = from->width_ns + to->width_ns;
	d->wall_ns = minus(to->wall_ns, from->wall_ns);
	d->thread_ns = minus(to->thread_ns, from->thread_ns);
	d->voluntary = minus(to->voluntary, from->voluntary);
	d->involuntary = minus(to->involuntary, from->involuntary);
	d->naps = minus(to->naps, from->naps);
	d->status_vol = minus(to->status_vol, from->status_vol);
	d->status_invol = minus(to->status_invol, from->status_invol);
	d->schedstat_run = minus(to->schedstat_run, from->schedstat_run);
	d->schedstat_wait = minus(to->schedstat_wait, from->schedstat_wait);
	d->perf_clock_ns = minus(to->perf_clock_ns, from->perf_clock_ns);
	d->perf_switches = minus(to->perf_switches, from->perf_switches);
	d->perf_migrations = minus(to->perf_migrations, from->perf_migrations);
	o->known = s->known;
	o->moved_ns = s->moved_ns;
}

static void end(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(pid, SIGKILL); /* it is our child, not reaped yet */
	(void)waitpid(pid, NULL, 0);
}

/* 0: it is gone. */
static char state_of(pid_t pid)
{
	char path[64], text[512];
	const char *at = NULL;
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid); /* fits */
	f = fopen(path, "re");
	if (f && fgets(text, sizeof(text), f))
		at = strrchr(text, ')');
	if (f)
		(void)fclose(f); /* only read */
	return at ? at[2] : 0;
}

bool is_asleep(pid_t pid)
{
	return state_of(pid) == 'S';
}

int wait_asleep(pid_t pid)
{
	for (char state; (state = state_of(pid)) != 'S';) {
		if (!state || state == 'Z')
			return -ECHILD;
		(void)sched_yield();
	}
	return 0;
}

/* Until the record says that the subject's first thread has left for good: it may be preempted on its
 * way into its sleep. Not for ever: the event may be one that is not delivered. */
static void wait_blocked(const struct watch *w)
{
	struct interference_row row = {.state = INTERFERENCE_UNSEEN};

	for (int i = 0; i < 50000 && row.state != INTERFERENCE_BLOCKED; i++) {
		(void)usleep(100);
		if (watch__thread(w, LANE, 0, &row))
			return;
	}
}

/* Enrols the parked subject, lets it work, and reads what the engine alone can see. */
static int watch_it(struct watch *w, const struct proof *p, pid_t pid, int park, struct stage *s,
		    struct outcome *o)
{
	uint64_t missed = watch__lost(w);
	char byte;
	int err;

	if (read(park, &byte, 1) != 1)
		return -EPIPE;
	err = wait_asleep(pid);
	if (err)
		return err;
	err = watch__enrol(w, LANE, pid, p->tree ? WATCH_TREE : WATCH_PROCESS, &s->generation);
	if (err)
		return err;
	if (write(park, &byte, 1) != 1 || read(park, &byte, 1) != 1)
		return -EPIPE;
	wait_blocked(w);
	o->missed_cnt = watch__lost(w) - missed;
	err = watch__read(w, LANE, &o->total);
	if (err)
		return err;
	err = watch__take_preemptors(w, LANE, o->preemptor, PREEMPTORS, &o->preemptors_cnt,
				     &o->unknown_ns);
	return err ? err : s->read_err;
}

static int run_with(struct watch *w, const struct proof *p, struct stage *s, struct outcome *o)
{
	int park[2], err;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, park) || pipe(s->start))
		return -errno;
	pid = fork();
	if (!pid) {
		(void)close(park[0]);
		subject(p, s, watch__lane_fd(w, LANE), park);
	}
	(void)close(park[1]);
	if (p->compete && pid > 0) {
		o->competitor = fork();
		if (!o->competitor)
			competitor(p, s);
	}
	err = pid < 0 || o->competitor < 0 ? -EAGAIN : 0;
	s->competitor = o->competitor;
	if (!err && o->competitor)
		err = wait_asleep(o->competitor);
	if (!err)
		err = watch_it(w, p, pid, park[0], s, o);
	end(pid);
	end(o->competitor);
	(void)close(park[0]);
	(void)close(s->start[0]);
	(void)close(s->start[1]);
	return err;
}

int subject_run(struct watch *w, const struct proof *p, struct outcome *ret)
{
	struct stage *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int err;

	memset(ret, 0, sizeof(*ret));
	if (s == MAP_FAILED)
		return -errno;
	err = run_with(w, p, s, ret);
	if (!err)
		difference(ret, s);
	(void)munmap(s, sizeof(*s));
	return err;
}
