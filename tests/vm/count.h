/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the proofs of counters share. Every failure here ends the program (tap_die). */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "../../engine/host/perf.h"
#include "../../engine/host/perf_probe.h"

/* Places in a reading of the hardware group. */
#define COUNT_INSTRUCTIONS PERF_HW_INSTRUCTIONS
#define COUNT_CYCLES	   PERF_HW_CYCLES

/*
 * The arguments of a proof. "--metal": this is real hardware, which adds an instruction or a few for
 * each interrupt or fault that comes in between; without it counts must be equal.
 */
void count_init(int argc, char **argv);
/* Whether `got` instructions are `want`, as count_init says. */
bool count_same(uint64_t got, uint64_t want) MUST_CHECK;
/* A test of count_same, which says both numbers when they differ. */
bool count_equal(uint64_t got, uint64_t want, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

/* Ends the program when `err`, a negative errno, is not 0. */
void count_must(int err, const char *what);
void count_open(struct perf_group *g, pid_t tid);
void count_read(const struct perf_group *g, struct perf_reading *ret);
/* `to` less `from`. */
struct perf_reading count_between(const struct perf_reading *from, const struct perf_reading *to);
/* What this thread counts around loop(trips). */
struct perf_reading count_window(const struct perf_group *g, void (*loop)(uint64_t),
				 uint64_t trips);

/*
 * Returns when thread `tid` of process `pid`, which only ever waits to read from pipe `fd`, has read
 * all that was written and waits again.
 */
void count_parked(pid_t pid, pid_t tid, int fd);
/* A process that spins as often as it is told and is counted from here while it is parked. */
struct count_worker {
	struct perf_group g;
	pid_t pid;
	int fd; /* of the pipe that it reads */
};

void count_worker__start(struct count_worker *w);
/* Its instructions while it spins so often, with its way from one order to the next. */
uint64_t count_worker__spin(const struct count_worker *w, uint64_t trips);
void count_worker__end(struct count_worker *w);

#define COUNT_CPU_EVENTS 32 /* more than a PMU has counters */

/* Takes every counter of CPU 0, for all tasks, as another perf or the NMI watchdog would. */
void count_take_cpu0(int fd[static COUNT_CPU_EVENTS]);
void count_give_back(const int fd[static COUNT_CPU_EVENTS]);

/* A file that takes one line, such as a sysctl. */
void count_set(const char *path, const char *value);
