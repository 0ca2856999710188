/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes: what text_escape writes is inert and stays as it is; no function reads beyond them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report/cleanup.h"
#include "report/text.h"
#include "report/unicode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_text: %s\n", what);
	abort();
}

static void require_inert(const char *s, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t cp = 0;
		size_t taken = utf8_decode(s + at, len - at, &cp);

		require(taken && !unicode_hidden(cp), "a raw byte came through");
		at += taken;
	}
	require(!memmem(s, len, "##[", 3), "a log command came through");
}

static char *escaped(const char *s, size_t len, size_t *ret_len)
{
	char *buffer = NULL;
	FILE *out = open_memstream(&buffer, ret_len);

	require(out, "memory is out");
	text_escape(out, s, len);
	require(fclose(out) == 0, "memory is out");
	return buffer;
}

static void check_strings(const char *s)
{
	AUTO_FREE char *out = text_escaped(s);
	AUTO_FREE char *quoted = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&quoted, &size);

	require(out && f, "memory is out");
	require(text_width(s) == text_width(out), "escaping changed the width");
	text_shell_quote(f, s);
	require(fclose(f) == 0, "memory is out");
	require_inert(quoted, size);
	if (text_name_valid(s, NULL) && !strstr(s, "##["))
		require(strcmp(s, out) == 0, "a valid name was changed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = 0, again_len = 0;
	AUTO_FREE char *out = escaped((const char *)data, size, &len);
	AUTO_FREE char *again = escaped(out, len, &again_len);
	AUTO_FREE char *string = strndup((const char *)data, size);

	require_inert(out, len);
	require(len == again_len && memcmp(out, again, len) == 0, "not idempotent");
	require(string, "memory is out");
	check_strings(string);
	return 0;
}
