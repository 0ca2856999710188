/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any bytes as /proc/stat; what is answered is of the line of that CPU. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/host/steal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text, name[32];
	uint64_t ticks;
	unsigned cpu = size ? data[0] % 12u : 0;

	text = strndup((const char *)data, size);
	if (!text)
		abort();
	(void)snprintf(name, sizeof(name), "cpu%u ", cpu);
	if (!steal_parse(text, cpu, &ticks) && !strstr(text, name))
		abort();
	free(text);
	return 0;
}
