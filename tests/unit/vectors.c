/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "vectors_table.h"

#ifndef JOUST_TESTDATA
#define JOUST_TESTDATA "tests/data"
#endif

cJSON *vectors_load(const char *path)
{
	static char text[1 << 24];
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return NULL;
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	(void)fclose(f); /* read only */
	return cJSON_Parse(text);
}

struct vector vector_of(const cJSON *item)
{
	struct vector v = {vector_text(item, "id"), vector_item(item, "in"),
			   vector_item(item, "out"), NULL};

	v.error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v.out, "error"));
	return v;
}

void vectors_group(const char *group)
{
	const struct vector_group *known = vectors_find(group);
	const cJSON *cases, *item;
	char path[256];
	cJSON *root;

	(void)snprintf(path, sizeof(path), "%s/vectors/%s.json", JOUST_TESTDATA, group);
	root = vectors_load(path);
	if (!known || !root)
		fail_msg("%s is not there or has no kernel; run from the root of the tree", path);
	assert_string_equal(vector_text(root, "group"), group);
	assert_string_equal(vector_text(root, "tolerance"), known->tolerance);
	cases = vector_item(root, "cases");
	assert_true(cJSON_GetArraySize(cases) > 0);
	cJSON_ArrayForEach(item, cases) {
		struct vector v = vector_of(item);

		known->check(&v);
	}
	cJSON_Delete(root);
}

const cJSON *vector_item(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		fail_msg("no member \"%s\"", key);
	return item;
}

double vector_number(const cJSON *item)
{
	if (cJSON_IsNumber(item))
		return item->valuedouble;
	if (cJSON_IsString(item))
		return strtod(item->valuestring, NULL); /* the three spellings are those of C */
	assert_true(cJSON_IsNull(item));
	return NAN;
}

double vector_get(const cJSON *object, const char *key)
{
	return vector_number(vector_item(object, key));
}

size_t vector_count(const cJSON *object, const char *key)
{
	double v = vector_get(object, key);

	assert_true(v >= 0 && v == floor(v));
	return (size_t)v;
}

const char *vector_text(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(vector_item(object, key));

	if (!text)
		fail_msg("member \"%s\" is not a string", key);
	return text;
}

uint64_t vector_u64(const cJSON *item)
{
	if (cJSON_IsNumber(item))
		return (uint64_t)item->valuedouble;
	assert_true(cJSON_IsString(item));
	return strtoull(item->valuestring, NULL, 10);
}

double *vector_doubles(const cJSON *array, size_t *ret_n)
{
	size_t n = (size_t)cJSON_GetArraySize(array), i = 0;
	double *x = calloc(n + 1, sizeof(*x));
	const cJSON *item;

	assert_non_null(x);
	assert_true(n <= VECTOR_N_MAX);
	cJSON_ArrayForEach(item, array)
		x[i++] = vector_number(item);
	*ret_n = n;
	return x;
}

void vector_close(const struct vector *v, const char *what, double got, double want, double rel,
		  double abs)
{
	if (got == want || (isnan(got) && isnan(want)))
		return;
	if (!(fabs(got - want) <= abs + rel * fabs(want)))
		fail_msg("%s: %s is %.17g, wanted %.17g", v->id, what, got, want);
}

void vector_same_text(const struct vector *v, const char *what, const char *got, const char *want)
{
	if (strcmp(got, want) != 0)
		fail_msg("%s: %s is \"%s\", wanted \"%s\"", v->id, what, got, want);
}

void vector_same_count(const struct vector *v, const char *key, size_t got)
{
	const cJSON *item = vector_item(v->out, key);
	double want = cJSON_IsNull(item) ? 0 : vector_number(item);

	vector_close(v, key, (double)got, want, 0, 0);
}
