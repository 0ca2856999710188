/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "json_stream.h"
#include "record.h"

/* One element of `benchmarks`. */
void json_bench(struct json_stream *j, const struct rec_bench *b);
