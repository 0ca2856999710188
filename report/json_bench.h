/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "json_stream.h"
#include "record.h"

/* One element of `benchmarks`; `events_cnt` events of -e stand in every half. */
void json_bench(struct json_stream *j, const struct rec_bench *b, size_t events_cnt);

/* What all benchmarks say together; null when there are too few. */
void json_across(struct json_stream *j, const struct rec_across *a);
