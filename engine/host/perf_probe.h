/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What can be counted on this host, asked once at the start of a run: opening a counter is the only
 * proof, a directory of a PMU is none. `root` is put before paths, for tests; "" is the real host.
 */
#include <sched.h>
#include "perf.h"

struct perf_tiers {
	enum reason hw;	    /* instructions:u */
	enum reason misses; /* branch and cache misses */
	enum reason sw;	    /* software events, after a self-test */
	size_t hw_events;   /* events of PERF_SET_HW that fit: a smaller group where both do not */
	uint32_t core_type; /* for perf_target */
	bool user_read;	    /* counters can be read in user space, proved in a child */
};

/* Probes every tier for work on CPUs `cpus` (NULL: the caller's own). Takes about 1 ms. */
void perf_tiers_probe(const char *root, const cpu_set_t *cpus, struct perf_tiers *ret);

/*
 * Self-test once per run: touches 8 fresh pages and wants >= 8 faults, so that a zero is never
 * silent. REASON_NONE when software events can be believed.
 */
enum reason perf_self_test(void) MUST_CHECK;
/* REASON_NONE when instructions:u can be counted on this host. */
enum reason perf_hw_available(void) MUST_CHECK;

/*
 * A plainer reason where the host knows one: a counter in use is the NMI watchdog's when that is
 * on; a refusal for a process (`tid` other than 0) that the caller itself does not meet is the
 * protection of that process.
 */
enum reason perf_explain(const char *root, enum reason why, pid_t tid) MUST_CHECK;

/*
 * The PMU of the cores in `cpus` of a hybrid CPU (cpu_core and cpu_atom, big.LITTLE): REASON_NONE
 * with *ret_type its number, or 0 where all cores are alike; REASON_HYBRID_CORES when `cpus` has
 * cores of more than one.
 */
enum reason perf_core_type(const char *root, const cpu_set_t *cpus, uint32_t *ret_type) MUST_CHECK;
