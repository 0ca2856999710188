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

static bool is_as_strict_as_itself(const struct config *c)
{
	AUTO_FREE char *text = NULL;

	return !loosened_list(c, c, true, &text) && !text[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
		if (!is_as_strict_as_itself(&config))
			abort();
		config__done(&config);
	} else if (!why.text[0]) {
		abort();
	}
	problem__done(&why);
	return 0;
}
