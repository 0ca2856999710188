/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

static bool continues(const char *s)
{
	return ((unsigned char)*s & 0xc0) == 0x80;
}

/* Table 3-7 of the Unicode standard: no overlong form, no surrogate, nothing above U+10FFFF. */
size_t utf8_sequence(const char *s, const char *end)
{
	unsigned char a = (unsigned char)s[0];
	size_t left = (size_t)(end - s);
	unsigned char b = left > 1 ? (unsigned char)s[1] : 0;

	if (a < 0x80)
		return 1;
	if (a < 0xc2 || a > 0xf4 || left < 2 || !continues(s + 1))
		return 0;
	if (a < 0xe0)
		return 2;
	if (left < 3 || !continues(s + 2))
		return 0;
	if (a < 0xf0)
		return (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ? 0 : 3;
	if (left < 4 || !continues(s + 3))
		return 0;
	return (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f) ? 0 : 4;
}

size_t utf8_put(char *out, uint32_t code)
{
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = len - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	out[0] = (char)(lead[len] | code);
	return len;
}
