/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any bytes as a list of CPUs; what is chosen of a list is of it, and as many as asked for. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/host/cpulist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

static int is_subset(const cpu_set_t *part, const cpu_set_t *whole)
{
	cpu_set_t both;

	CPU_AND(&both, part, whole);
	return CPU_EQUAL(&both, part);
}

/* The first byte is how many CPUs are wanted, and which of them are isolated. */
static void choose(const cpu_set_t *set, uint8_t wish)
{
	cpu_set_t isolated, chosen, other, both;
	size_t cnt = wish & 15;

	CPU_ZERO(&isolated);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu += 1 + (wish >> 4))
		CPU_SET(cpu, &isolated);
	if (cpulist_choose(set, &isolated, cnt, &chosen)) {
		demand((size_t)CPU_COUNT(set) < cnt);
		return;
	}
	demand((size_t)CPU_COUNT(&chosen) == cnt && is_subset(&chosen, set));
	if (cpulist_choose_other(set, &isolated, &chosen, &other))
		return;
	CPU_AND(&both, &chosen, &other);
	demand(!CPU_COUNT(&both) && (size_t)CPU_COUNT(&other) == cnt && is_subset(&other, set));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cpu_set_t set;
	char *text;
	int err;

	if (!size)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	if (!text)
		abort();
	err = cpulist_parse(text, &set);
	demand(!err || err == -EINVAL);
	if (!err)
		choose(&set, data[0]);
	free(text);
	return 0;
}
