/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Reference vectors of tests/data/vectors (format: the README beside them) for cmocka tests.
 * Every function fails the running test when the file or the member is not as expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include "stats/error.h"

struct vector {
	const char *id;
	const cJSON *in, *out;
	const char *error; /* out.error or NULL */
};

/* The largest number of values in a case: what scratch must hold. */
#define VECTOR_N_MAX 4096

/* Checks every case of the group in tests/data/vectors; a group without cases fails. */
void vectors_group(const char *group);

/* A file of vectors; NULL when it cannot be read or is not JSON. */
cJSON *vectors_load(const char *path);

/* Checks one member of `cases`; fails when the check leaves any member of it out. */
void vector_check(const cJSON *item, void (*check)(const struct vector *v));

/* The member, which must exist, or NULL. Both count as looking at it. */
const cJSON *vector_item(const cJSON *object, const char *key);
const cJSON *vector_optional(const cJSON *object, const char *key);

/* A number, or one of the strings NaN, Infinity, -Infinity; null is NaN. */
double vector_number(const cJSON *item);
double vector_get(const cJSON *object, const char *key);
size_t vector_count(const cJSON *object, const char *key);
const char *vector_text(const cJSON *object, const char *key);
uint64_t vector_u64(const cJSON *item);
bool vector_flag(const cJSON *object, const char *key);

/* Fails unless the case wants this error, or none; true when the rest of `out` is not there. */
bool vector_refused(const struct vector *v, enum stats_error e);

/* The numbers of an array, at most VECTOR_N_MAX; the caller frees. Never NULL. */
double *vector_doubles(const cJSON *array, size_t *ret_n);

/* |got - want| <= abs + rel |want|; with both 0 the same value, NaN equal to NaN. */
void vector_close(const struct vector *v, const char *what, double got, double want, double rel,
		  double abs);

/* A string equal to `want`, named by the case when it is not. */
void vector_same_text(const struct vector *v, const char *what, const char *got, const char *want);

/* A count equal to out[key]; null stands for 0. */
void vector_same_count(const struct vector *v, const char *key, size_t got);
