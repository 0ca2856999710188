/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A file of a tree that stands in for the host's: ROOT/PATH with its directories. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include "report/cleanup.h"

static void put_below(const char *root, const char *path, const char *text)
{
	AUTO_FREE char *full = NULL;
	AUTO_FREE char *command = NULL;
	AUTO_FILE FILE *f = NULL;

	assert_true(asprintf(&full, "%s/%s", root, path) > 0);
	assert_true(asprintf(&command, "mkdir -p \"$(dirname %s)\"", full) > 0);
	assert_int_equal(system(command), 0);
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
}
