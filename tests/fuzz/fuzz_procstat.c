/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer: any bytes as /proc/stat and /proc/loadavg end in a row of doctor that can be true, and as
 * /proc/PID/stat in an answer.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "engine/host/doctor_rows.h"
#include "engine/host/procstat.h"
#include "place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void put(const char *name, const uint8_t *data, size_t size)
{
	char path[PATH_MAX + 32];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/proc", fuzz_place());
	demand(!mkdir(path, 0700) || errno == EEXIST);
	(void)snprintf(path, sizeof(path), "%s/proc/%s", fuzz_place(), name);
	f = fopen(path, "w");
	demand(f && fwrite(data, 1, size, f) == size && !fclose(f));
}

static void look(int (*at)(const char *root, struct doctor_row *row), double most)
{
	struct doctor_row row = {.name = "x"};
	double value;

	demand(!at(fuzz_place(), &row) && row.finding && row.finding[0]);
	if (sscanf(row.finding, "%lf ", &value) == 1)
		demand(value >= 0 && value <= most);
	free(row.finding);
	free(row.remedy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct procstat s;

	demand(text != NULL);
	demand(procstat_parse(text, &s) || s.state);
	free(text);
	put("stat", data, size);
	put("loadavg", data, size);
	look(doctor_look_steal, 100);
	look(doctor_look_load, 1e9);
	return 0;
}
