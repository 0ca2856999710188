/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the files that read a record share. */
#include "json_fields.h"
#include "record.h"

/* A row of the table by its name; NULL is REASON_NONE; -1: none. */
int json_find_reason(const char *name);

/* Refuses what no run can have taken: reports print it. NaN: not known. */
void json_check_seconds(struct json_reader *r, const char *key, double seconds);

/* Appends one benchmark. */
void json_read_bench(struct json_reader *r, const cJSON *object, struct record *rec);

/* Refuses a benchmark with two blocks of one place or of one process. */
void json_read_twice(struct json_reader *r, const struct rec_bench *b);
