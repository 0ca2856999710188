/* SPDX-License-Identifier: BSD-2-Clause */
#include "perf_probe.h"
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "../worker/userread.h"
#include "cpulist.h"
#include "smallfile.h"

#define TOUCHED_PAGES 8
#define PROBE_TRIPS   1000
#define DEVICES	      "/sys/bus/event_source/devices"
#define WATCHDOG      "/proc/sys/kernel/nmi_watchdog"

static int touch_fresh_pages(size_t cnt)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p =
		mmap(NULL, cnt * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	/* One huge page would be one fault. EINVAL: a kernel without them. */
	(void)madvise((void *)p, cnt * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < cnt; i++)
		p[i * page] = 1;
	(void)munmap((void *)p, cnt * page);
	return 0;
}

static enum reason self_test(const struct perf_group *g)
{
	struct perf_reading from, to;
	int err = perf_group__read(g, &from);

	if (!err)
		err = touch_fresh_pages(TOUCHED_PAGES);
	if (!err)
		err = perf_group__read(g, &to);
	if (err)
		return perf_reason(err);
	return to.value[PERF_SW_FAULTS] - from.value[PERF_SW_FAULTS] >= TOUCHED_PAGES
		       ? REASON_NONE
		       : REASON_COUNTER_MISMATCH;
}

enum reason perf_self_test(void)
{
	CLEANUP(perf_group__close) struct perf_group g;
	enum reason why;

	return perf_group__open_sw(&g, 0, &why) ? why : self_test(&g);
}

static void spin(void)
{
	for (volatile int i = 0; i < PROBE_TRIPS;)
		i++;
}

/* A group that opens may still never run: thrown off at once, shared, or offered and not counted. */
static enum reason prove(const struct perf_group *g)
{
	struct perf_reading from, to;
	int err = perf_group__read(g, &from);

	if (!err) {
		spin();
		err = perf_group__read(g, &to);
	}
	if (err)
		return perf_reason(err);
	if (to.running_ns - from.running_ns < to.enabled_ns - from.enabled_ns)
		return REASON_MULTIPLEXED;
	return REASON_NONE;
}

static enum reason prove_instructions(const struct perf_group *g)
{
	struct perf_reading from, to;
	enum reason why = prove(g);

	if (why != REASON_NONE)
		return why;
	if (perf_group__read(g, &from))
		return REASON_PERF_BUSY;
	spin();
	if (perf_group__read(g, &to))
		return REASON_PERF_BUSY;
	/* A hypervisor may offer the event and never count. */
	return to.value[0] - from.value[0] >= PROBE_TRIPS ? REASON_NONE : REASON_NO_PMU;
}

static enum reason hw_with(struct perf_target t, size_t events_max)
{
	CLEANUP(perf_group__close) struct perf_group g = {0};
	enum reason why;

	t.events_max = events_max;
	return perf_group__open_set(&g, PERF_SET_HW, &t, &why) ? why : prove_instructions(&g);
}

/* Too few free counters for the whole group may be enough for its leader. */
static enum reason hw_probe(const struct perf_target *t, size_t *ret_events)
{
	enum reason why = REASON_NO_PMU;

	for (size_t events = 2; events > 0; events--) {
		why = hw_with(*t, events);
		if (why == REASON_NONE)
			*ret_events = events;
		if (why != REASON_PERF_BUSY && why != REASON_PERF_FEW && why != REASON_MULTIPLEXED)
			break;
	}
	return why;
}

enum reason perf_hw_available(void)
{
	size_t events;

	return perf_explain("", hw_probe(&(struct perf_target){0}, &events), 0);
}

static enum reason misses_probe(const struct perf_target *t)
{
	CLEANUP(perf_group__close) struct perf_group g = {0};
	enum reason why;

	if (perf_group__open_set(&g, PERF_SET_MISSES, t, &why))
		return why == REASON_NO_PMU ? REASON_NO_EVENT : why;
	return prove(&g);
}

