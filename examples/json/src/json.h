/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A small JSON library: text to a tree and back. Strict (RFC 8259, UTF-8 without exceptions, no
 * number outside the range of a double); a document owns its tree and is meant to be read into many
 * times. Nothing here is shared between threads. Functions that can fail return 0 or a negative
 * errno.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_INTEGER,
	JSON_REAL,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};
enum json_style { JSON_COMPACT, JSON_PRETTY };

struct json_doc;
struct json_value;

/* Where a text is not JSON: bytes from its start, line and column from 1, and what was expected. */
struct json_error {
	size_t offset, line, column;
	const char *message;
};

/* -ENOMEM. */
int json_doc__new(struct json_doc **ret);
/* Accepts NULL. */
void json_doc__free(struct json_doc *doc);

/*
 * Reads a text into the document; what it held before is gone, its memory is used again. -EINVAL: not
 * JSON, *ret_error (may be NULL) says where; -ENOMEM. The document has no root after a failure.
 */
int json_parse(struct json_doc *doc, const char *text, size_t len, struct json_error *ret_error);

/* NULL before the first text and after a failure. Values live until the next text. */
const struct json_value *json_root(const struct json_doc *doc);

enum json_type json_type(const struct json_value *v);
/* An integer or a real as a double; 0 for other types. */
double json_number(const struct json_value *v);
/* -ERANGE: not an integer of 64 bits. */
int json_integer(const struct json_value *v, int64_t *ret);
/* NUL-terminated (it may contain more NULs); NULL for other types. */
const char *json_string(const struct json_value *v, size_t *ret_len);
/* Elements of an array, members of an object, else 0. */
size_t json_count(const struct json_value *v);
/* The first child of an array or object and the one after a child; NULL at the end. */
const struct json_value *json_first(const struct json_value *v);
const struct json_value *json_next(const struct json_value *v);
/* The name of a member of an object; NULL for other values. */
const char *json_key(const struct json_value *v, size_t *ret_len);
/* The last member of that name; NULL if there is none. */
const struct json_value *json_member(const struct json_value *object, const char *key);

/* Text that grows; zero it before the first use, empty it with len = 0. */
struct json_buffer {
	char *data;
	size_t len, cap;
};
void json_buffer__done(struct json_buffer *out);

/* Appends the value as text, without a newline at the end. -ENOMEM. */
int json_write(struct json_buffer *out, const struct json_value *v, enum json_style style);
