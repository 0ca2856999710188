/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256 };

struct json_doc {
	struct arena arena;
	struct json_value *root;
};

int reader_fail(struct reader *r, const char *where, const char *message)
{
	r->failed = where;
	r->message = message;
	return -EINVAL;
}

static int read_literal(struct reader *r, struct json_value *v, const char *word,
			enum json_type type)
{
	size_t len = strlen(word);

	if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
		return reader_fail(r, r->at, "this is not a value");
	r->at += len;
	v->type = (uint8_t)type;
	return 0;
}

int read_children(struct reader *r, struct json_value *v, char close, int depth)
{
	struct json_value **link = &v->first;
	int err;

	v->type = close == '}' ? JSON_OBJECT : JSON_ARRAY;
	v->first = NULL;
	v->len = 0;
	if (take(r, close))
		return 0;
	if (depth == DEPTH_MAX)
		return reader_fail(r, r->at, "values are nested too deeply here");
	do {
		struct json_value *child = arena_take(r->arena, sizeof(*child));

		if (!child)
			return -ENOMEM;
		*child = (struct json_value){0};
		err = close == '}' ? read_key(r, child) : 0;
		if (!err)
			err = read_value(r, child, depth + 1);
		if (err)
			return err;
		*link = child;
		link = &child->next;
		v->len++;
	} while (take(r, ','));
	if (take(r, close))
		return 0;
	return reader_fail(r, r->at,
			   close == '}' ? "a ',' or '}' is missing here"
					: "a ',' or ']' is missing here");
}

int read_value(struct reader *r, struct json_value *v, int depth)
{
	skip_space(r);
	if (r->at == r->end)
		return reader_fail(r, r->at, "the text ends where a value is missing");
	switch (*r->at) {
	case '{':
		r->at++;
		return read_children(r, v, '}', depth);
	case '[':
		return read_list(r, v, depth);
	case '"':
		v->type = JSON_STRING;
		return read_string(r, &v->string, &v->len);
	case 't':
		return read_literal(r, v, "true", JSON_TRUE);
	case 'f':
		return read_literal(r, v, "false", JSON_FALSE);
	case 'n':
		return read_literal(r, v, "null", JSON_NULL);
	default:
		return read_number(r, v);
	}
}

static void locate(const struct reader *r, const char *text, struct json_error *ret)
{
	const char *line = text;

	*ret = (struct json_error){(size_t)(r->failed - text), 1, 1, r->message};
	for (const char *p = text; p < r->failed; p++) {
		if (*p == '\n') {
			ret->line++;
			line = p + 1;
		}
	}
	ret->column = (size_t)(r->failed - line) + 1;
}

static int read_document(struct reader *r, struct json_value *root)
{
	int err = read_value(r, root, 0);

	if (err)
		return err;
	skip_space(r);
	return r->at == r->end ? 0 : reader_fail(r, r->at, "there is more text behind the value");
}

int json_parse(struct json_doc *doc, const char *text, size_t len, struct json_error *ret_error)
{
	struct reader r = {&doc->arena, text, text + len, NULL, NULL};
	struct json_value *root;
	int err = -ENOMEM;

	doc->root = NULL;
	if (len > UINT32_MAX)
		return -E2BIG;
	arena_reset(&doc->arena);
	root = arena_take(&doc->arena, sizeof(*root));
	if (root) {
		*root = (struct json_value){0};
		err = read_document(&r, root);
	}
	if (!err)
		doc->root = root;
	else if (err == -EINVAL && ret_error)
		locate(&r, text, ret_error);
	return err;
}

int json_doc__new(struct json_doc **ret)
{
	struct json_doc *doc = calloc(1, sizeof(*doc));

	if (!doc)
		return -ENOMEM;
	*ret = doc;
	return 0;
}

void json_doc__free(struct json_doc *doc)
{
	if (!doc)
		return;
	arena_done(&doc->arena);
	free(doc);
}

const struct json_value *json_root(const struct json_doc *doc)
{
	return doc->root;
}
