/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is what the hardware counts exact? engine/host/perf.h on loops whose instructions are known, in a
 * guest whose PMU counts every one, and on bare metal.
 */
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>
#include "count.h"
#include "loop.h"
#include "tap.h"

#define TRIPS	  1000000
#define RUNS	  100
#define PROCESSES 5
#define SYSCALLS  1000

static uint64_t instructions(const struct perf_group *g, void (*loop)(uint64_t), uint64_t trips)
{
	return count_window(g, loop, trips).value[COUNT_INSTRUCTIONS];
}

static void the_group_leads_with_instructions(const struct perf_group *g)
{
	struct perf_reading w = count_window(g, loop_spin, TRIPS);

	tap_equal(g->cnt, 2, "instructions and cycles are one group");
	tap_ok(w.enabled_ns > 0, "it was enabled, for %" PRIu64 " ns", w.enabled_ns);
	tap_equal(w.running_ns, w.enabled_ns, "and counted all the while");
	tap_ok(w.value[COUNT_CYCLES] > 0, "cycles: %" PRIu64, w.value[COUNT_CYCLES]);
}

static void a_million_trips_are_two_million_instructions(const struct perf_group *g)
{
	uint64_t one = instructions(g, loop_spin, 1);
	uint64_t many = instructions(g, loop_spin, TRIPS + 1);

	count_equal(many - one, (uint64_t)TRIPS * LOOP_INSTRUCTIONS, "%d trips more", TRIPS);
	tap_note("a window with one trip: %" PRIu64 " instructions", one);
}

static void every_window_counts_the_same(const struct perf_group *g)
{
	struct perf_reading first = count_window(g, loop_spin, TRIPS);
	unsigned equal = 0;

	for (unsigned i = 0; i < RUNS; i++)
		equal += count_same(instructions(g, loop_spin, TRIPS),
				    first.value[COUNT_INSTRUCTIONS]);
	tap_equal(equal, RUNS, "of %d windows so many read %" PRIu64, RUNS,
		  first.value[COUNT_INSTRUCTIONS]);
}

static void the_kernel_is_not_counted(const struct perf_group *g)
{
	uint64_t one = instructions(g, loop_syscalls, 1);
	uint64_t many = instructions(g, loop_syscalls, SYSCALLS + 1);

	count_equal(many - one, (uint64_t)SYSCALLS * LOOP_SYSCALL_INSTRUCTIONS,
		    "%d system calls more: their user instructions only", SYSCALLS);
}

static uint64_t count_in_process(void)
{
	uint64_t count = 0;
	int fd[2];
	pid_t pid;

	if (pipe(fd) || (pid = fork()) < 0)
		tap_die("fork");
	if (pid == 0) {
		struct perf_group g;

		count_open(&g, 0);
		count = instructions(&g, loop_spin, TRIPS);
		_exit(write(fd[1], &count, sizeof(count)) != sizeof(count));
	}
	close(fd[1]);
	if (read(fd[0], &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd[0]);
	(void)waitpid(pid, NULL, 0);
	return count;
}

static void fresh_processes_count_the_same(void)
{
	uint64_t first = count_in_process();

	tap_ok(first >= (uint64_t)TRIPS * LOOP_INSTRUCTIONS, "a fresh process counts %" PRIu64,
	       first);
	for (unsigned i = 1; i < PROCESSES; i++)
		count_equal(count_in_process(), first, "process %u counts the same", i + 1);
}

/* As the engine counts: another process, read while it is parked. */
static void a_parked_process_is_counted_from_outside(void)
{
	struct count_worker w;
	uint64_t one;

	count_worker__start(&w);
	(void)count_worker__spin(&w, 1); /* its first time is not like the others */
	one = count_worker__spin(&w, 1);
	for (uint64_t i = 1; i <= 3; i++)
		count_equal(count_worker__spin(&w, i * TRIPS + 1) - one,
			    i * TRIPS * LOOP_INSTRUCTIONS,
			    "a parked process: %" PRIu64 " million trips more", i);
	count_worker__end(&w);
}

int main(int argc, char **argv)
{
	enum reason why = perf_hw_available();
	struct perf_group g;

	if (why != REASON_NONE)
		tap_skip_all("instructions are not counted by the hardware here: %s",
			     reason_get(why)->sentence);
	count_init(argc, argv);
	count_open(&g, 0);
	the_group_leads_with_instructions(&g);
	a_million_trips_are_two_million_instructions(&g);
	every_window_counts_the_same(&g);
	the_kernel_is_not_counted(&g);
	perf_group__close(&g);
	fresh_processes_count_the_same();
	a_parked_process_is_counted_from_outside();
	return tap_done();
}
