/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Objects of parsed JSON into structs, by tables: one row for each member that is read. Every row's
 * key must be there; keys without a row are passed over. The first problem stays in the reader, and
 * what is called after it does nothing.
 */
#include <stddef.h>
#include <cjson/cJSON.h>
#include "cleanup.h"

struct json_reader {
	int err;	/* -EINVAL: the file is not what it should be; -ENOMEM */
	char why[256];	/* for -EINVAL */
	char where[64]; /* put before it: "benchmark 3, block 7: " */
};

enum json_type {
	JSON_TEXT,   /* char *, owned; null is NULL */
	JSON_REAL,   /* double; null is NaN */
	JSON_SIZE,   /* size_t, up to `most` */
	JSON_U64,    /* uint64_t: a number up to 2^53, or decimal digits in a string; null is 0 */
	JSON_I64,    /* int64_t; null is 0 */
	JSON_INT,    /* int; null is -1 */
	JSON_UINT,   /* unsigned, up to `most` */
	JSON_FLAG,   /* bool */
	JSON_CHOICE, /* an enum, by `find`; null is what find(NULL) says */
};

struct json_field {
	const char *key;
	enum json_type type;
	size_t offset;
	double most;
	int (*find)(const char *name); /* -1: there is no such name */
};

void json_flaw(struct json_reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void json_no_memory(struct json_reader *r);

/* The member `key`; NULL with the problem set when there is none of that kind. */
const cJSON *json_member(struct json_reader *r, const cJSON *object, const char *key);
const cJSON *json_object(struct json_reader *r, const cJSON *object, const char *key);
const cJSON *json_array(struct json_reader *r, const cJSON *object, const char *key, size_t most);

void json_fields(struct json_reader *r, const cJSON *object, const struct json_field *fields,
		 size_t cnt, void *to);

/* ret[0..result) from an array of numbers and nulls, at most `most` of them. */
size_t json_reals(struct json_reader *r, const cJSON *object, const char *key, double *ret,
		  size_t most);

/* Parsed text of which json_scan approved, no key twice in an object; cJSON_Delete it. NULL: why. */
cJSON *json_parse(struct json_reader *r, const char *text, size_t len);

DEFINE_CLEANUP(json_delete, cJSON *, cJSON_Delete);
