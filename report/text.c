/* SPDX-License-Identifier: BSD-2-Clause */
#include "text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cleanup.h"
#include "unicode.h"

#define NAME_BYTES_MAX 256

/* One character of a text on its way out. */
struct piece {
	size_t taken; /* bytes of the source */
	bool escaped;
	size_t len, width; /* of text[], which is the source itself when not escaped */
	char text[16];
};

/* GitHub's runner obeys "##[" anywhere in a line of a log, so that it must not survive. */
static bool ends_log_command(const char *s, size_t at)
{
	return at >= 2 && s[at] == '[' && s[at - 1] == '#' && s[at - 2] == '#';
}

static void escape_piece(struct piece *p, const char *s, uint32_t cp)
{
	int n;

	p->escaped = true;
	if (cp == '\n')
		n = snprintf(p->text, sizeof(p->text), "\\n");
	else if (p->taken > 1)
		n = snprintf(p->text, sizeof(p->text), "\\u{%04x}", cp);
	else
		n = snprintf(p->text, sizeof(p->text), "\\x%02x", (unsigned char)*s);
	p->len = p->width = n;
}

static struct piece next_piece(const char *s, size_t at, size_t len)
{
	struct piece p = {0};
	uint32_t cp = 0;

	p.taken = utf8_decode(s + at, len - at, &cp);
	if (p.taken == 0 || unicode_hidden(cp) || ends_log_command(s, at)) {
		p.taken = p.taken ? p.taken : 1;
		escape_piece(&p, s + at, cp);
		return p;
	}
	memcpy(p.text, s + at, p.taken);
	p.len = p.taken;
	p.width = unicode_width(cp);
	return p;
}

void text_escape(FILE *out, const char *s, size_t len)
{
	for (size_t at = 0; at < len;) {
		struct piece p = next_piece(s, at, len);

		(void)fwrite(p.text, 1, p.len, out); /* the caller looks at ferror once */
		at += p.taken;
	}
}

char *text_escaped(const char *s)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	if (!out)
		return NULL;
	text_escape(out, s, strlen(s));
	if (fclose(out) != 0) {
		free(buffer);
		return NULL;
	}
	return buffer;
}

size_t text_width(const char *s)
{
	size_t len = strlen(s), width = 0;

	for (size_t at = 0; at < len;) {
		struct piece p = next_piece(s, at, len);

		width += p.width;
		at += p.taken;
	}
	return width;
}

static const char *name_fault(const char *s, size_t len)
{
	if (len == 0)
		return "it is empty";
	if (len > NAME_BYTES_MAX)
		return "it has more than 256 bytes";
	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t taken = utf8_decode(s + at, len - at, &cp);

		if (taken == 0)
			return "it is not valid UTF-8";
		if (unicode_hidden(cp))
			return "it has control, invisible or private characters";
		at += taken;
	}
	return NULL;
}

bool text_name_valid(const char *s, const char **ret_why)
{
	const char *fault = name_fault(s, strnlen(s, NAME_BYTES_MAX + 1));

	if (fault && ret_why)
		*ret_why = fault;
	return !fault;
}

enum quoting { QUOTE_NONE, QUOTE_SINGLE, QUOTE_DOLLAR };

static enum quoting quoting_needed(const char *s, size_t len)
{
	enum quoting q = len ? QUOTE_NONE : QUOTE_SINGLE;

	for (size_t at = 0; at < len;) {
		struct piece p = next_piece(s, at, len);

		if (p.escaped)
			return QUOTE_DOLLAR;
		if (p.len > 1 || (!isalnum((unsigned char)s[at]) && !strchr("_./:@%+,-", s[at])))
			q = QUOTE_SINGLE;
		at += p.taken;
	}
	return q;
}

