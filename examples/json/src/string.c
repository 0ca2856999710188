/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <errno.h>
#include <string.h>

/* Finds the closing quote and looks at every byte on the way. */
static int find_end(struct reader *r, struct span *ret)
{
	const char *p = r->at + 1;

	ret->start = p;
	ret->escaped = false;
	while (p < r->end) {
		unsigned char c = (unsigned char)*p;

		if (c == '"') {
			ret->end = p;
			r->at = p + 1;
			return 0;
		}
		if (c < 0x20)
			return reader_fail(r, p, "a control character must be escaped");
		if (c == '\\') {
			ret->escaped = true;
			p += p + 1 < r->end ? 2 : 1;
		} else if (c < 0x80) {
			p++;
		} else {
			size_t len = utf8_sequence(p, r->end);

			if (len == 0)
				return reader_fail(r, p, "this is not UTF-8");
			p += len;
		}
	}
	return reader_fail(r, r->at, "this string has no end");
}

int read_string(struct reader *r, const char **ret, uint32_t *ret_len)
{
	struct span span = {0};
	char *text;
	int err = find_end(r, &span);

	if (err)
		return err;
	*ret_len = (uint32_t)(span.end - span.start);
	text = arena_text(r->arena, *ret_len + 1ul);
	if (!text)
		return -ENOMEM;
	if (!span.escaped)
		memcpy(text, span.start, *ret_len);
	else
		err = unescape(r, &span, text, ret_len);
	if (err)
		return err;
	text[*ret_len] = '\0';
	*ret = text;
	return 0;
}
