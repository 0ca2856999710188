/* SPDX-License-Identifier: BSD-2-Clause */
/* jsonfmt: reads JSON from a file or standard input and prints it pretty, or compact with -c. */
#include "src/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64 };

static int read_all(FILE *in, struct json_buffer *text)
{
	size_t got;

	do {
		if (text->len == text->cap) {
			size_t cap = text->cap ? 2 * text->cap : 65536;
			char *data = realloc(text->data, cap);

			if (!data)
				return -ENOMEM;
			text->data = data;
			text->cap = cap;
		}
		got = fread(text->data + text->len, 1, text->cap - text->len, in);
		text->len += got;
	} while (got > 0);
	return ferror(in) ? -EIO : 0;
}

static int load(const char *path, struct json_buffer *text)
{
	FILE *in = path ? fopen(path, "re") : stdin;
	int err;

	if (!in)
		return -errno;
	err = read_all(in, text);
	if (in != stdin)
		(void)fclose(in); /* only read from */
	return err;
}

static int print(const struct json_value *root, enum json_style style)
{
	struct json_buffer out = {0};
	int err = json_write(&out, root, style);

	if (!err && (fwrite(out.data, 1, out.len, stdout) != out.len || putchar('\n') == EOF ||
		     fflush(stdout) == EOF))
		err = -EIO;
	json_buffer__done(&out);
	return err;
}

/* The exit status. */
static int format(const char *path, enum json_style style)
{
	const char *name = path ? path : "standard input";
	struct json_buffer text = {0};
	struct json_error error = {0};
	struct json_doc *doc = NULL;
	int err = json_doc__new(&doc);

	if (!err)
		err = load(path, &text);
	if (!err)
		err = json_parse(doc, text.data, text.len, &error);
	if (!err)
		err = print(json_root(doc), style);
	if (err && error.message)
		fprintf(stderr, "%s:%zu:%zu: %s\n", name, error.line, error.column, error.message);
	else if (err)
		fprintf(stderr, "jsonfmt: %s: %s\n", name, strerror(-err));
	json_buffer__done(&text);
	json_doc__free(doc);
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	enum json_style style = JSON_PRETTY;
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "-c") == 0) {
		style = JSON_COMPACT;
		first = 2;
	}
	if (argc > first + 1 || (argc > first && argv[first][0] == '-')) {
		fprintf(stderr, "usage: jsonfmt [-c] [FILE]\n");
		return EXIT_USAGE;
	}
	return format(argv[first], style);
}
