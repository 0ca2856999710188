/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hardware's counters all the way: opened by the engine for a worker that waits, handed over,
 * read there by libjoust, by system call and without, and sent back.
 */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include "bench.h"
#include "count.h"
#include "loop.h"
#include "tap.h"

#define USER_ACCESS "/proc/sys/kernel/perf_user_access" /* arm64 since 5.17 */
#define TRIPS	    500000
#define RUNS	    20

/*
 * A thread that has answered still has its way back into its sleep, which may fall into the next
 * window, and the C library's way of joining a thread depends on who is first.
 */
#define WAY_BACK 1000

static struct perf_tiers tiers;

static bool is_near(uint64_t got, uint64_t want, uint64_t slack)
{
	int64_t more = (int64_t)(got - want); /* below want by a few: a huge number */

	return count_same(got, want) || (uint64_t)(more < 0 ? -more : more) <= slack;
}

static void near(uint64_t got, uint64_t want, uint64_t slack, const char *how, const char *what)
{
	if (!tap_ok(is_near(got, want, slack), "%s: %s: %" PRIu64 ", +- %" PRIu64, how, what, want,
		    slack))
		tap_note("got %" PRIu64, got);
}

static void counts_what_is_known(bool user_read)
{
	const char *how = user_read ? "in user space" : "by read()";
	struct perf_tiers with = tiers;
	const struct worker_sources sources = {.tiers = &with};
	uint64_t slack = user_read ? BENCH_REREAD : 0;
	struct worker few, many;
	uint64_t one;
	unsigned equal = 0;

	with.user_read = user_read;
	bench_start(&few, BENCH_SPIN, 1, &sources);
	bench_start(&many, BENCH_SPIN, TRIPS + 1, &sources);
	(void)bench_instructions(&few, 1); /* its pages */
	(void)bench_instructions(&many, 1);
	one = bench_instructions(&few, 1);
	near(bench_instructions(&many, 1) - one, (uint64_t)TRIPS * LOOP_INSTRUCTIONS, slack, how,
	     "half a million trips more");
	near(bench_instructions(&many, 3) - bench_instructions(&few, 3),
	     3 * (uint64_t)TRIPS * LOOP_INSTRUCTIONS, slack, how, "three iterations");
	for (unsigned i = 0; i < RUNS; i++)
		equal += is_near(bench_instructions(&few, 1), one, slack);
	tap_equal(equal, RUNS, "%s: of %d windows so many read %" PRIu64, how, RUNS, one);
	bench_end(&few);
	bench_end(&many);
}

/* Instructions of `trips` more in each iteration. */
static uint64_t more_by(const char *name, uint64_t trips, const struct worker_sources *sources)
{
	struct worker few, many;
	uint64_t more;

	bench_start(&few, name, 1, sources);
	bench_start(&many, name, trips + 1, sources);
	(void)bench_instructions(&few, 1);
	(void)bench_instructions(&many, 1);
	more = bench_instructions(&many, 1) - bench_instructions(&few, 1);
	bench_end(&few);
	bench_end(&many);
	return more;
}

static void later_threads_are_counted(void)
{
	const struct worker_sources all = {.tiers = &tiers, .several = true};
	const struct worker_sources own = {.tiers = &tiers};

	near(more_by(BENCH_ROWS_NAME, TRIPS, &all), 10 * (uint64_t)TRIPS * LOOP_INSTRUCTIONS,
	     WAY_BACK, "inherited", "four threads of 1, 2, 3 and 4 million in the sum");
	near(more_by(BENCH_BORN, TRIPS, &all), (uint64_t)TRIPS * LOOP_INSTRUCTIONS, WAY_BACK,
	     "inherited", "a thread that is born and dies in the window");
	near(more_by(BENCH_BORN, TRIPS, &own), 0, WAY_BACK, "not inherited", "it is in no counter");
}

static void taken_counters_are_no_numbers(void)
{
	const struct worker_sources sources = {.tiers = &tiers};
	int fd[COUNT_CPU_EVENTS];
	struct perf_reading r;
	struct worker w;
	struct frame_reading seen;

	bench_start(&w, BENCH_SPIN, TRIPS, &sources);
	tap_ok(bench_instructions(&w, 1) > TRIPS, "a worker counts");
	count_take_cpu0(fd);
	(void)bench_window(&w, 1); /* the group is thrown off when it is to run again */
	seen = bench_window(&w, 1);
	tap_ok(!seen.valid, "a window whose counters others took is not valid");
	tap_equal((unsigned)-perf_group__read(&w.group[GROUP_HARDWARE], &r), EBUSY,
		  "and the engine sees why");
	bench_end(&w);
	count_give_back(fd);
	bench_start(&w, BENCH_SPIN, TRIPS, &sources);
	tap_ok(bench_instructions(&w, 1) > TRIPS, "a new worker counts again");
	bench_end(&w);
}

static void no_counters_is_no_failure(enum reason why)
{
	struct perf_tiers none = {.hw = why, .misses = why, .sw = tiers.sw};
	const struct worker_sources sources = {.tiers = &none};
	struct worker w;

	bench_start(&w, BENCH_SPIN, TRIPS, &sources);
	tap_ok(!bench_window(&w, 1).valid, "without counters a window has none");
	tap_ok(w.group_missing[GROUP_HARDWARE] == why, "and the worker has the reason: %s",
	       reason_get(why)->name);
	bench_end(&w);
}

int main(int argc, char **argv)
{
	bench_serve(argc, argv);
	count_init(argc, argv);
	if (access(USER_ACCESS, F_OK) == 0)
		count_set(USER_ACCESS, "1");
	perf_tiers_probe("", NULL, &tiers);
	if (tiers.hw != REASON_NONE)
		tap_skip_all("instructions are not counted by the hardware here: %s",
			     reason_get(tiers.hw)->sentence);
	no_counters_is_no_failure(REASON_PERF_FORBIDDEN);
	counts_what_is_known(false);
	if (tap_ok(tiers.user_read, "counters can be read in user space"))
		counts_what_is_known(true);
	later_threads_are_counted();
	if (geteuid() == 0)
		taken_counters_are_no_numbers();
	return tap_done();
}
