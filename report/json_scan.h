/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Whether bytes are the JSON that a parser may be given: one value by the grammar of RFC 8259, valid
 * UTF-8 throughout, no NUL and no lone surrogate among the escapes, numbers that a double can hold,
 * nesting of JSON_DEPTH_MAX at most, nothing behind it. Duplicate keys are the parser's to find.
 */
#include <stddef.h>

#define JSON_DEPTH_MAX 64

/* NULL: they are. Else what is wrong, and at which byte. O(len), no memory. */
const char *json_scan(const char *text, size_t len, size_t *ret_at);
