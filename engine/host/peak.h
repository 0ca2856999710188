/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The most memory that measured work of a worker needed at once, above what the worker had when the
 * work began: by its cgroup where the kernel can reset that peak (v1; v2 from Linux 6.12), else by
 * the resident set of the process (VmHWM, reset through clear_refs). A benchmark is read by one of
 * the two on both sides, and where both can be had each checks the other.
 *
 * Resolution: a cgroup is charged in 64 pages at a time for each CPU that it used, 256 KiB; the
 * resident set is counted per CPU too since Linux 6.2.
 */
#include <sys/types.h>
#include "cgroup_leaf.h"
#include "../../report/reasons.h"

/* What /proc/PID/status says, in bytes. */
struct resident {
	double now, peak, file; /* VmRSS, VmHWM, RssFile + RssShmem */
};

/* 0, -ESRCH, or -EINVAL where a line is missing (a kernel thread, a zombie). */
int resident_parse(const char *status, struct resident *ret) MUST_CHECK;
int resident_read(pid_t pid, struct resident *ret) MUST_CHECK;

struct peak {
	enum { PEAK_NONE, PEAK_CGROUP, PEAK_RESIDENT } how;
	struct cgroup_leaf *leaf;
	pid_t pid;
	struct resident start;
	bool checked; /* the resident set was reset too */
};

/* The worker is parked before its first window. `leaf` may be NULL. */
void peak__begin(struct peak *p, struct cgroup_leaf *leaf, pid_t pid);

/*
 * The worker is parked after its last window: bytes above the start, or NaN with the reason
 * (no-cgroup, counter-mismatch). A peak that was never begun is no-cgroup.
 */
double peak__end(const struct peak *p, enum reason *ret_why);
