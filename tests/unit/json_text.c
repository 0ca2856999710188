/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include "report/json.h"

char *json_text(const struct record *rec)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(json_write(out, rec), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}
