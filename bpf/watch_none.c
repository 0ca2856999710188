/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands in for bpf/watch.c in a build with NO_BPF=1: nothing can be opened. */
#include "watch.h"
#include <errno.h>

enum watch_result watch_probe(void)
{
	return WATCH_NOT_BUILT;
}

int watch__open(struct watch **ret, enum watch_result *ret_why)
{
	(void)ret; /* untouched on failure */
	*ret_why = WATCH_NOT_BUILT;
	return -ENOSYS;
}

void watch__close(struct watch *w)
{
	(void)w;
}

const char *watch__missing(const struct watch *w, size_t i, const char **ret_what)
{
	(void)w, (void)i, (void)ret_what;
	return NULL;
}

int watch__lane_fd(const struct watch *w, unsigned lane)
{
	(void)w, (void)lane;
	return -1;
}

int watch__enrol(struct watch *w, unsigned lane, pid_t pid, enum watch_scope scope,
		 uint32_t *ret_generation)
{
	(void)w, (void)lane, (void)pid, (void)scope, (void)ret_generation;
	return -ENOSYS;
}

void watch__release(struct watch *w, unsigned lane)
{
	(void)w, (void)lane;
}

int watch__read(const struct watch *w, unsigned lane, struct interference_reading *ret)
{
	(void)w, (void)lane, (void)ret;
	return -ENOSYS;
}

int watch__read_at(const struct watch *w, unsigned lane, uint64_t now_ns,
		   struct interference_reading *ret)
{
	(void)w, (void)lane, (void)now_ns, (void)ret;
	return -ENOSYS;
}

int watch__thread(const struct watch *w, unsigned lane, uint32_t index,
		  struct interference_row *ret)
{
	(void)w, (void)lane, (void)index, (void)ret;
	return -ENOSYS;
}

int watch__take_preemptors(struct watch *w, unsigned lane, struct watch_preemptor *ret, size_t max,
			   size_t *ret_cnt, uint64_t *ret_unknown_ns)
{
	(void)w, (void)lane, (void)ret, (void)max, (void)ret_cnt, (void)ret_unknown_ns;
	return -ENOSYS;
}

uint64_t watch__lost(const struct watch *w)
{
	(void)w;
	return UINT64_MAX;
}

int watch__cpu(const struct watch *w, unsigned cpu, struct watch_cpu *ret)
{
	(void)w, (void)cpu, (void)ret;
	return -ENOSYS;
}
