/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Names of events as perf has them, for -e: generic ones (branches, L1-dcache-load-misses), software
 * ones (faults), raw codes (r1a2), and those of a PMU by sysfs (cpu/event=0x3c,umask=1/, or an alias
 * of its events directory). Modifiers u and k follow a colon, or the last slash. Hardware events
 * without a modifier count user mode alone, and their names say so.
 */
#include <stddef.h>
#include "../../report/record.h"
#include "perf.h"

#define PERF_NAME_MAX 96
#define PERF_WHY_MAX  256

struct perf_named {
	struct perf_event_spec spec;
	char name[PERF_NAME_MAX]; /* with its modifiers: "branches:u" */
};

struct perf_names {
	struct perf_named item[EVENTS_MAX];
	size_t cnt;
};

/*
 * Adds the events of `list`, parted by commas (not those inside slashes). `root` is put before
 * /sys/..., for tests. 0, or -EINVAL with `why` filled: a sentence without a full stop. What was
 * added before the mistake stays.
 */
int perf_names_add(const char *root, const char *list, struct perf_names *ret,
		   char why[static PERF_WHY_MAX]) MUST_CHECK;

/* Opens the event on the caller alone: REASON_NONE when it can be counted here. */
enum reason perf_name_probe(const struct perf_named *e) MUST_CHECK;

/* perf_sysfs.c: an event of a PMU: terms "event=0x3c,umask=1", or one alias. 0, -EINVAL, -ENOENT. */
int perf_sysfs_event(const char *root, const char *pmu, const char *terms,
		     struct perf_event_spec *ret, char why[static PERF_WHY_MAX]) MUST_CHECK;
/* An alias of any core PMU. 0, -ENOENT or -EINVAL. */
int perf_sysfs_alias(const char *root, const char *name, struct perf_event_spec *ret,
		     char why[static PERF_WHY_MAX]) MUST_CHECK;
