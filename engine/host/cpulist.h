/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The kernel's lists of CPUs ("0-3,8"), and the choice among them as a function of sets. */
#include <sched.h>
#include <stddef.h>
#include "../../report/cleanup.h"

/* "" and "(null)" (Debian's isolated file) are empty sets; -EINVAL for anything malformed. */
int cpulist_parse(const char *text, cpu_set_t *ret) MUST_CHECK;
/* Reads root/path; an absent file is an empty set. */
int cpulist_read(const char *root, const char *path, cpu_set_t *ret) MUST_CHECK;

/*
 * `cnt` CPUs of allowed and isolated: isolated ones first, then the highest numbers. -ENOSPC.
 */
int cpulist_choose(const cpu_set_t *allowed, const cpu_set_t *isolated, size_t cnt,
		   cpu_set_t *ret) MUST_CHECK;

/*
 * As many as in `used`, and none of those: the highest of the isolated ones where any is allowed, for
 * a CPU that others may use is no match for one that is kept free; else of all. -ENOSPC.
 */
int cpulist_choose_other(const cpu_set_t *allowed, const cpu_set_t *isolated, const cpu_set_t *used,
			 cpu_set_t *ret) MUST_CHECK;
