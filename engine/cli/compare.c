/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands.h"
#include <string.h>
#include "dry_run.h"
#include "session.h"
#include "../../report/text.h"

int cmd_compare(const struct options *o)
{
	CLEANUP(session__done) struct session s;
	int err = session__open(&s, o, "compare");

	if (!err)
		err = session__prepare(&s, false);
	if (!err && o->dry_run)
		return dry_run(&s);
	if (!err)
		err = session__measure(&s, false);
	return session__finish(&s, err);
}

int cmd_run(const struct options *o)
{
	CLEANUP(session__done) struct session s;
	int err = session__open(&s, o, "run");

	if (!err)
		err = session__prepare(&s, true);
	if (!err && o->dry_run)
		return dry_run(&s);
	if (!err)
		err = session__measure(&s, true);
	return session__finish(&s, err);
}

/* GitHub's runner obeys a line that begins with "::", blanks before it or not. */
static void print_name(const char *name)
{
	size_t blanks = strspn(name, " ");

	if (!strncmp(name + blanks, "::", 2)) {
		printf("%.*s\\x3a", (int)blanks, name);
		name += blanks + 1;
	}
	text_escape(stdout, name, strlen(name));
	putchar('\n');
}

static void print_names(const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++)
		print_name(rec->benches[i].name);
}

/* There is no report whose notes would say it. */
static void print_unused(const struct targets *targets)
{
	for (size_t i = 0; i < targets->unused.cnt; i++) {
		const char *text = targets->unused.items[i];

		fputs("joust: ", stderr);
		text_escape(stderr, text, strlen(text));
		fputc('\n', stderr);
	}
}

/* Names alone, one a line, so that other programs can read them. Writes no record. */
int cmd_list(const struct options *o)
{
	CLEANUP(session__done) struct session s;
	int err = session__open(&s, o, "list");

	if (!err)
		err = session__prepare(&s, true);
	s.recorded = false;
	if (!err)
		print_names(&s.rec);
	print_unused(&s.targets);
	return session__finish(&s, err);
}
