/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: the one-line files that joust keeps and reads again, as anybody may have left them. */
#include <stdint.h>
#include <stdio.h>
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

/* One benchmark, measured. */
static void measured(struct record *rec)
{
	struct rec_bench *b;
	struct rec_block *blk;

	record__init(rec);
	rec->host.hostname_hash = strdup("host");
	if (!rec->host.hostname_hash || record__add_bench(rec, "a", &b) ||
	    record__add_block(b, &blk))
		abort();
	b->metric[METRIC_CPU].limit = 1.02;
}

static void cite_line(char *line)
{
	struct record rec;

	measured(&rec);
	if (aa_cite_line(line, &rec) || rec.notes_cnt > 1)
		abort();
	for (const char *s = rec.notes_cnt ? rec.notes[0] : ""; *s; s++)
		if (*s < ' ' || *s > '~')
			abort();
	record__done(&rec);
}

/* `joust aa`: at most one note, without a byte that a terminal would obey; also in our circumstances. */
static void cite(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = text_of(data, size);
	AUTO_FREE char *ours = calloc(size + 64, 1);
	char key[AA_KEY_BYTES];
	struct record rec;

	if (!ours)
		abort();
	measured(&rec);
	aa_circumstances(&rec.host, &rec, key);
	record__done(&rec);
	(void)snprintf(ours, size + 64, "2026-11-30 %s %s", key, text);
	cite_line(ours);
	cite_line(text);
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
