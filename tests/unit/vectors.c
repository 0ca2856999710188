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

/* The members of the running case that its check has asked for. */
static struct {
	const cJSON *items[256];
	size_t cnt;
} looked_at;

static bool is_looked_at(const cJSON *item)
{
	for (size_t i = 0; i < looked_at.cnt; i++)
		if (looked_at.items[i] == item)
			return true;
	return false;
}

const cJSON *vector_optional(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (item && !is_looked_at(item)) {
		assert_true(looked_at.cnt < sizeof(looked_at.items) / sizeof(*looked_at.items));
		looked_at.items[looked_at.cnt++] = item;
	}
	return item;
}

const cJSON *vector_item(const cJSON *object, const char *key)
{
	const cJSON *item = vector_optional(object, key);

	if (!item)
		fail_msg("no member \"%s\"", key);
	return item;
}

/* An array is looked at as a whole: comparing its length is up to the check. */
static void nothing_is_left_out(const char *id, const cJSON *object)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, object) {
		if (!is_looked_at(item))
			fail_msg("%s: nothing looks at member \"%s\"", id, item->string);
		if (cJSON_IsObject(item))
			nothing_is_left_out(id, item);
	}
}

void vector_check(const cJSON *item, void (*check)(const struct vector *v))
{
	struct vector v;

	looked_at.cnt = 0;
	v = (struct vector){vector_text(item, "id"), vector_item(item, "in"),
			    vector_item(item, "out"), NULL};
	(void)vector_text(item, "note");
	v.error = cJSON_GetStringValue(vector_optional(v.out, "error"));
	check(&v);
	nothing_is_left_out(v.id, item);
}

const char *vectors_refused(const cJSON *root, const struct vector_group *group)
{
	static const char *const members[] = {"schema", "group", "provenance", "tolerance",
					      "cases"};
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, members[0]);
	const cJSON *tolerance = cJSON_GetObjectItemCaseSensitive(root, members[3]);

	if (!root)
		return "it cannot be read, or is not JSON";
	if (!group)
		return "no kernel for its group";
	if (!cJSON_IsNumber(schema) || schema->valuedouble != 1)
		return "its schema is not 1";
	if (!cJSON_IsString(tolerance) || strcmp(tolerance->valuestring, group->tolerance) != 0)
		return "its tolerance is not the one that the check has";
	if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, members[4])) < 1)
		return "it has no cases";
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (!cJSON_HasObjectItem(root, members[i]))
			return "it says not where its values are from";
	if (cJSON_GetArraySize(root) != sizeof(members) / sizeof(*members))
		return "it has a member that nothing looks at";
	return NULL;
}

void vectors_group(const char *group)
{
	const struct vector_group *known = vectors_find(group);
	const cJSON *item;
	const char *why;
	char path[256];
	cJSON *root;

	(void)snprintf(path, sizeof(path), "%s/vectors/%s.json", JOUST_TESTDATA, group);
	root = vectors_load(path);
	why = vectors_refused(root, known);
	if (why)
		fail_msg("%s (from the root of the tree): %s", path, why);
	assert_string_equal(vector_text(root, "group"), group);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "cases"))
		vector_check(item, known->check);
	cJSON_Delete(root);
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

bool vector_flag(const cJSON *object, const char *key)
{
	const cJSON *item = vector_item(object, key);

	if (!cJSON_IsBool(item))
		fail_msg("member \"%s\" is neither true nor false", key);
	return cJSON_IsTrue(item);
}

bool vector_refused(const struct vector *v, enum stats_error e)
{
	vector_same_text(v, "error", stats_error_name(e), v->error ? v->error : "ok");
	return v->error;
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
