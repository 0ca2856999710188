/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer: any bytes as lines of /proc/PID/maps, and as what a dynamic loader lists, end in an answer
 * within bounds. A file that is called alike is of a tree, so that names are compared.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/project/mapping.h"
#include "engine/project/versions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void check_lines(char *text)
{
	struct mapping m;
	char *save;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!mapping_parse(line, &m))
			continue;
		demand(memchr(m.range, 0, sizeof(m.range)) != NULL);
		demand(memchr(m.path, 0, sizeof(m.path)) != NULL);
		demand(m.path[0] == '/' && m.ino && !m.file[0]);
		demand(strlen(m.path) <= strlen(line));
	}
}

static void check_listing(const char *text, size_t size)
{
	static struct tree_file lib = {.dev = 1, .ino = 1, .path = (char *)"lib/libc.so.6"};
	static const struct tree own = {.root = (char *)"/own", .files_cnt = 1, .files = &lib};
	static const struct tree other = {.root = (char *)"/other"};
	char *detail = NULL;
	enum reason why = identity_check_listing(text, size, &own, &other, &detail);

	demand(why == REASON_NONE || (detail && detail[0] == '/'));
	free(detail);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	check_listing(text, size);
	check_lines(text);
	free(text);
	return 0;
}
