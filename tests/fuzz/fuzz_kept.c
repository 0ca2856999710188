/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: the one-line files that joust keeps and reads again, as anybody may have left them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/cli/aa_report.h"
#include "engine/project/layouts.h"

#define LINKS_MOST 12

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *text_of(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	return text;
}

/* `joust aa` of this host: at most one note, without a byte that a terminal would obey. */
static void cite(const uint8_t *data, size_t size)
{
	AUTO_FREE char *line = text_of(data, size);
	struct record rec;

	record__init(&rec);
	rec.host.hostname_hash = strdup("host");
	if (!rec.host.hostname_hash || aa_cite_line(line, &rec) || rec.notes_cnt > 1)
		abort();
	for (const char *s = rec.notes_cnt ? rec.notes[0] : ""; *s; s++)
		if (*s < ' ' || *s > '~')
			abort();
	record__done(&rec);
}

static void links(const uint8_t *data, size_t size)
{
	AUTO_FREE char *line = text_of(data, size);
	AUTO_FREE char *failure = NULL;
	size_t made = 0;

	if (layouts_result(line, LINKS_MOST, &made, &failure) == 0 && made > LINKS_MOST)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cite(data, size);
	links(data, size);
	return 0;
}
