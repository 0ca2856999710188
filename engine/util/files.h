/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include "../../report/cleanup.h"

/* Whether two files hold the same bytes. A file that cannot be opened is an error. */
int files_equal(const char *a, const char *b, bool *ret) MUST_CHECK;
