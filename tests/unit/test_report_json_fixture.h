/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A record written as JSON and read back by another parser. */
#include "test_report_fixture.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include "json_text.h"
#include "report/json.h"

DEFINE_CLEANUP(cleanup_json, cJSON *, cJSON_Delete);
#define AUTO_JSON CLEANUP(cleanup_json)

static inline cJSON *parsed(const struct record *r)
{
	AUTO_FREE char *text = json_text(r);
	cJSON *json = cJSON_ParseWithOpts(text, NULL, true);

	assert_non_null(json);
	return json;
}

/* The value at a path such as "benchmarks/0/metrics/cpu"; it must be there. */
static inline const cJSON *at(const cJSON *json, const char *path)
{
	char copy_of[256], *key, *save = NULL;

	assert_true(strlen(path) < sizeof(copy_of));
	strcpy(copy_of, path);
	for (key = strtok_r(copy_of, "/", &save); key; key = strtok_r(NULL, "/", &save)) {
		if (cJSON_IsArray(json))
			json = cJSON_GetArrayItem(json, atoi(key));
		else
			json = cJSON_GetObjectItemCaseSensitive(json, key);
		if (!json)
			fail_msg("%s: no %s", path, key);
	}
	return json;
}

static inline void assert_text(const cJSON *json, const char *path, const char *value)
{
	assert_true(cJSON_IsString(at(json, path)));
	assert_string_equal(at(json, path)->valuestring, value);
}

static inline void assert_number(const cJSON *json, const char *path, double value)
{
	assert_true(cJSON_IsNumber(at(json, path)));
	assert_true(at(json, path)->valuedouble == value);
}

static inline void assert_null_at(const cJSON *json, const char *path)
{
	if (!cJSON_IsNull(at(json, path)))
		fail_msg("%s is not null", path);
}

static inline void assert_flag(const cJSON *json, const char *path, bool value)
{
	assert_true(cJSON_IsBool(at(json, path)));
	assert_int_equal(cJSON_IsTrue(at(json, path)), value);
}
