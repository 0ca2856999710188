/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdio.h>
#include "record.h"

#define JSON_SCHEMA 0

/*
 * The record as JSON (`schema` 0: not a promise yet). Raw numbers with 17 significant digits,
 * derived ones with 12, integers above 2^53 as decimal strings, absent values null; the same record
 * gives the same bytes. Returns 0 or why `out` could not be written.
 */
int json_write(FILE *out, const struct record *r) MUST_CHECK;
