/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "json_stream.h"
#include "record.h"

/* The key `sized` of a benchmark: its sizes, what was taken of each and what their growth is judged
 * by; null where it has no sizes. */
void json_sized(struct json_stream *j, const struct rec_bench *b);
