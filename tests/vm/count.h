/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the proofs of counters share. Every failure here ends the program (tap_die). */
#include <stdint.h>
#include <sys/types.h>
#include "../../engine/host/perf.h"
#include "../../engine/host/perf_probe.h"

/* Places in a reading of the hardware group. */
#define COUNT_INSTRUCTIONS PERF_HW_INSTRUCTIONS
#define COUNT_CYCLES	   PERF_HW_CYCLES

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
/* A file that takes one line, such as a sysctl. */
void count_set(const char *path, const char *value);
