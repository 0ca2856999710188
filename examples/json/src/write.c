/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	struct json_buffer *out;
	bool pretty;
	unsigned depth;
};

static int write_value(struct writer *w, const struct json_value *v);

/* Room for `more` bytes. */
static int reserve(struct json_buffer *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 4096;
	char *data;

	if (b->cap - b->len >= more)
		return 0;
	if (more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		return -ENOMEM;
	while (cap - b->len < more)
		cap *= 2;
	data = realloc(b->data, cap);
	if (!data)
		return -ENOMEM;
	b->data = data;
	b->cap = cap;
	return 0;
}

void json_buffer__done(struct json_buffer *out)
{
	free(out->data);
	*out = (struct json_buffer){0};
}

static int put(struct writer *w, const char *text, size_t len)
{
	int err = reserve(w->out, len);

	if (err)
		return err;
	memcpy(w->out->data + w->out->len, text, len);
	w->out->len += len;
	return 0;
}

static int new_line(struct writer *w)
{
	size_t len = 1 + 2ul * w->depth;
	int err = w->pretty ? reserve(w->out, len) : 0;
	char *at;

	if (err || !w->pretty)
		return err;
	at = w->out->data + w->out->len;
	at[0] = '\n';
	memset(at + 1, ' ', len - 1);
	w->out->len += len;
	return 0;
}

/* A byte that cannot stand for itself; at most 6 bytes. */
static char *escape(char *at, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char letters[32] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
	char letter = c < 32 ? letters[c] : (char)c;

	*at++ = '\\';
	if (letter) {
		*at++ = letter;
		return at;
	}
	memcpy(at, "u00", 3);
	at[3] = hex[c >> 4];
	at[4] = hex[c & 15];
	return at + 5;
}

static int write_string(struct writer *w, const char *s, size_t len)
{
	int err = reserve(w->out, 6 * len + 2);
	char *at;

	if (err)
		return err;
	at = w->out->data + w->out->len;
	*at++ = '"';
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == '"' || c == '\\')
			at = escape(at, c);
		else
			*at++ = (char)c;
	}
	*at++ = '"';
	w->out->len = (size_t)(at - w->out->data);
	return 0;
}

/* The decimal digits of `value`, ending before `end`; where they begin. */
static char *digits(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

static int write_integer(struct writer *w, int64_t value)
{
	char text[24], *end = text + sizeof(text);
	char *at = digits(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);

	if (value < 0)
		*--at = '-';
	return put(w, at, (size_t)(end - at));
}

/*
 * A real with at most 6 decimals and 15 digits in all: printed by hand, it reads back as itself.
 * False for others.
 */
static bool short_real(double value, char *text, size_t *ret_len)
{
	double scaled = fabs(value) * 1e6;
	char buffer[32], *end = buffer + sizeof(buffer), *at;
	uint64_t all;
	int zeros = 0;

	if (!(scaled >= 1 && scaled < 1e15))
		return false;
	all = (uint64_t)(scaled + 0.5);
	if ((double)all / 1e6 != fabs(value))
		return false;
	while (zeros < 5 && all % 10 == 0) {
		all /= 10;
		zeros++;
	}
	at = digits(end, all);
	while (end - at < 7 - zeros)
		*--at = '0';
	*ret_len = 0;
	if (value < 0)
		text[(*ret_len)++] = '-';
	memcpy(text + *ret_len, at, (size_t)(end - at) - (size_t)(6 - zeros));
	*ret_len += (size_t)(end - at) - (size_t)(6 - zeros);
	text[(*ret_len)++] = '.';
	memcpy(text + *ret_len, end - (6 - zeros), (size_t)(6 - zeros));
	*ret_len += (size_t)(6 - zeros);
	return true;
}

/* The fewest digits that read back as the same double; the locale's point becomes a '.'. */
static size_t long_real(double value, char *text, size_t size)
{
	size_t len = 0;
	bool real = false;

	for (int precision = 15; precision <= 17; precision++) {
		snprintf(text, size, "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	for (const char *p = text; *p; p++) {
		if (strchr("0123456789+-e", *p)) {
			real = real || *p == 'e';
			text[len++] = *p;
		} else if (len == 0 || text[len - 1] != '.') {
			real = true;
			text[len++] = '.';
		}
	}
	if (!real) {
		memcpy(text + len, ".0", 2);
		len += 2;
	}
	return len;
}

static int write_real(struct writer *w, double value)
{
	char text[64];
	size_t len;

	if (!short_real(value, text, &len))
		len = long_real(value, text, sizeof(text) - 4);
	return put(w, text, len);
}

static int write_child(struct writer *w, const struct json_value *v)
{
	int err = new_line(w);

	if (!err && v->key)
		err = write_string(w, v->key, v->key_len);
	if (!err && v->key)
		err = put(w, ": ", w->pretty ? 2 : 1);
	return err ? err : write_value(w, v);
}

static int write_children(struct writer *w, const struct json_value *v, const char *brackets)
{
	int err = put(w, brackets, 1);

	w->depth++;
	for (const struct json_value *child = v->first; child && !err; child = child->next) {
		err = write_child(w, child);
		if (!err && child->next)
			err = put(w, ",", 1);
	}
	w->depth--;
	if (!err && v->first)
		err = new_line(w);
	return err ? err : put(w, brackets + 1, 1);
}

static int write_value(struct writer *w, const struct json_value *v)
{
	switch ((enum json_type)v->type) {
	case JSON_NULL:
		return put(w, "null", 4);
	case JSON_FALSE:
		return put(w, "false", 5);
	case JSON_TRUE:
		return put(w, "true", 4);
	case JSON_INTEGER:
		return write_integer(w, v->integer);
	case JSON_REAL:
		return write_real(w, v->real);
	case JSON_STRING:
		return write_string(w, v->string, v->len);
	case JSON_ARRAY:
		return write_children(w, v, "[]");
	case JSON_OBJECT:
		return write_children(w, v, "{}");
	}
	return -EINVAL;
}

int json_write(struct json_buffer *out, const struct json_value *v, enum json_style style)
{
	struct writer w = {out, style == JSON_PRETTY, 0};

	return write_value(&w, v);
}
