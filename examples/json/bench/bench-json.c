/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's benchmarks: what a program that reads and writes JSON spends its time on. */
#include <joust.h>

#include "../src/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char large[] = "data/large.json";

/* The bytes of the large document; 0 and a failed benchmark if it cannot be read. */
static size_t load(struct joust *b, char *text, size_t size)
{
	FILE *in = fopen(large, "re");
	size_t len = in ? fread(text, 1, size, in) : 0;

	if (len == 0 || len == size)
		joust_fail(b, "%s: %s", large, in ? "empty or too large" : strerror(errno));
	if (in)
		(void)fclose(in); /* only read from */
	return len < size ? len : 0;
}

/* A document with the text read into it; NULL and a failed benchmark otherwise. */
static struct json_doc *parsed(struct joust *b, const char *text, size_t len)
{
	struct json_error error = {0, 0, 0, "no memory"};
	struct json_doc *doc = NULL;

	if (json_doc__new(&doc) == 0 && json_parse(doc, text, len, &error) == 0)
		return doc;
	joust_fail(b, "line %zu, column %zu: %s", error.line, error.column, error.message);
	json_doc__free(doc);
	return NULL;
}

/* Both versions must have read the same: the tree's compact text goes into the digest. */
static void digest(struct joust *b, const struct json_doc *doc)
{
	struct json_buffer out = {0};

	if (!json_root(doc) || json_write(&out, json_root(doc), JSON_COMPACT) != 0)
		joust_fail(b, "the document cannot be written");
	else
		joust_digest(b, out.data, out.len);
	json_buffer__done(&out);
}

/* The document is read into again and again: its memory is reused, as in a server. */
static void parse(struct joust *b, const char *text, size_t len)
{
	struct json_doc *doc = parsed(b, text, len);

	if (!doc)
		return;
	JOUST_LOOP(b)
		joust_keep(json_parse(doc, text, len, NULL));
	digest(b, doc);
	json_doc__free(doc);
}

static void write(struct joust *b, enum json_style style)
{
	static char text[1 << 16];
	size_t len = load(b, text, sizeof(text));
	struct json_doc *doc = len ? parsed(b, text, len) : NULL;
	struct json_buffer out = {0};

	if (!doc)
		return;
	JOUST_LOOP(b) {
		out.len = 0;
		joust_keep(json_write(&out, json_root(doc), style));
	}
	joust_digest(b, out.data, out.len);
	json_buffer__done(&out);
	json_doc__free(doc);
}

JOUST_BENCH(parse_large, "parse: large document")
{
	static char text[1 << 16];
	size_t len = load(b, text, sizeof(text));

	if (len)
		parse(b, text, len);
}

JOUST_BENCH(parse_empty, "parse: empty document")
{
	parse(b, "{}", 2);
}

JOUST_BENCH(write_compact, "write: compact")
{
	write(b, JSON_COMPACT);
}

JOUST_BENCH(write_pretty, "write: pretty")
{
	write(b, JSON_PRETTY);
}
