/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_rows.h"

#include <string.h>

bool vector_matrix(const cJSON *matrix, double *x, size_t room, size_t *ret_rows,
		   size_t *ret_columns)
{
	const cJSON *row, *cell;
	size_t columns = (size_t)cJSON_GetArraySize(cJSON_GetArrayItem(matrix, 0)), at = 0;

	cJSON_ArrayForEach(row, matrix) {
		if ((size_t)cJSON_GetArraySize(row) != columns)
			return false;
		cJSON_ArrayForEach(cell, row) {
			assert_true(at < room);
			x[at++] = vector_number(cell);
		}
	}
	*ret_rows = (size_t)cJSON_GetArraySize(matrix);
	*ret_columns = columns;
	return true;
}

static bool is_earlier(const cJSON *labels, const cJSON *label)
{
	for (const cJSON *other = labels->child; other != label; other = other->next)
		if (strcmp(other->valuestring, label->valuestring) == 0)
			return true;
	return false;
}

/* How many different labels are less than this one. */
static unsigned char stratum_of(const cJSON *labels, const char *name)
{
	const cJSON *label;
	unsigned char smaller = 0;

	cJSON_ArrayForEach(label, labels)
		smaller += strcmp(label->valuestring, name) < 0 && !is_earlier(labels, label);
	return smaller;
}

static void check_labels(const struct vector *v, const cJSON *labels)
{
	const cJSON *label, *sorted = vector_item(v->out, "strata");
	unsigned char at = 0;

	cJSON_ArrayForEach(label, sorted)
		assert_int_equal(stratum_of(labels, label->valuestring), at++);
	cJSON_ArrayForEach(label, labels)
		assert_true(stratum_of(labels, label->valuestring) < at);
}

size_t vector_strata(const struct vector *v, unsigned char *ret, size_t room)
{
	const cJSON *labels = vector_item(v->in, "strata"), *label;
	size_t n = 0;

	cJSON_ArrayForEach(label, labels) {
		assert_true(n < room && cJSON_IsString(label));
		ret[n++] = stratum_of(labels, label->valuestring);
	}
	if (!v->error)
		check_labels(v, labels);
	return n;
}

void vector_close_list(const struct vector *v, const char *key, const double *got, size_t cnt,
		       double rel, double abs)
{
	const cJSON *want, *list = vector_item(v->out, key);
	size_t at = 0;

	if (cJSON_IsNumber(list)) {
		assert_int_equal(cnt, 1);
		vector_close(v, key, *got, list->valuedouble, rel, abs);
		return;
	}
	assert_int_equal(cJSON_GetArraySize(list), cnt);
	cJSON_ArrayForEach(want, list)
		vector_close(v, key, got[at++], vector_number(want), rel, abs);
}