/* Exit status 0: a counter of the caller was read in user space, and read() agrees. */
static _Noreturn void user_read_child(const struct perf_target *t)
{
	CLEANUP(perf_group__close) struct perf_group g = {0};
	struct joust_userread u = {0};
	struct perf_reading before, after;
	uint64_t value, enabled, running;
	enum reason why;

	if (perf_group__open_set(&g, PERF_SET_HW, t, &why) || joust_userread_map(&u, g.fd[0]) < 0 ||
	    perf_group__read(&g, &before) || joust_userread(&u, &value, &enabled, &running) < 0 ||
	    perf_group__read(&g, &after))
		_exit(1);
	_exit(before.value[0] <= value && value <= after.value[0] ? 0 : 1);
}

/* In a child: where the instruction is not allowed after all it is a SIGSEGV. */
static bool user_read_probe(struct perf_target t)
{
	pid_t pid;
	int status;

	t.user_read = true;
	pid = fork();
	if (pid == 0)
		user_read_child(&t);
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return status == 0;
}

enum reason perf_explain(const char *root, enum reason why, pid_t tid)
{
	uint64_t on;
	bool taken = why == REASON_PERF_BUSY || why == REASON_PERF_FEW || why == REASON_MULTIPLEXED;

	if (taken && !smallfile_u64(root, WATCHDOG, &on) && on)
		return REASON_NMI_WATCHDOG;
	if (why == REASON_PERF_FORBIDDEN && tid) {
		CLEANUP(perf_group__close) struct perf_group g = {0};
		enum reason own;

		if (!perf_group__open_sw(&g, 0, &own))
			return REASON_NOT_DUMPABLE;
	}
	return why;
}

/* One PMU of cores: `type` and `cpus` in its directory. Uncore PMUs have `cpumask` instead. */
static bool core_pmu(const char *root, const char *name, cpu_set_t *ret_cpus, uint64_t *ret_type)
{
	char path[sizeof(DEVICES) + 2 * NAME_MAX];

	(void)snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	if (!smallfile_exists(root, path) || cpulist_read(root, path, ret_cpus))
		return false;
	(void)snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	return smallfile_u64(root, path, ret_type) == 0;
}

enum reason perf_core_type(const char *root, const cpu_set_t *cpus, uint32_t *ret_type)
{
	AUTO_FREE char *path = NULL;
	AUTO_DIR DIR *dir = NULL;
	unsigned pmus = 0, met = 0;
	uint32_t type = 0;

	*ret_type = 0;
	if (asprintf(&path, "%s%s", root, DEVICES) < 0) {
		path = NULL;
		return REASON_NONE;
	}
	dir = opendir(path);
	for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		cpu_set_t its, common;
		uint64_t number;

		if (e->d_name[0] == '.' || !core_pmu(root, e->d_name, &its, &number))
			continue;
		pmus++;
		CPU_AND(&common, &its, cpus);
		if (CPU_COUNT(&common)) {
			met++;
			type = (uint32_t)number;
		}
	}
	if (pmus < 2)
		return REASON_NONE;
	if (met != 1)
		return REASON_HYBRID_CORES;
	*ret_type = type;
	return REASON_NONE;
}

void perf_tiers_probe(const char *root, const cpu_set_t *cpus, struct perf_tiers *ret)
{
	struct perf_target self = {0};
	cpu_set_t own;
	enum reason hybrid = REASON_NONE;

	*ret = (struct perf_tiers){.sw = perf_self_test()};
	if (!cpus && sched_getaffinity(0, sizeof(own), &own) == 0)
		cpus = &own;
	if (cpus)
		hybrid = perf_core_type(root, cpus, &self.core_type);
	ret->core_type = self.core_type;
	ret->hw = hybrid != REASON_NONE ? hybrid : hw_probe(&self, &ret->hw_events);
	ret->hw = perf_explain(root, ret->hw, 0);
	ret->misses = ret->hw != REASON_NONE ? ret->hw : perf_explain(root, misses_probe(&self), 0);
	ret->user_read = ret->hw == REASON_NONE && user_read_probe(self);
}
