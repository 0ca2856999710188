/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef JOUST_TESTDATA
#define JOUST_TESTDATA "tests/data"
#endif

static cJSON *load(const char *group)
{
	static char text[1 << 20];
	char path[256];
	size_t n;
	FILE *f;
	cJSON *root;

	(void)snprintf(path, sizeof(path), "%s/vectors/%s.json", JOUST_TESTDATA, group);
	f = fopen(path, "re");
	if (!f)
		fail_msg("cannot open %s; run from the root of the source tree", path);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	(void)fclose(f); /* read only */
	root = cJSON_Parse(text);
	if (!root)
		fail_msg("%s is not JSON", path);
	return root;
}

void vectors_each(const char *group, void (*check)(const struct vector *v))
{
	cJSON *root = load(group);
	const cJSON *cases = vector_item(root, "cases"), *item;

	assert_string_equal(vector_text(root, "group"), group);
	assert_true(cJSON_GetArraySize(cases) > 0);
	cJSON_ArrayForEach(item, cases) {
		struct vector v = {vector_text(item, "id"), vector_item(item, "in"),
				   vector_item(item, "out"), NULL};

		v.error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v.out, "error"));
		check(&v);
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
