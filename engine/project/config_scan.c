/* SPDX-License-Identifier: BSD-2-Clause */
#include "config_scan.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../../report/grow.h"
#include "../../report/unicode.h"

const char *config_bytes_refused(const char *text, size_t len, unsigned *ret_line)
{
	unsigned line = 1;
	size_t step;

	for (size_t i = 0; i < len; i += step) {
		unsigned char c = (unsigned char)text[i];
		const char *why = NULL;
		uint32_t cp;

		step = utf8_decode(text + i, len - i, &cp);
		if (!c)
			why = "a NUL byte";
		else if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
			why = "a raw control character";
		else if (!step)
			why = "invalid UTF-8";
		if (why) {
			*ret_line = line;
			return why;
		}
		line += c == '\n';
	}
	return NULL;
}

struct scan {
	const char *at, *end;
	unsigned line;
	char section[2048]; /* "section" or "section.Sub"; longer names are refused later anyway */
	struct config_marks *marks;
};

static int scan_mark(struct scan *s, struct config_mark mark, const char *key, size_t key_len)
{
	struct config_marks *marks = s->marks;
	struct config_mark *items = grow_by_one(marks->items, marks->cnt, sizeof(*items));
	char *name;

	if (!items)
		return -ENOMEM;
	marks->items = items;
	if (asprintf(&name, "%s%s%.*s", s->section, mark.header ? "" : ".", (int)key_len, key) < 0)
		return -ENOMEM;
	for (char *p = mark.header ? name + strlen(name) : name + strlen(s->section); *p; p++)
		*p = (char)tolower((unsigned char)*p);
	mark.name = name;
	items[marks->cnt++] = mark;
	return 0;
}

static void scan_to_eol(struct scan *s)
{
	while (s->at < s->end && *s->at != '\n')
		s->at++;
}

/* [name], [name "Sub \" section"], [name.sub]: the subsection is taken over as it is. */
static int scan_header(struct scan *s)
{
	bool quoted = false;
	size_t n = 0;

	for (s->at++; s->at < s->end && *s->at != '\n' && (quoted || *s->at != ']'); s->at++) {
		char c = *s->at;

		if (c == '"') {
			if (!quoted && n + 1 < sizeof(s->section))
				s->section[n++] = '.';
			quoted = !quoted;
			continue;
		}
		if (!quoted && (c == ' ' || c == '\t'))
			continue;
		if (quoted && c == '\\' && s->at + 1 < s->end)
			c = *++s->at;
		if (n + 1 < sizeof(s->section))
			s->section[n++] = quoted ? c : (char)tolower((unsigned char)c);
	}
	s->section[n] = '\0';
	if (s->at < s->end && *s->at == ']')
		s->at++;
	return scan_mark(s, (struct config_mark){.line = s->line, .header = true}, "", 0);
}

/* A value while it is read. Double quotes are the file's own, others and escaped ones the command's. */
struct value {
	size_t quotes;	   /* of the file */
	bool quoted;	   /* between two of them */
	bool begun, blank; /* something was there; the last thing was a blank */
	bool whole;	   /* it begins with a quote */
	bool behind;	   /* something stands behind the second */
	char open;	   /* quote of the command that is open; 0 */
	bool escaped;	   /* by a backslash of the command */
};

static void value_take(struct value *v, char c)
{
	v->blank = !v->quoted && (c == ' ' || c == '\t' || c == '\r');
	v->behind = v->behind || (!v->blank && v->quotes >= 2);
	v->begun = v->begun || !v->blank;
	if (v->escaped)
		v->escaped = false;
	else if (c == '\\' && v->open != '\'')
		v->escaped = true;
	else if (v->open)
		v->open = c == v->open ? '\0' : v->open;
	else if (c == '\'' || c == '"')
		v->open = c;
}

static void value_take_quote(struct value *v)
{
	v->whole = v->whole || !v->begun;
	v->behind = v->behind || v->quotes >= 2;
	v->begun = true;
	v->blank = false;
	v->quoted = !v->quoted;
	v->quotes++;
}

/* The escape at s->at: a character of the value, or the end of a line that goes on in the next. */
static void scan_escape(struct scan *s, struct value *v)
{
	s->at++;
	if (*s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n')
		s->at++;
	if (*s->at == '\n')
		s->line++;
	else
		value_take(v, *s->at);
}

/* The value after '=': quotes, escapes, comments. */
static void scan_value(struct scan *s, struct config_mark *mark)
{
	struct value v = {.blank = true};

	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
	if (s->at < s->end && *s->at == '=')
		s->at++;
	for (; s->at < s->end && *s->at != '\n'; s->at++) {
		if (*s->at == '\\' && s->at + 1 < s->end) {
			scan_escape(s, &v);
		} else if (!v.quoted && (*s->at == '#' || *s->at == ';')) {
			mark->cut_in_word =
				!v.blank && !v.quotes; /* behind the last one nothing is cut */
			mark->cut_in_quote = v.open != '\0';
			scan_to_eol(s);
			break;
		} else if (*s->at == '"') {
			value_take_quote(&v);
		} else {
			value_take(&v, *s->at);
		}
	}
	mark->quote_inside = v.quotes && (!v.whole || v.behind);
	if (v.quoted && !s->marks->open_line)
		s->marks->open_line = s->line;
}

static int scan_key(struct scan *s)
{
	struct config_mark mark = {.line = s->line};
	const char *key = s->at;
	size_t len;

	while (s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '-'))
		s->at++;
	len = (size_t)(s->at - key);
	if (!len)
		s->at++; /* not a key: libgit2 refuses the file */
	scan_value(s, &mark);
	return len ? scan_mark(s, mark, key, len) : 0;
}

static int scan_step(struct scan *s)
{
	switch (*s->at) {
	case '\n':
		s->line++;
		s->at++;
		return 0;
	case ' ':
	case '\t':
	case '\r':
		s->at++;
		return 0;
	case '#':
	case ';':
		scan_to_eol(s);
		return 0;
	case '[':
		return scan_header(s);
	default:
		return scan_key(s);
	}
}

int config_marks__scan(struct config_marks *ret, const char *text, size_t len)
{
	struct config_marks marks = {0};
	struct scan s = {.at = text, .end = text + len, .line = 1, .marks = &marks};
	int err = 0;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* libgit2 skips it too */
		s.at += 3;
	while (!err && s.at < s.end)
		err = scan_step(&s);
	if (err) {
		config_marks__done(&marks);
		return err;
	}
	*ret = marks;
	return 0;
}

void config_marks__done(struct config_marks *m)
{
	for (size_t i = 0; i < m->cnt; i++)
		free(m->items[i].name);
	free(m->items);
	*m = (struct config_marks){0};
}
