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

#define PEAK_FDS_MAX 2

struct peak {
	enum { PEAK_NONE, PEAK_CGROUP, PEAK_RESIDENT } how;
	struct cgroup_leaf *leaf;
	pid_t pid;
	int fd[PEAK_FDS_MAX]; /* PEAK_RESIDENT: status and clear_refs of the process; -1 */
	struct resident start;
	double end_bytes; /* above the start; NaN: none was read */
	bool checked;	  /* the resident set was reset too */
	bool mismatch;	  /* and says otherwise */
};

/* The process has started. How it will be read is settled; `leaf` may be NULL. */
void peak__open(struct peak *p, struct cgroup_leaf *leaf, pid_t pid);
/* Closes what was opened. Accepts a zeroed one. */
void peak__close(struct peak *p);

/*
 * What the worker needs to leave out its untimed sections: the file of the group's peak, or status and
 * clear_refs. How many; they stay ours.
 */
size_t peak_fds(const struct peak *p, int ret[static PEAK_FDS_MAX]);

/* The worker is parked before its first window ... */
void peak__begin(struct peak *p);
/* ... and after its last. */
void peak__end(struct peak *p);

/*
 * Bytes above the start, or NaN with the reason (no-cgroup, counter-mismatch). `untimed` is what the
 * worker has read where untimed sections began, see struct frame_done. A peak that was never begun is
 * no-cgroup.
 */
double peak_value(const struct peak *p, uint64_t untimed, enum reason *ret_why) MUST_CHECK;