/* Octal, of three digits always: unlike \xN, no shell reads further than that. */
static void dollar_quote(FILE *out, const char *s, size_t len)
{
	fputs("$'", out);
	for (size_t at = 0; at < len;) {
		struct piece p = next_piece(s, at, len);

		for (size_t i = at; p.escaped && i < at + p.taken; i++)
			fprintf(out, "\\%03o", (unsigned char)s[i]);
		if (!p.escaped && (p.text[0] == '\'' || p.text[0] == '\\'))
			fputc('\\', out);
		if (!p.escaped)
			fwrite(p.text, 1, p.len, out);
		at += p.taken;
	}
	fputc('\'', out);
}

static void single_quote(FILE *out, const char *s)
{
	fputc('\'', out);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", out);
		else
			fputc(*s, out);
	}
	fputc('\'', out);
}

void text_shell_quote(FILE *out, const char *s)
{
	size_t len = strlen(s);

	switch (quoting_needed(s, len)) {
	case QUOTE_NONE:
		fputs(s, out);
		break;
	case QUOTE_SINGLE:
		single_quote(out, s);
		break;
	case QUOTE_DOLLAR:
		dollar_quote(out, s, len);
		break;
	}
}

struct unit {
	double below; /* what would round up to the next unit is written in that one */
	double size;  /* in ns or bytes */
	int decimals;
	const char *name;
};

static const struct unit *time_unit_of(double ns)
{
	static const struct unit units[] = {
		{999.95, 1, 1, "ns"},
		{999.95e3, 1e3, 1, "us"},
		{999.95e6, 1e6, 2, "ms"},
		{INFINITY, 1e9, 1, "s"},
	};
	const struct unit *u = units;

	while (u->size < 1e9 && fabs(ns) >= u->below)
		u++;
	return u;
}

/* Memory as it is sold: a megabyte is 1,000,000 bytes. */
static const struct unit *memory_unit_of(double bytes)
{
	static const struct unit units[] = {
		{999.95, 1, 0, "B"},
		{999.95e3, 1e3, 0, "kB"},
		{999.95e6, 1e6, 0, "MB"},
		{INFINITY, 1e9, 0, "GB"},
	};
	const struct unit *u = units;

	while (u->size < 1e9 && fabs(bytes) >= u->below)
		u++;
	return u;
}

void text_duration(FILE *out, double ns)
{
	const struct unit *u = time_unit_of(ns);

	if (isnan(ns))
		fputs("unknown", out);
	else
		fprintf(out, "%.*f %s", u->decimals, ns / u->size, u->name);
}

void text_value(FILE *out, double value, const char *unit)
{
	const struct unit *u = NULL;

	if (unit && strcmp(unit, "ns") == 0)
		u = time_unit_of(value);
	else if (unit && strcmp(unit, "B") == 0)
		u = memory_unit_of(value);
	if (isnan(value))
		fputs("unknown", out);
	else if (u)
		fprintf(out, "%#.4g %s", value / u->size, u->name);
	else
		fprintf(out, "%.4g%s%s", value, unit ? " " : "", unit ? unit : "");
}

#define WORD_MAX 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein's distance, in which two neighbours that changed places are one mistake. */
static size_t edit_distance(const char *a, const char *b, size_t b_len)
{
	size_t rows[3][WORD_MAX + 1]; /* of this letter of a and of the two before it */
	size_t i;

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (i = 1; a[i - 1]; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			bool differ = !same_letter(a[i - 1], b[j - 1]);

			row[j] = min3(row[j - 1] + 1, above[j] + 1, above[j - 1] + differ);
			if (i > 1 && j > 1 && differ && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) && higher[j - 2] + 1 < row[j])
				row[j] = higher[j - 2] + 1;
		}
	}
	return rows[(i - 1) % 3][b_len];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word), near = len / 3 ? len / 3 : 1;
	size_t best = (near > 3 ? 3 : near) + 1;
	const char *nearest = NULL;

	if (len > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t distance = edit_distance(names[i], word, len);

		if (distance < best) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

/* An abbreviation is no typing error, so edit distance would send it elsewhere. */
const char *text_meant(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word);

	for (size_t i = 0; len > 1 && i < n; i++)
		if (!strncmp(names[i], word, len))
			return names[i];
	return text_nearest(word, names, n);
}
