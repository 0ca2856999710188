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

static int open_proc(pid_t pid, const char *name, int flags)
{
	char path[48];

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return open(path, flags | O_CLOEXEC);
}

static bool reset_resident(pid_t pid, struct resident *ret)
{
	char path[48];

	(void)snprintf(path, sizeof(path), "/proc/%d/clear_refs", (int)pid);
	return !cgroup_file_write(AT_FDCWD, path, RESET_PEAK) && !resident_read(pid, ret);
}

void peak__open(struct peak *p, struct cgroup_leaf *leaf, pid_t pid)
{
	*p = (struct peak){.leaf = leaf, .pid = pid, .fd = {-1, -1}, .end_bytes = NAN};
	if (leaf && !cgroup_leaf__mark(leaf)) {
		p->how = PEAK_CGROUP;
		return;
	}
	p->fd[0] = open_proc(pid, "status", O_RDONLY);
	p->fd[1] = open_proc(pid, "clear_refs", O_WRONLY);
	if (p->fd[0] >= 0 && p->fd[1] >= 0)
		p->how = PEAK_RESIDENT;
}

size_t peak_fds(const struct peak *p, int ret[static PEAK_FDS_MAX])
{
	switch (p->how) {
	case PEAK_CGROUP:
		ret[0] = p->leaf->peak_fd;
		return 1;
	case PEAK_RESIDENT:
		memcpy(ret, p->fd, sizeof(p->fd));
		return 2;
	case PEAK_NONE:
	default:
		return 0;
	}
}

void peak__begin(struct peak *p)
{
	bool begun = p->how == PEAK_CGROUP && !cgroup_leaf__mark(p->leaf);

	p->checked = p->how != PEAK_NONE && reset_resident(p->pid, &p->start);
	if (!begun && !(p->how == PEAK_RESIDENT && p->checked))
		p->how = PEAK_NONE;
}

/*
 * What is resident and not part of a file is charged to the cgroup of who touched it. Where the
 * process has more of it than its leaf was charged, it is not the leaf's.
 */
static bool disagree(const struct peak *p)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct resident r;

	if (!p->checked || resident_read(p->pid, &r))
		return false;
	return r.peak - p->start.now - fmax(0, r.file - p->start.file) >
	       p->end_bytes + CHECK_BYTES + CHARGE_BYTES * (double)cpus;
}

void peak__end(struct peak *p)
{
	struct resident r;

	if (p->how == PEAK_CGROUP && !cgroup_leaf__peak(p->leaf, &p->end_bytes))
		p->mismatch = disagree(p);
	if (p->how == PEAK_RESIDENT && !resident_read(p->pid, &r))
		p->end_bytes = fmax(0, r.peak - p->start.now);
}

double peak_value(const struct peak *p, uint64_t untimed, enum reason *ret_why)
{
	double start = p->how == PEAK_CGROUP ? p->leaf->start_bytes : p->start.now;

	*ret_why = REASON_NONE;
	if (p->how == PEAK_NONE || isnan(p->end_bytes) || untimed == UINT64_MAX)
		*ret_why = REASON_NO_CGROUP;
	else if (p->mismatch && !untimed) /* the resident set knows nothing of untimed sections */
		*ret_why = REASON_COUNTER_MISMATCH;
	return *ret_why == REASON_NONE ? fmax(p->end_bytes, (double)untimed - start) : NAN;
}

void peak__close(struct peak *p)
{
	if (!p->pid) /* zeroed: no descriptor is ours */
		return;
	cleanup_fd(&p->fd[0]);
	cleanup_fd(&p->fd[1]);
	*p = (struct peak){.end_bytes = NAN};
}
