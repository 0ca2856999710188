/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the kernel refuses counters, made to happen, and what joust calls it: engine/host/perf.h and
 * perf_probe.h. As root; the user without rights is nobody. With a PMU and without.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "count.h"
#include "loop.h"
#include "tap.h"

#define PARANOID    "/proc/sys/kernel/perf_event_paranoid"
#define NOBODY	    65534
#define TRIPS	    1000000
#define OWN_GROUPS  16
#define SPIN_ROUNDS 50 /* each some ms of the guest: the kernel rotates groups with its tick */

static const struct perf_event_spec instructions = {
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_INSTRUCTIONS,
	.user_only = true,
};

/* The `reason` that a test finds, in a process of nobody; the kernel looks at its owner. */
static enum reason as_nobody(enum reason (*test)(void))
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		tap_die("fork");
	if (pid == 0) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(REASON_CNT);
		_exit((int)test());
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return REASON_CNT;
	return (enum reason)WEXITSTATUS(status);
}

static const char *name_of(enum reason why)
{
	if (why == REASON_NONE)
		return "none";
	return why < REASON_CNT ? reason_get(why)->name : "a broken test";
}

static void tap_reason(enum reason got, enum reason want, const char *name)
{
	if (!tap_ok(got == want, "%s: %s", name, name_of(want)))
		tap_note("got: %s", name_of(got));
}

static void levels_of_paranoia(enum reason with_pmu)
{
	static const struct {
		const char *level;
		bool hw, sw; /* open to nobody */
	} levels[] = {
		/* 3 is Debian's own: nothing at all */
		{"3", false, false},
		{"2", true, false},
		{"1", true, true},
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		char name[64];

		count_set(PARANOID, levels[i].level);
		(void)snprintf(name, sizeof(name), "level %s, nobody, hardware", levels[i].level);
		tap_reason(as_nobody(perf_hw_available),
			   levels[i].hw ? with_pmu : REASON_PERF_FORBIDDEN, name);
		(void)snprintf(name, sizeof(name), "level %s, nobody, software", levels[i].level);
		tap_reason(as_nobody(perf_self_test),
			   levels[i].sw ? REASON_NONE : REASON_PERF_FORBIDDEN, name);
		(void)snprintf(name, sizeof(name), "level %s, root, software", levels[i].level);
		tap_reason(perf_self_test(), REASON_NONE, name);
	}
	count_set(PARANOID, "3");
}

/* Of nobody, so that nobody's other processes could look at it were it not protected. */
static enum reason look_at_a_protected_process(void)
{
	enum reason why = REASON_NONE;
	struct perf_group g;
	char byte = 0;
	int up[2], down[2];
	pid_t pid;

	if (pipe(up) || pipe(down) || (pid = fork()) < 0)
		return REASON_CNT;
	if (pid == 0) {
		close(down[1]);
		if (prctl(PR_SET_DUMPABLE, 0) || write(up[1], "u", 1) != 1)
			_exit(1);
		_exit(read(down[0], &byte, 1) < 0);
	}
	if (read(up[0], &byte, 1) != 1)
		return REASON_CNT;
	if (!perf_group__open_sw(&g, pid, &why))
		perf_group__close(&g);
	else
		why = perf_explain("", why, pid);
	close(down[1]);
	(void)waitpid(pid, NULL, 0);
	return why;
}

static void a_protected_process(void)
{
	count_set(PARANOID, "1");
	tap_reason(as_nobody(look_at_a_protected_process), REASON_NOT_DUMPABLE,
		   "a process that may not be looked at");
	count_set(PARANOID, "3");
}

