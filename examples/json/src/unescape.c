/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <string.h>

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hex digits; false if there are none. */
static bool hex4(const char *p, const char *end, uint32_t *ret)
{
	uint32_t code = 0;

	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(p[i]);

		if (digit < 0)
			return false;
		code = code << 4 | (uint32_t)digit;
	}
	*ret = code;
	return true;
}

/* Behind "\u". A pair of surrogates is one code point, one alone is an error: NULL. */
static const char *unescape_code(const char *p, const char *end, char **out)
{
	uint32_t code, low;

	if (!hex4(p, end, &code))
		return NULL;
	p += 4;
	if (code >= 0xd800 && code < 0xdc00) {
		if (end - p < 2 || p[0] != '\\' || p[1] != 'u' || !hex4(p + 2, end, &low) ||
		    low < 0xdc00 || low > 0xdfff)
			return NULL;
		p += 6;
		code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
	} else if (code >= 0xdc00 && code < 0xe000) {
		return NULL;
	}
	*out += utf8_put(*out, code);
	return p;
}

/* Behind the backslash; NULL if there is no such escape. */
static const char *unescape_one(const char *p, const char *end, char **out)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (p == end)
		return NULL;
	if (*p == 'u')
		return unescape_code(p + 1, end, out);
	name = *p ? strchr(names, *p) : NULL;
	if (!name)
		return NULL;
	*(*out)++ = values[name - names];
	return p + 1;
}

int unescape(struct reader *r, const struct span *span, char *text, uint32_t *ret_len)
{
	const char *p = span->start;
	char *out = text;

	while (p < span->end) {
		const char *escape = p;

		if (*p != '\\') {
			*out++ = *p++;
			continue;
		}
		p = unescape_one(p + 1, span->end, &out);
		if (!p)
			return reader_fail(r, escape, "there is no such escape");
	}
	*ret_len = (uint32_t)(out - text);
	return 0;
}
