/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <errno.h>
#include <string.h>

static bool is_container(const struct json_value *v)
{
	return v->type == JSON_ARRAY || v->type == JSON_OBJECT;
}

enum json_type json_type(const struct json_value *v)
{
	return (enum json_type)v->type;
}

double json_number(const struct json_value *v)
{
	if (v->type == JSON_INTEGER)
		return (double)v->integer;
	return v->type == JSON_REAL ? v->real : 0;
}

int json_integer(const struct json_value *v, int64_t *ret)
{
	if (v->type != JSON_INTEGER)
		return -ERANGE;
	*ret = v->integer;
	return 0;
}

const char *json_string(const struct json_value *v, size_t *ret_len)
{
	if (v->type != JSON_STRING)
		return NULL;
	if (ret_len)
		*ret_len = v->len;
	return v->string;
}

size_t json_count(const struct json_value *v)
{
	return is_container(v) ? v->len : 0;
}

const struct json_value *json_first(const struct json_value *v)
{
	return is_container(v) ? v->first : NULL;
}

const struct json_value *json_next(const struct json_value *v)
{
	return v->next;
}

const char *json_key(const struct json_value *v, size_t *ret_len)
{
	if (v->key && ret_len)
		*ret_len = v->key_len;
	return v->key;
}

static bool is_key(const struct json_value *v, const char *key)
{
	return strlen(key) == v->key_len && memcmp(v->key, key, v->key_len) == 0;
}

const struct json_value *json_member(const struct json_value *object, const char *key)
{
	const struct json_value *found = NULL;

	if (object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_value *v = object->first; v; v = v->next)
		if (is_key(v, key))
			found = v;
	return found;
}
