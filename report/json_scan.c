/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_scan.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "unicode.h"

#define NUMBER_MAX 400 /* bytes: more than any double needs */

struct scan {
	const char *at, *end;
	const char *flaw; /* the first */
	unsigned depth;
	char open[JSON_DEPTH_MAX]; /* brackets */
};

static bool fail(struct scan *s, const char *flaw)
{
	if (!s->flaw)
		s->flaw = flaw;
	return false;
}

static int peek(const struct scan *s)
{
	return s->at < s->end ? (unsigned char)*s->at : -1;
}

static bool accept(struct scan *s, char c)
{
	if (peek(s) != (unsigned char)c)
		return false;
	s->at++;
	return true;
}

static void blanks(struct scan *s)
{
	while (accept(s, ' ') || accept(s, '\n') || accept(s, '\t') || accept(s, '\r'))
		;
}

static bool word(struct scan *s, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, text, len) != 0)
		return fail(s, "no value begins like this");
	s->at += len;
	return true;
}

static bool hex4(struct scan *s, unsigned *ret)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++) {
		int c = peek(s);
		const char *digits = "0123456789abcdef", *d;

		d = c > 0 ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
		if (!d)
			return fail(s, "four hexadecimal digits are needed");
		v = v * 16 + (unsigned)(d - digits);
		s->at++;
	}
	*ret = v;
	return true;
}

static bool code_unit(struct scan *s)
{
	unsigned high, low;

	if (!hex4(s, &high))
		return false;
	if (!high)
		return fail(s, "a string has a NUL");
	if (high >= 0xdc00 && high <= 0xdfff)
		return fail(s, "half a surrogate pair");
	if (high < 0xd800 || high > 0xdbff)
		return true;
	if (!accept(s, '\\') || !accept(s, 'u') || !hex4(s, &low) || low < 0xdc00 || low > 0xdfff)
		return fail(s, "half a surrogate pair");
	return true;
}

static bool escape(struct scan *s)
{
	int c = peek(s);

	if (c <= 0 || !strchr("\"\\/bfnrtu", c))
		return fail(s, "no such escape");
	s->at++;
	return c != 'u' || code_unit(s);
}

static bool string(struct scan *s)
{
	if (!accept(s, '"'))
		return fail(s, "a string is needed");
	while (!accept(s, '"')) {
		uint32_t cp;
		size_t len;

		if (s->at == s->end)
			return fail(s, "a string has no end");
		if (accept(s, '\\')) {
			if (!escape(s))
				return false;
			continue;
		}
		len = utf8_decode(s->at, (size_t)(s->end - s->at), &cp);
		if (!len)
			return fail(s, "a string is not UTF-8");
		if (cp < 0x20)
			return fail(s, "a string has a raw control byte");
		s->at += len;
	}
	return true;
}

static bool digits(struct scan *s)
{
	const char *from = s->at;

	while (peek(s) >= '0' && peek(s) <= '9')
		s->at++;
	return s->at > from || fail(s, "a digit is needed");
}

static bool in_range(struct scan *s, const char *from)
{
	char copy[NUMBER_MAX + 1];
	size_t len = (size_t)(s->at - from);

	if (len > NUMBER_MAX)
		return fail(s, "a number is too long");
	memcpy(copy, from, len);
	copy[len] = '\0';
	return isfinite(strtod(copy, NULL)) || fail(s, "a number is out of range");
}

static bool number(struct scan *s)
{
	const char *from = s->at;

	(void)accept(s, '-'); /* or none */
	if (!accept(s, '0') && !digits(s))
		return false;
	if (accept(s, '.') && !digits(s))
		return false;
	if (accept(s, 'e') || accept(s, 'E')) {
		if (!accept(s, '+'))
			(void)accept(s, '-');
		if (!digits(s))
			return false;
	}
	return in_range(s, from);
}

static bool open(struct scan *s, char bracket)
{
	if (s->depth == JSON_DEPTH_MAX)
		return fail(s, "nested too deeply");
	s->open[s->depth++] = bracket;
	s->at++;
	return true;
}

static bool scalar(struct scan *s)
{
	switch (peek(s)) {
	case '"':
		return string(s);
	case 't':
		return word(s, "true");
	case 'f':
		return word(s, "false");
	case 'n':
		return word(s, "null");
	case -1:
		return fail(s, "it ends too early");
	default:
		return number(s);
	}
}

static bool key(struct scan *s)
{
	if (s->open[s->depth - 1] != '{')
		return true;
	blanks(s);
	if (!string(s))
		return false;
	blanks(s);
	return accept(s, ':') || fail(s, "a colon is needed");
}

/* What stands behind a value: the ends of containers, then a comma and the next key, or the end. */
static bool after_value(struct scan *s)
{
	for (; s->depth; s->depth--) {
		blanks(s);
		if (accept(s, ','))
			return key(s);
		if (!accept(s, s->open[s->depth - 1] == '{' ? '}' : ']'))
			return fail(s, "a comma or the end of a container is needed");
	}
	blanks(s);
	return true;
}

/* A value, or the beginning of a container whose first value comes next. */
static bool value(struct scan *s)
{
	int c;

	blanks(s);
	c = peek(s);
	if (c != '{' && c != '[')
		return scalar(s) && after_value(s);
	if (!open(s, (char)c))
		return false;
	blanks(s);
	if (!accept(s, c == '{' ? '}' : ']'))
		return key(s);
	s->depth--;
	return after_value(s);
}

const char *json_scan(const char *text, size_t len, size_t *ret_at)
{
	struct scan s = {.at = text, .end = text + len};

	/* containers are not recursed into: a stranger's file decides how deep they are */
	do {
		if (!value(&s))
			break;
	} while (s.depth);
	if (!s.flaw && s.at != s.end)
		s.flaw = "something stands behind its end";
	*ret_at = (size_t)(s.at - text);
	return s.flaw;
}
