/* SPDX-License-Identifier: BSD-2-Clause */
#include "problem.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int problem_set(struct problem *p, enum joust_exit status, int err, const char *fmt, ...)
{
	va_list ap;

	if (p->text[0])
		return err;
	p->exit = status;
	va_start(ap, fmt);
	(void)vsnprintf(p->text, sizeof(p->text), fmt, ap); /* a cut sentence is still a sentence */
	va_end(ap);
	return err;
}

void problem__done(struct problem *p)
{
	free(p->detail);
	p->detail = NULL;
}
