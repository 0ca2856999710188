/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpulist.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "../util/num.h"
#include "smallfile.h"

#define LIST_MAX 4096

static int range_add(char *range, cpu_set_t *set)
{
	char *dash = strchr(range, '-');
	uint64_t lo, hi;

	if (dash)
		*dash = '\0';
	if (num_u64(range, 0, CPU_SETSIZE - 1, &lo))
		return -EINVAL;
	hi = lo;
	if (dash && num_u64(dash + 1, lo, CPU_SETSIZE - 1, &hi))
		return -EINVAL;
	for (uint64_t cpu = lo; cpu <= hi; cpu++)
		CPU_SET(cpu, set);
	return 0;
}

int cpulist_parse(const char *text, cpu_set_t *ret)
{
	char copy[LIST_MAX], *save, *word;
	cpu_set_t set;

	CPU_ZERO(&set);
	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	word = strcmp(text, "(null)") ? strtok_r(copy, ",\n", &save) : NULL;
	for (; word; word = strtok_r(NULL, ",\n", &save))
		if (range_add(word, &set))
			return -EINVAL;
	*ret = set;
	return 0;
}

int cpulist_read(const char *root, const char *path, cpu_set_t *ret)
{
	char buf[LIST_MAX];
	ssize_t len = smallfile_read(root, path, buf, sizeof(buf));

	if (len == -ENOENT)
		buf[0] = '\0';
	else if (len < 0)
		return (int)len;
	return cpulist_parse(buf, ret);
}

static size_t take_highest(const cpu_set_t *from, size_t cnt, cpu_set_t *set)
{
	size_t taken = 0;

	for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && taken < cnt; cpu--) {
		if (!CPU_ISSET(cpu, from) || CPU_ISSET(cpu, set))
			continue;
		CPU_SET(cpu, set);
		taken++;
	}
	return taken;
}

int cpulist_choose(const cpu_set_t *allowed, const cpu_set_t *isolated, size_t cnt, cpu_set_t *ret)
{
	cpu_set_t set, quiet;
	size_t taken;

	CPU_ZERO(&set);
	CPU_AND(&quiet, allowed, isolated);
	taken = take_highest(&quiet, cnt, &set);
	taken += take_highest(allowed, cnt - taken, &set);
	if (taken < cnt)
		return -ENOSPC;
	*ret = set;
	return 0;
}

int cpulist_choose_other(const cpu_set_t *allowed, const cpu_set_t *isolated, const cpu_set_t *used,
			 cpu_set_t *ret)
{
	cpu_set_t kind, taken, rest, set;
	size_t cnt = (size_t)CPU_COUNT(used);

	CPU_ZERO(&set);
	CPU_AND(&kind, allowed, isolated);
	if (!CPU_COUNT(&kind))
		kind = *allowed;
	CPU_AND(&taken, &kind, used);
	CPU_XOR(&rest, &kind, &taken);
	if (take_highest(&rest, cnt, &set) < cnt)
		return -ENOSPC;
	*ret = set;
	return 0;
}
