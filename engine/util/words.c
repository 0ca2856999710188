/* SPDX-License-Identifier: BSD-2-Clause */
#include "words.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

static int push(struct words *w, const char *word, size_t len)
{
	char **grown = realloc(w->items, (w->cnt + 2) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	w->items = grown;
	grown[w->cnt + 1] = NULL;
	grown[w->cnt] = strndup(word, len);
	return grown[w->cnt++] ? 0 : -ENOMEM;
}

/* Reads one word from *line into `out` (long enough for the whole line); its length or -EINVAL. */
static long read_word(const char **line, char *out)
{
	const char *p = *line;
	char quote = 0;
	long len = 0;

	for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
		if (!quote && (*p == '\'' || *p == '"')) {
			quote = *p;
		} else if (quote && *p == quote) {
			quote = 0;
		} else if (*p == '\\' && quote != '\'') {
			if (!*++p)
				return -EINVAL;
			out[len++] = *p;
		} else {
			out[len++] = *p;
		}
	}
	*line = p;
	return quote ? -EINVAL : len;
}

static int split(struct words *w, const char *line, char *buffer)
{
	for (;;) {
		long len;
		int err;

		line += strspn(line, " \t\n");
		if (!*line)
			return w->cnt ? 0 : -EINVAL;
		len = read_word(&line, buffer);
		err = len < 0 ? (int)len : push(w, buffer, (size_t)len);
		if (err)
			return err;
	}
}

int words__split(struct words *ret, const char *line)
{
	AUTO_FREE char *buffer = malloc(strlen(line) + 1);
	struct words w = {0};
	int err = buffer ? split(&w, line, buffer) : -ENOMEM;

	if (err)
		words__done(&w);
	else
		*ret = w;
	return err;
}

int words__copy(struct words *ret, char *const *argv, size_t cnt)
{
	struct words w = {0};
	int err = cnt ? 0 : -EINVAL;

	for (size_t i = 0; i < cnt && !err; i++)
		err = push(&w, argv[i], strlen(argv[i]));
	if (err)
		words__done(&w);
	else
		*ret = w;
	return err;
}

/* Whether it means itself to a shell, wherever it stands. */
static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "@%+=:,./_-";

	for (const char *p = word; *p; p++)
		if (!strchr(plain, *p) && (unsigned char)*p < 0x80)
			return false;
	return *word;
}

/* In single quotes, in which a shell takes nothing for its own. */
static void write_word(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", out);
		fputc(*word, out);
	}
	fputc('\'', out);
}

char *words_join(const struct words *w)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);
	bool failed;

	if (!out)
		return NULL;
	for (size_t i = 0; i < w->cnt; i++) {
		if (i)
			fputc(' ', out);
		write_word(out, w->items[i]);
	}
	failed = ferror(out) != 0;
	if (fclose(out) || failed) {
		free(line);
		return NULL;
	}
	return line;
}

void words__done(struct words *w)
{
	for (size_t i = 0; i < w->cnt; i++)
		free(w->items[i]);
	free(w->items);
	*w = (struct words){0};
}
