/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "report/record.h"

/* The record as JSON; to be freed. A failure fails the test. */
char *json_text(const struct record *rec);
