/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A writer of JSON that keeps nothing in memory: a record's blocks may be many. Errors stay in the
 * stream (ferror). `key` is NULL inside arrays. Every value has one function, so that what a number
 * or an absent value looks like is decided in one place.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_stream {
	FILE *out;
	unsigned depth;
	unsigned flat_depth; /* from this depth on everything stays on one line; 0: nowhere */
	bool empty;	     /* nothing stands in the innermost container yet */
};

void json_open(struct json_stream *j, const char *key, char bracket); /* '{' or '[' */
void json_open_flat(struct json_stream *j, const char *key, char bracket);
void json_close(struct json_stream *j, char bracket); /* '}' or ']' */

void json_null(struct json_stream *j, const char *key);
void json_bool(struct json_stream *j, const char *key, bool value);
/* NULL is null. What is not UTF-8 becomes U+FFFD. */
void json_string(struct json_stream *j, const char *key, const char *value);
/* 17 significant digits: reads back as the same double. NaN and infinity are null. */
void json_raw(struct json_stream *j, const char *key, double value);
/* 12 significant digits: the same on every machine although libm is not. */
void json_derived(struct json_stream *j, const char *key, double value);
/* An array of them. */
void json_raws(struct json_stream *j, const char *key, const double *values, size_t n);
/* Both bounds or null: half an interval would be read as a whole one. */
void json_interval(struct json_stream *j, const char *key, double lo, double hi);
void json_int(struct json_stream *j, const char *key, int64_t value);
void json_int_or_null(struct json_stream *j, const char *key, int64_t value, bool known);
/* A number up to 2^53, else a decimal string: readers keep only doubles. */
void json_uint(struct json_stream *j, const char *key, uint64_t value);
void json_uint_string(struct json_stream *j, const char *key, uint64_t value);
