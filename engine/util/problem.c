/* SPDX-License-Identifier: BSD-2-Clause */
#include "problem.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is too long is a name in the middle: both ends of the sentence stay. */
static void shorten(char to[static PROBLEM_TEXT], const char *text, size_t len)
{
	static const char gap[] = " [...] ";
	size_t half = (PROBLEM_SHORT - sizeof(gap)) / 2;

	(void)snprintf(to, PROBLEM_TEXT, "%.*s%s%s", (int)half, text, gap, text + len - half);
}

int problem_set(struct problem *p, enum joust_exit status, int err, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	if (p->text[0])
		return err;
	p->exit = status;
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		(void)snprintf(p->text, sizeof(p->text), "%s", fmt); /* out of memory */
	else if ((size_t)len < sizeof(p->text))
		strcpy(p->text, text);
	else
		shorten(p->text, text, (size_t)len);
	if (len >= 0)
		free(text);
	return err;
}

enum joust_exit problem_exit_of_path(int err)
{
	static const int of_the_name[] = {ENOENT, ENOTDIR, EISDIR,	 EACCES,
					  EPERM,  ELOOP,   ENAMETOOLONG, ENXIO};

	for (size_t i = 0; i < sizeof(of_the_name) / sizeof(of_the_name[0]); i++)
		if (abs(err) == of_the_name[i])
			return EXIT_USAGE;
	return EXIT_COULD_NOT_COMPARE;
}

enum joust_exit problem_exit_of_signal(int sig)
{
	return sig == SIGHUP ? EXIT_SIGHUP : sig == SIGINT ? EXIT_SIGINT : EXIT_SIGTERM;
}

void problem__done(struct problem *p)
{
	free(p->detail);
	p->detail = NULL;
}
