/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_fields.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json_scan.h"

#define EXACT_MAX 9007199254740992.0 /* 2^53 */

void json_flaw(struct json_reader *r, const char *fmt, ...)
{
	char text[192];
	va_list ap;

	if (r->err)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut short if need be */
	va_end(ap);
	(void)snprintf(r->why, sizeof(r->why), "%s%s", r->where, text);
	r->err = -EINVAL;
}

void json_no_memory(struct json_reader *r)
{
	if (!r->err)
		r->err = -ENOMEM;
}

const cJSON *json_member(struct json_reader *r, const cJSON *object, const char *key)
{
	const cJSON *item = r->err ? NULL : cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		json_flaw(r, "\"%s\" is missing", key);
	return item;
}

const cJSON *json_object(struct json_reader *r, const cJSON *object, const char *key)
{
	const cJSON *item = json_member(r, object, key);

	if (item && !cJSON_IsObject(item)) {
		json_flaw(r, "\"%s\" is no object", key);
		return NULL;
	}
	return item;
}

const cJSON *json_array(struct json_reader *r, const cJSON *object, const char *key, size_t most)
{
	const cJSON *item = json_member(r, object, key);

	if (item && (!cJSON_IsArray(item) || (size_t)cJSON_GetArraySize(item) > most)) {
		json_flaw(r, "\"%s\" is no array of at most %zu", key, most);
		return NULL;
	}
	return item;
}

static bool whole(const cJSON *item, double lo, double hi)
{
	return cJSON_IsNumber(item) && item->valuedouble >= lo && item->valuedouble <= hi &&
	       item->valuedouble == floor(item->valuedouble);
}

static bool take_text(struct json_reader *r, const cJSON *item, char **to)
{
	char *copy;

	if (cJSON_IsNull(item))
		return true;
	if (!cJSON_IsString(item))
		return false;
	copy = strdup(item->valuestring);
	if (!copy)
		json_no_memory(r);
	free(*to);
	*to = copy;
	return true;
}

static bool take_real(const cJSON *item, double *to)
{
	if (!cJSON_IsNull(item) && !cJSON_IsNumber(item))
		return false;
	*to = cJSON_IsNull(item) ? NAN : item->valuedouble;
	return true;
}

/* Decimal digits and nothing else, below 2^64. */
static bool take_digits(const char *s, uint64_t *to)
{
	uint64_t v = 0;

	for (const char *at = s; *at; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = 10 * v + digit;
	}
	*to = v;
	return s[0];
}

static bool take_u64(const cJSON *item, uint64_t *to)
{
	const char *s = cJSON_GetStringValue(item);

	if (whole(item, 0, EXACT_MAX)) {
		*to = (uint64_t)item->valuedouble;
		return true;
	}
	if (cJSON_IsNull(item)) {
		*to = 0;
		return true;
	}
	return s && take_digits(s, to);
}

static bool take_i64(const cJSON *item, int64_t *to)
{
	bool known = whole(item, -EXACT_MAX, EXACT_MAX);

	if (!known && !cJSON_IsNull(item))
		return false;
	*to = known ? (int64_t)item->valuedouble : 0;
	return true;
}

static bool take_int(const cJSON *item, int *to)
{
	bool known = whole(item, INT32_MIN, INT32_MAX);

	if (!known && !cJSON_IsNull(item))
		return false;
	*to = known ? (int)item->valuedouble : -1;
	return true;
}

static bool take_flag(const cJSON *item, bool *to)
{
	if (!cJSON_IsBool(item))
		return false;
	*to = cJSON_IsTrue(item);
	return true;
}

static bool take_choice(const cJSON *item, const struct json_field *f, void *to)
{
	int found = -1;

	if (cJSON_IsNull(item) || cJSON_IsString(item))
		found = f->find(cJSON_GetStringValue(item));
	if (found < 0)
		return false;
	/* every enum of the record is as wide as an int */
	memcpy(to, &found, sizeof(found));
	return true;
}

static bool take(struct json_reader *r, const cJSON *item, const struct json_field *f, void *to)
{
	switch (f->type) {
	case JSON_TEXT:
		return take_text(r, item, to);
	case JSON_REAL:
		return take_real(item, to);
	case JSON_SIZE:
		if (!whole(item, 0, f->most))
			return false;
		*(size_t *)to = (size_t)item->valuedouble;
		return true;
	case JSON_U64:
		return take_u64(item, to);
	case JSON_I64:
		return take_i64(item, to);
	case JSON_INT:
		return take_int(item, to);
	case JSON_UINT:
		if (!whole(item, 0, f->most))
			return false;
		*(unsigned *)to = (unsigned)item->valuedouble;
		return true;
	case JSON_FLAG:
		return take_flag(item, to);
	case JSON_CHOICE:
		return take_choice(item, f, to);
	}
	return false;
}

void json_fields(struct json_reader *r, const cJSON *object, const struct json_field *fields,
		 size_t cnt, void *to)
{
	for (size_t i = 0; i < cnt; i++) {
		const cJSON *item = json_member(r, object, fields[i].key);

		if (!item)
			return;
		if (!take(r, item, &fields[i], (char *)to + fields[i].offset))
			json_flaw(r, "\"%s\" has a value that it cannot have", fields[i].key);
	}
}

size_t json_reals(struct json_reader *r, const cJSON *object, const char *key, double *ret,
		  size_t most)
{
	const cJSON *array = json_array(r, object, key, most), *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, array) {
		if (!take_real(item, &ret[n++])) {
			json_flaw(r, "\"%s\" holds no numbers", key);
			return 0;
		}
	}
	return n;
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

/* Which of two equal keys holds is a matter of taste, and so of attack. */
static void check_keys(struct json_reader *r, const cJSON *object)
{
	size_t cnt = (size_t)cJSON_GetArraySize(object), n = 0;
	AUTO_FREE const cJSON **sorted = calloc(cnt + 1, sizeof(*sorted));
	const cJSON *item;

	if (!sorted) {
		json_no_memory(r);
		return;
	}
	cJSON_ArrayForEach(item, object)
		sorted[n++] = item;
	qsort(sorted, n, sizeof(*sorted), by_key);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(sorted[i - 1]->string, sorted[i]->string))
			json_flaw(r, "\"%.60s\" stands twice", sorted[i]->string);
}

static void check_tree(struct json_reader *r, const cJSON *value)
{
	const cJSON *item;

	if (cJSON_IsObject(value))
		check_keys(r, value);
	cJSON_ArrayForEach(item, value) {
		if (item->child && !r->err)
			check_tree(r, item); /* JSON_DEPTH_MAX deep */
	}
}

/* What a file is that does not even begin as a record does; NULL: it does. */
static const char *other_file(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && strchr(" \n\t\r", text[at]) && text[at])
		at++;
	if (at == len)
		return "it is empty";
	return text[at] == '{' || text[at] == '[' ? NULL : "it is no JSON";
}

cJSON *json_parse(struct json_reader *r, const char *text, size_t len)
{
	size_t at;
	const char *flaw = json_scan(text, len, &at);
	cJSON *root;

	if (flaw) {
		const char *other = other_file(text, len);

		if (other)
			json_flaw(r, "%s", other);
		else
			json_flaw(r, "at byte %zu: %s", at, flaw);
		return NULL;
	}
	root = cJSON_ParseWithLength(text, len);
	if (!root) {
		json_no_memory(r); /* it is JSON: nothing else can be wrong */
		return NULL;
	}
	check_tree(r, root);
	if (!r->err)
		return root;
	cJSON_Delete(root);
	return NULL;
}
