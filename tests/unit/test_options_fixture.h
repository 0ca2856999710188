/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Command lines and what comes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include "../../engine/cli/option_table.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))
#define WORDS_MAX  24

/* A command line, cut at each '|' so that values may hold blanks. */
struct line {
	char text[512];
	char *argv[WORDS_MAX];
	int argc;
	struct options o;
	struct problem why;
};

static inline int parse(struct line *l, const char *words)
{
	char *rest = l->text, *word;

	*l = (struct line){.argc = 1, .argv = {(char *)"joust"}};
	(void)snprintf(l->text, sizeof(l->text), "%s", words);
	for (word = words[0] ? strsep(&rest, "|") : NULL; word; word = strsep(&rest, "|")) {
		assert_true(l->argc < WORDS_MAX - 1);
		l->argv[l->argc++] = word;
	}
	return options__parse(&l->o, l->argc, l->argv, &l->why);
}

static inline void done(struct line *l)
{
	options__done(&l->o);
	problem__done(&l->why);
}

static inline void must_parse(struct line *l, const char *words)
{
	int err = parse(l, words);

	if (err)
		print_error("%s: %s\n", words, l->why.text);
	assert_int_equal(err, 0);
}

/* Wrong usage, in one line that says `text`. */
static inline void must_refuse(const char *words, const char *text)
{
	CLEANUP(done) struct line l;
	int err = parse(&l, words);

	if (!err || !strstr(l.why.text, text))
		print_error("%s: \"%s\" lacks \"%s\"\n", words, l.why.text, text);
	assert_int_equal(err, -EINVAL);
	assert_int_equal(l.why.exit, EXIT_USAGE);
	assert_non_null(strstr(l.why.text, text));
	assert_null(strchr(l.why.text, '\n'));
}

/* One that is set for real use must not change what is tested. */
static inline void clear_environment(void)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	char name[OPTION_ENV_MAX];

	for (size_t i = 0; i < cnt; i++)
		if (option_env_name(&rows[i], name))
			unsetenv(name);
}
