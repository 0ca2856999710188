/* SPDX-License-Identifier: BSD-2-Clause */
#include "peak.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "cgroup_files.h"
#include "smallfile.h"

#define KIB	     1024.0
#define CHARGE_BYTES (256 * KIB) /* what a cgroup is charged at a time and CPU */
#define CHECK_BYTES  (1024 * KIB)
#define RESET_PEAK   "5" /* proc(5), clear_refs: VmHWM alone */

/* The line "KEY:   N kB". */
static int take_kib(const char *status, const char *key, double *ret)
{
	const char *line = status;
	size_t len = strlen(key);
	uint64_t v;
	int err;

	while (strncmp(line, key, len) || line[len] != ':') {
		line += strcspn(line, "\n");
		if (!*line++)
			return -EINVAL;
	}
	err = smallfile_word_u64(line + len + 1, 0, &v);
	if (!err)
		*ret += (double)v * KIB;
	return err;
}

int resident_parse(const char *status, struct resident *ret)
{
	struct resident r = {0};

	if (take_kib(status, "VmRSS", &r.now) || take_kib(status, "VmHWM", &r.peak) ||
	    take_kib(status, "RssFile", &r.file) || take_kib(status, "RssShmem", &r.file))
		return -EINVAL;
	*ret = r;
	return 0;
}

int resident_read(pid_t pid, struct resident *ret)
{
	char path[48], status[4096];

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (smallfile_read("", path, status, sizeof(status)) <= 0)
		return -ESRCH;
	return resident_parse(status, ret);
}

static bool begin_resident(struct peak *p)
{
	char path[48];

	(void)snprintf(path, sizeof(path), "/proc/%d/clear_refs", (int)p->pid);
	return !cgroup_file_write(AT_FDCWD, path, RESET_PEAK) && !resident_read(p->pid, &p->start);
}

void peak__begin(struct peak *p, struct cgroup_leaf *leaf, pid_t pid)
{
	*p = (struct peak){.leaf = leaf, .pid = pid};
	p->checked = begin_resident(p);
	if (leaf && !cgroup_leaf__mark(leaf))
		p->how = PEAK_CGROUP;
	else if (p->checked)
		p->how = PEAK_RESIDENT;
}

/*
 * What is resident and not part of a file is charged to the cgroup of who touched it. Where the
 * process has more of it than its leaf was charged, it is not the leaf's.
 */
static bool disagree(const struct peak *p, double by_cgroup)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct resident r;

	if (!p->checked || resident_read(p->pid, &r))
		return false;
	return r.peak - p->start.now - fmax(0, r.file - p->start.file) >
	       by_cgroup + CHECK_BYTES + CHARGE_BYTES * (double)cpus;
}

static double end_cgroup(const struct peak *p, enum reason *ret_why)
{
	double bytes = NAN;

	*ret_why = REASON_NO_CGROUP;
	if (cgroup_leaf__peak(p->leaf, &bytes))
		return NAN;
	*ret_why = disagree(p, bytes) ? REASON_COUNTER_MISMATCH : REASON_NONE;
	return *ret_why == REASON_NONE ? bytes : NAN;
}

double peak__end(const struct peak *p, enum reason *ret_why)
{
	struct resident r;

	if (p->how == PEAK_CGROUP)
		return end_cgroup(p, ret_why);
	*ret_why = p->how == PEAK_RESIDENT && !resident_read(p->pid, &r) ? REASON_NONE
									 : REASON_NO_CGROUP;
	return *ret_why == REASON_NONE ? fmax(0, r.peak - p->start.now) : NAN;
}
