/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever is given to -e, perf_names_add takes a name with what it counts, or says why not. The
 * events directory of the host is read, so that names of a PMU are met as well.
 */
#include <stdlib.h>
#include <string.h>
#include "engine/host/perf_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_names names = {.cnt = 0};
	char why[PERF_WHY_MAX] = "", text[4096];
	int err;

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	err = perf_names_add("", text, &names, why);
	demand(names.cnt <= EVENTS_MAX);
	demand(err ? why[0] && memchr(why, 0, sizeof(why)) : names.cnt > 0);
	for (size_t i = 0; i < names.cnt; i++) {
		const struct perf_named *e = &names.item[i];
		struct perf_names again = {.cnt = 0};

		demand(e->name[0] && memchr(e->name, 0, sizeof(e->name)) != NULL);
		demand(!(e->spec.user_only && e->spec.kernel_only));
		/* a name in the record can be given to -e again and means the same */
		demand(perf_names_add("", e->name, &again, why) == 0 && again.cnt == 1);
		demand(!memcmp(&again.item[0].spec, &e->spec, sizeof(e->spec)));
	}
	return 0;
}
