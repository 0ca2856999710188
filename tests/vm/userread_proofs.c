/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters read without a system call: only where the kernel allows it, and then the same numbers as
 * by read(), also across the switch to another process and back.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../engine/worker/userread.h"
#include "count.h"
#include "loop.h"
#include "tap.h"

/* arm64 since 5.17; x86 allows it by default. */
#define USER_ACCESS "/proc/sys/kernel/perf_user_access"
#define TRIPS	    1000000
#define RUNS	    100
#define SWITCHES    100

static uint64_t user_value(const struct joust_userread *u)
{
	uint64_t value, enabled, running;

	count_must(joust_userread(u, &value, &enabled, &running), "joust_userread");
	if (running != enabled) {
		errno = EBUSY;
		tap_die("the counter was shared");
	}
	return value;
}

/* Never in line: it must be the same instructions each time. */
static __attribute__((noinline)) uint64_t user_window(const struct joust_userread *u,
						      uint64_t trips)
{
	uint64_t from = user_value(u);

	loop_spin(trips);
	return user_value(u) - from;
}

/* Each turn of the other process is two switches of this one. */
static uint64_t window_with_switches(const struct joust_userread *u, unsigned switches)
{
	int go[2], back[2];
	char byte = 0;
	uint64_t from, to;
	pid_t pid;

	if (pipe(go) || pipe(back) || (pid = fork()) < 0)
		tap_die("fork");
	if (pid == 0) {
		close(go[1]);
		while (read(go[0], &byte, 1) == 1) {
			loop_spin(TRIPS);
			if (write(back[1], &byte, 1) != 1)
				break;
		}
		_exit(0);
	}
	from = user_value(u);
	for (unsigned i = 0; i < switches; i++)
		if (write(go[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			tap_die("the other process");
	to = user_value(u);
	close(go[1]);
	(void)waitpid(pid, NULL, 0);
	close(go[0]);
	close(back[0]);
	close(back[1]);
	return to - from;
}

static void it_is_exact(const struct joust_userread *u)
{
	uint64_t one = user_window(u, 1);
	unsigned equal = 0;

	count_equal(user_window(u, TRIPS + 1) - one, (uint64_t)TRIPS * LOOP_INSTRUCTIONS,
		    "%d trips more", TRIPS);
	for (unsigned i = 0; i < RUNS; i++)
		equal += count_same(user_window(u, 1), one);
	tap_equal(equal, RUNS, "of %d windows so many read %" PRIu64, RUNS, one);
}

static void it_agrees_with_read(const struct joust_userread *u, const struct perf_group *g)
{
	struct perf_reading before, after;
	uint64_t value;

	count_read(g, &before);
	value = user_value(u);
	count_read(g, &after);
	tap_ok(before.value[COUNT_INSTRUCTIONS] < value && value < after.value[COUNT_INSTRUCTIONS],
	       "%" PRIu64 " lies between two readings by system call", value);
}

static void another_process_is_not_counted(const struct joust_userread *u)
{
	uint64_t few = window_with_switches(u, 1);
	uint64_t many = window_with_switches(u, SWITCHES + 1);

	tap_ok(many - few < TRIPS, "%d turns of another process: %" PRIu64 " instructions of ours",
	       SWITCHES, many - few);
	count_equal(window_with_switches(u, 2 * SWITCHES + 1) - many, many - few,
		    "as many for as many more");
}

int main(int argc, char **argv)
{
	const struct perf_target self = {.user_read = true};
	struct joust_userread u = {0};
	struct perf_tiers tiers;
	struct perf_group g;
	enum reason why;

	count_init(argc, argv);
	perf_tiers_probe("", NULL, &tiers);
	if (tiers.hw != REASON_NONE)
		tap_skip_all("instructions are not counted by the hardware here: %s",
			     reason_get(tiers.hw)->sentence);
	if (access(USER_ACCESS, F_OK) == 0) {
		count_set(USER_ACCESS, "0");
		perf_tiers_probe("", NULL, &tiers);
		tap_ok(!tiers.user_read, "not where the kernel refuses it");
		count_set(USER_ACCESS, "1");
		perf_tiers_probe("", NULL, &tiers);
	}
	if (!tap_ok(tiers.user_read, "found where the kernel allows it"))
		return tap_done();
	count_must(perf_group__open_set(&g, PERF_SET_HW, &self, &why), "a group");
	count_must(joust_userread_map(&u, g.fd[0]), "its page");
	it_is_exact(&u);
	it_agrees_with_read(&u, &g);
	another_process_is_not_counted(&u);
	joust_userread_unmap(&u);
	perf_group__close(&g);
	return tap_done();
}
