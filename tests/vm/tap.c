/* SPDX-License-Identifier: BSD-2-Clause */
#include "tap.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned made, failed;

__attribute__((format(printf, 2, 0))) static bool say(bool good, const char *name, va_list ap)
{
	printf("%s %u - ", good ? "ok" : "not ok", ++made);
	vprintf(name, ap);
	putchar('\n');
	fflush(stdout);
	failed += !good;
	return good;
}

bool tap_ok(bool good, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	say(good, name, ap);
	va_end(ap);
	return good;
}

bool tap_equal(unsigned long long got, unsigned long long want, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	if (!say(got == want, name, ap))
		tap_note("got %llu, want %llu", got, want);
	va_end(ap);
	return got == want;
}

void tap_skip(const char *name, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++made, name, why);
	fflush(stdout);
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	putchar('\n');
	fflush(stdout);
	va_end(ap);
}

int tap_done(void)
{
	printf("1..%u\n", made);
	fflush(stdout);
	return failed ? 1 : 0;
}

void tap_skip_all(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("1..0 # SKIP ");
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	fflush(stdout);
	exit(77);
}

void tap_die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	fflush(stdout);
	exit(1);
}
