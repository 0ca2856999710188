/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A record from its JSON: everything that was measured and what it was measured on. What the judge
 * concludes is not read but concluded again, with two exceptions: why a benchmark is an error or was
 * skipped, and why an open metric was left open (metric[].reason, across.reason).
 */
#include <stddef.h>
#include "record.h"

#define JSON_RECORD_BYTES_MAX (256u << 20)

/*
 * Into a record of record__init, which the caller frees in any case. -EINVAL: the text is no record of
 * this version, said in `why`; -ENOMEM.
 */
int json_read(struct record *ret, const char *text, size_t len, char why[static 256]) MUST_CHECK;
