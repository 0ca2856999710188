/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any bytes as joust.conf end in a configuration that is as strict as itself, or in one sentence. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "engine/project/config.h"
#include "engine/project/loosened.h"
#include "place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each section under its own name, and all of them under one that is no section's. */
static void hold_against(const struct config *now, const struct config *before)
{
	AUTO_FREE struct loosened_bench *b = calloc(2 * now->benches_cnt + 1, sizeof(*b));
	AUTO_FREE char *project = NULL;
	AUTO_FREE char *benches = NULL;

	if (!b)
		abort();
	for (size_t i = 0; i < now->benches_cnt; i++) {
		b[2 * i] = (struct loosened_bench){now->benches[i].name, &now->benches[i]};
		b[2 * i + 1] = (struct loosened_bench){"another", &now->benches[i]};
	}
	if (loosened_project(now, before, true, true, &project) ||
	    loosened_benches(now, before, b, 2 * now->benches_cnt, &benches))
		abort();
	if (now == before && project[0])
		abort(); /* as strict as itself */
	if (!before->benches_cnt && benches[0])
		abort(); /* nothing to be looser than */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct config last; /* of the input before */
	const char *dir = fuzz_place();
	char path[PATH_MAX + 32];
	struct config config;
	struct problem why = {0};
	int fd;

	fuzz_hold_git();
	if (setenv("HOME", dir, 1) || unsetenv("XDG_CONFIG_HOME"))
		abort();
	(void)snprintf(path, sizeof(path), "%s/" CONFIG_FILE, dir);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd))
		abort();
	if (!config__load(&config, dir, &why)) {
		for (size_t i = 0; i < config.benches_cnt; i++) {
			if (!config.benches[i].worker == !config.benches[i].command)
				abort();
			if (!config_find(&config, NULL, config.benches[i].name))
				abort();
		}
		hold_against(&config, &config);
		hold_against(&config, &last);
		hold_against(&last, &config);
		config__done(&last);
		last = config;
	} else if (!why.text[0]) {
		abort();
	}
	problem__done(&why);
	return 0;
}
