/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the reader's files share: the tree, the memory it stands in and the place in the text. */
#include "json.h"

struct json_value {
	uint8_t type;
	uint32_t key_len;
	uint32_t len; /* bytes of a string, children of a container */
	const char *key;
	struct json_value *next;
	union {
		const char *string;
		struct json_value *first;
		int64_t integer;
		double real;
	};
};

struct chunk {
	struct chunk *next;
	size_t cap;
	max_align_t data[];
};

/* Memory that is given out piece by piece and taken back all at once. */
struct arena {
	struct chunk *first, *now;
	char *at, *end;
};

/* NULL when there is no memory. Text is not aligned, everything else is to 8 bytes. */
void *arena_take(struct arena *a, size_t size);
char *arena_text(struct arena *a, size_t size);
/* Forgets all pieces and keeps the memory. */
void arena_reset(struct arena *a);
void arena_done(struct arena *a);

struct reader {
	struct arena *arena;
	const char *at, *end;
	const char *failed; /* where the text is wrong */
	const char *message;
};

/* Notes what is wrong at `where`; -EINVAL. */
int reader_fail(struct reader *r, const char *where, const char *message);
/* Any value; `depth` is the number of containers around it. */
int read_value(struct reader *r, struct json_value *v, int depth);
/* What stands behind the opening bracket of a container, up to `close`. */
int read_children(struct reader *r, struct json_value *v, char close, int depth);
/* At '['. */
int read_list(struct reader *r, struct json_value *v, int depth);
/* At a digit or '-'. */
int read_number(struct reader *r, struct json_value *v);

static inline void skip_space(struct reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

/* Skips space and then `c`, if it stands there. */
static inline bool take(struct reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* A member's name and the colon behind it. */
int read_key(struct reader *r, struct json_value *member);

/* A number as it stands in the text. */
struct number {
	uint64_t digits; /* all of them as one integer, unless there are more than 19 */
	int count;	 /* significant digits */
	int exponent;
	bool negative, real;
};

/* The grammar of RFC 8259; where the number ends, NULL when the text at `p` is none. */
const char *number_scan(const char *p, const char *end, struct number *n);

/* At the opening quote. */
int read_string(struct reader *r, const char **ret, uint32_t *ret_len);

/* A string as it stands between its quotes. */
struct span {
	const char *start, *end;
	bool escaped;
};

/* Writes what the span means, which is never longer than the span. */
int unescape(struct reader *r, const struct span *span, char *text, uint32_t *ret_len);
/* Bytes of the UTF-8 sequence at `s`, 0 if it is not a valid one. */
size_t utf8_sequence(const char *s, const char *end);
/* Writes a code point that is no surrogate; 1 to 4 bytes. */
size_t utf8_put(char *out, uint32_t code);
