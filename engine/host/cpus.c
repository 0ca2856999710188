/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpus.h"
#include <errno.h>
#include "cpulist.h"

#define SYS_ONLINE   "/sys/devices/system/cpu/online"
#define SYS_ISOLATED "/sys/devices/system/cpu/isolated"

/* Whether this process may run there: a cpuset can forbid it. Tried, because nothing else tells. */
static bool may_run_on(const cpu_set_t *set, const cpu_set_t *now)
{
	bool may = !sched_setaffinity(0, sizeof(*set), set);

	return !sched_setaffinity(0, sizeof(*now), now) && may;
}

/*
 * isolcpus= takes CPUs out of every process's first affinity, so they would never be chosen. They
 * count as allowed when nobody has narrowed ours: it holds all online CPUs but them.
 */
static void add_isolated(const cpu_set_t *online, const cpu_set_t *isolated, cpu_set_t *allowed)
{
	cpu_set_t quiet, rest;

	CPU_AND(&quiet, online, isolated);
	CPU_XOR(&rest, online, &quiet);
	if (CPU_COUNT(&quiet) && CPU_EQUAL(allowed, &rest) && may_run_on(&quiet, allowed))
		CPU_OR(allowed, allowed, &quiet);
}

static int find_usable(cpu_set_t *allowed, cpu_set_t *isolated)
{
	cpu_set_t online;
	int err;

	if (sched_getaffinity(0, sizeof(*allowed), allowed))
		return -errno; /* EINVAL: more than CPU_SETSIZE CPUs */
	err = cpulist_read("", SYS_ISOLATED, isolated);
	if (!err)
		err = cpulist_read("", SYS_ONLINE, &online);
	if (!err)
		add_isolated(&online, isolated, allowed);
	else
		CPU_ZERO(isolated); /* without /sys: the highest numbers */
	return 0;
}

int cpus_choose(size_t cnt, cpu_set_t *ret)
{
	cpu_set_t allowed, isolated;
	int err = find_usable(&allowed, &isolated);

	return err ? err : cpulist_choose(&allowed, &isolated, cnt, ret);
}

int cpus_choose_other(const cpu_set_t *used, cpu_set_t *ret)
{
	cpu_set_t allowed, isolated;
	int err = find_usable(&allowed, &isolated);

	return err ? err : cpulist_choose_other(&allowed, &isolated, used, ret);
}

int cpus_first(const cpu_set_t *set)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set))
			return cpu;
	return -1;
}

int cpus_pin(const cpu_set_t *set, cpu_set_t *ret_old)
{
	cpu_set_t old;

	if (sched_getaffinity(0, sizeof(old), &old) || sched_setaffinity(0, sizeof(*set), set))
		return -errno;
	if (ret_old)
		*ret_old = old;
	return 0;
}

bool cpus_present(const cpu_set_t *set)
{
	cpu_set_t allowed, both;

	/*
	 * The kernel's answer holds active CPUs only; of a thread whose last CPU went away it is
	 * the whole machine, which the comparison with a pinned set sees as well.
	 */
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return false;
	CPU_AND(&both, &allowed, set);
	return CPU_COUNT(set) > 0 && CPU_EQUAL(&both, set);
}