static void a_process_that_is_gone(void)
{
	struct perf_group g;
	enum reason why;
	pid_t pid = fork();

	if (pid < 0)
		tap_die("fork");
	if (pid == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
	tap_equal((unsigned)-perf_group__open_sw(&g, pid, &why), ESRCH, "a process that is gone");
}

static int lowest_free(void)
{
	int fd = dup(0);

	if (fd < 0)
		tap_die("dup");
	close(fd);
	return fd;
}

/* The limit is put so that the n-th event finds no descriptor: n groups must fail, none may leak. */
static void no_descriptor_left(int (*open)(struct perf_group *, pid_t, enum reason *), int events,
			       const char *what)
{
	struct rlimit old, now;
	int first = lowest_free(), refused = 0;
	struct perf_group g;
	enum reason why = REASON_NONE;

	if (getrlimit(RLIMIT_NOFILE, &old))
		tap_die("RLIMIT_NOFILE");
	for (int n = 0; n < events; n++) {
		now = (struct rlimit){(rlim_t)(first + n), old.rlim_max};
		if (setrlimit(RLIMIT_NOFILE, &now))
			tap_die("RLIMIT_NOFILE");
		refused += open(&g, 0, &why) == -EMFILE && why == REASON_PERF_FILES;
	}
	if (setrlimit(RLIMIT_NOFILE, &old))
		tap_die("RLIMIT_NOFILE");
	tap_equal((unsigned)refused, (unsigned)events, "%s: no descriptor for the n-th event",
		  what);
	tap_equal((unsigned)lowest_free(), (unsigned)first, "%s: none was lost", what);
	if (tap_ok(open(&g, 0, &why) == 0, "%s: opens when there are some", what))
		perf_group__close(&g);
}

static void counters_that_others_took(void)
{
	int fd[COUNT_CPU_EVENTS];
	struct perf_group g;
	struct perf_reading r;

	count_open(&g, 0);
	count_read(&g, &r);
	count_take_cpu0(fd);
	loop_spin(TRIPS);
	tap_equal((unsigned)-perf_group__read(&g, &r), EBUSY,
		  "a group that lost its counters reads as EBUSY, not as 0");
	tap_reason(perf_hw_available(), REASON_PERF_BUSY, "all counters taken");
	perf_group__close(&g);
	count_give_back(fd);
	tap_reason(perf_hw_available(), REASON_NONE, "counters given back");
}

static bool shared(const struct perf_group *g)
{
	struct perf_reading r;

	count_read(g, &r);
	return r.running_ns < r.enabled_ns;
}

/* More events than counters: they take turns, and say so. The pinned group never does. */
static void events_that_take_turns(void)
{
	struct perf_group many[OWN_GROUPS], pinned;
	const struct perf_target self = {0};
	unsigned turns = 0;
	enum reason why;
	uint64_t more;

	count_open(&pinned, 0);
	for (size_t i = 0; i < OWN_GROUPS; i++)
		count_must(perf_group__open_events(&many[i], &instructions, 1, &self, &why),
			   "one more event");
	more = count_window(&pinned, loop_spin, 1).value[COUNT_INSTRUCTIONS];
	for (unsigned i = 0; i < SPIN_ROUNDS; i++)
		loop_spin(TRIPS);
	for (size_t i = 0; i < OWN_GROUPS; i++)
		turns += shared(&many[i]);
	tap_ok(turns > 0, "of %d events %u ran for a part of the time", OWN_GROUPS, turns);
	tap_ok(!shared(&pinned), "a pinned group beside them ran all the time");
	tap_equal(count_window(&pinned, loop_spin, TRIPS + 1).value[COUNT_INSTRUCTIONS] - more,
		  (uint64_t)TRIPS * LOOP_INSTRUCTIONS, "and is exact");
	for (size_t i = 0; i < OWN_GROUPS; i++)
		perf_group__close(&many[i]);
	perf_group__close(&pinned);
}

int main(void)
{
	enum reason with_pmu = perf_hw_available();

	if (geteuid() != 0)
		tap_skip_all("only root can change what the kernel refuses");
	tap_ok(with_pmu == REASON_NONE || with_pmu == REASON_NO_PMU, "the hardware counts: %s",
	       with_pmu == REASON_NONE ? "yes" : name_of(with_pmu));
	levels_of_paranoia(with_pmu);
	a_protected_process();
	a_process_that_is_gone();
	no_descriptor_left(perf_group__open_sw, 4, "software events");
	if (with_pmu == REASON_NONE) {
		no_descriptor_left(perf_group__open_hw, 2, "hardware events");
		counters_that_others_took();
		events_that_take_turns();
	}
	return tap_done();
}
