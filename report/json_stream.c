/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_stream.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "unicode.h"

#define EXACT_MAX (UINT64_C(1) << 53)

/* The only place that writes a string. DEL and C1 too: people look at JSON in terminals. */
static void write_string(FILE *out, const char *s)
{
	size_t len = strlen(s);

	fputc('"', out);
	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t taken = utf8_decode(s + at, len - at, &cp);

		if (taken == 0)
			fputs("\xef\xbf\xbd", out);
		else if (cp == '"' || cp == '\\')
			fprintf(out, "\\%c", (char)cp);
		else if (cp <= 0xffff && unicode_hidden(cp))
			fprintf(out, "\\u%04x", cp);
		else
			fwrite(s + at, 1, taken, out);
		at += taken ? taken : 1;
	}
	fputc('"', out);
}

static bool flat(const struct json_stream *j)
{
	return j->flat_depth && j->depth >= j->flat_depth;
}

static void line_break(struct json_stream *j)
{
	if (flat(j))
		return;
	fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
}

/* What stands before a value: comma, line, key. */
static void begin_value(struct json_stream *j, const char *key)
{
	if (!j->empty)
		fputs(flat(j) ? ", " : ",", j->out);
	if (j->depth)
		line_break(j);
	j->empty = false;
	if (key) {
		write_string(j->out, key);
		fputs(": ", j->out);
	}
}

void json_open(struct json_stream *j, const char *key, char bracket)
{
	begin_value(j, key);
	fputc(bracket, j->out);
	j->depth++;
	j->empty = true;
}

void json_open_flat(struct json_stream *j, const char *key, char bracket)
{
	json_open(j, key, bracket);
	if (!j->flat_depth)
		j->flat_depth = j->depth;
}

void json_close(struct json_stream *j, char bracket)
{
	bool was_flat = flat(j);

	if (j->flat_depth == j->depth)
		j->flat_depth = 0;
	j->depth--;
	if (!j->empty && !was_flat)
		line_break(j);
	fputc(bracket, j->out);
	j->empty = false;
}

void json_null(struct json_stream *j, const char *key)
{
	begin_value(j, key);
	fputs("null", j->out);
}

void json_bool(struct json_stream *j, const char *key, bool value)
{
	begin_value(j, key);
	fputs(value ? "true" : "false", j->out);
}

void json_string(struct json_stream *j, const char *key, const char *value)
{
	if (!value) {
		json_null(j, key);
		return;
	}
	begin_value(j, key);
	write_string(j->out, value);
}

static void write_double(struct json_stream *j, const char *key, double value, int digits)
{
	if (!isfinite(value)) {
		json_null(j, key);
		return;
	}
	begin_value(j, key);
	fprintf(j->out, "%.*g", digits, value);
}

void json_raw(struct json_stream *j, const char *key, double value)
{
	write_double(j, key, value, 17);
}

void json_derived(struct json_stream *j, const char *key, double value)
{
	write_double(j, key, value, 12);
}

void json_raws(struct json_stream *j, const char *key, const double *values, size_t n)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < n; i++)
		json_raw(j, NULL, values[i]);
	json_close(j, ']');
}

void json_interval(struct json_stream *j, const char *key, double lo, double hi)
{
	if (!isfinite(lo) || !isfinite(hi)) {
		json_null(j, key);
		return;
	}
	json_open_flat(j, key, '[');
	json_derived(j, NULL, lo);
	json_derived(j, NULL, hi);
	json_close(j, ']');
}

void json_int(struct json_stream *j, const char *key, int64_t value)
{
	begin_value(j, key);
	fprintf(j->out, "%" PRId64, value);
}

void json_int_or_null(struct json_stream *j, const char *key, int64_t value, bool known)
{
	if (known)
		json_int(j, key, value);
	else
		json_null(j, key);
}

void json_uint(struct json_stream *j, const char *key, uint64_t value)
{
	if (value > EXACT_MAX) {
		json_uint_string(j, key, value);
		return;
	}
	begin_value(j, key);
	fprintf(j->out, "%" PRIu64, value);
}

void json_uint_string(struct json_stream *j, const char *key, uint64_t value)
{
	begin_value(j, key);
	fprintf(j->out, "\"%" PRIu64 "\"", value);
}
