/* SPDX-License-Identifier: BSD-2-Clause */
#include "steal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "smallfile.h"

#define STEAL_WORD 8 /* user nice system idle iowait irq softirq steal; word 0 is the name */
#define LINE_SIZE  256
#define STAT_SIZE  131072 /* a thousand CPUs; what comes after them is cut off */
#define NS_PER_SEC UINT64_C(1000000000)

int steal_parse(const char *text, unsigned cpu, uint64_t *ret_ticks)
{
	char name[32], line[LINE_SIZE];
	const char *at, *end;

	(void)snprintf(name, sizeof(name), "\ncpu%u ", cpu); /* fits; the first line is the sum */
	at = strstr(text, name);
	if (!at)
		return -ENOENT;
	end = strchr(++at, '\n');
	if (!end || (size_t)(end - at) >= sizeof(line))
		return -EINVAL;
	memcpy(line, at, (size_t)(end - at));
	line[end - at] = '\0';
	return smallfile_word_u64(line, STEAL_WORD, ret_ticks) ? -EINVAL : 0;
}

int steal_read(const char *root, unsigned cpu, uint64_t *ret_ns)
{
	AUTO_FREE char *text = malloc(STAT_SIZE);
	long per_sec = sysconf(_SC_CLK_TCK);
	uint64_t ticks;
	ssize_t len;
	int err;

	if (!text || per_sec <= 0)
		return text ? -EINVAL : -ENOMEM;
	len = smallfile_read(root, "/proc/stat", text, STAT_SIZE);
	if (len < 0)
		return (int)len;
	err = steal_parse(text, cpu, &ticks);
	if (err)
		return err;
	*ret_ns = ticks * (NS_PER_SEC / (uint64_t)per_sec);
	return 0;
}
