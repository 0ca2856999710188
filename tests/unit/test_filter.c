/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include "engine/measure/filter.h"

/* Which names a filter takes, and what it says of one that it cannot read. */

static int regcomp_fails_at; /* the call with this number finds no memory; 0: none */
static unsigned regcomp_calls;

int __real_regcomp(regex_t *re, const char *pattern, int flags);
int __wrap_regcomp(regex_t *re, const char *pattern, int flags);

int __wrap_regcomp(regex_t *re, const char *pattern, int flags)
{
	regcomp_calls++;
	if (regcomp_fails_at && !--regcomp_fails_at)
		return REG_ESPACE;
	return __real_regcomp(re, pattern, flags);
}

static void names_are_taken_and_left(void **state)
{
	static const struct {
		const char *only, *without, *name;
		bool taken;
	} cases[] = {
		{NULL, NULL, "parse", true},	{"^parse", NULL, "parse: x", true},
		{"^parse", NULL, "a", false},	{NULL, "x$", "parse: x", false},
		{NULL, "x$", "parse", true},	{"parse", "x$", "parse: x", false},
		{"parse", "x$", "parse", true}, {"", "", "parse", false},
		{"a|b", NULL, "b", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct problem why = {0};
		struct filter f;

		assert_int_equal(filter__init(&f, cases[i].only, cases[i].without, &why), 0);
		regcomp_calls = 0;
		assert_int_equal(filter_takes(&f, cases[i].name), cases[i].taken);
		assert_int_equal(regcomp_calls, 0); /* compiled once, not for each name */
		filter__done(&f);
	}
}

static void what_cannot_be_compiled_is_refused(void **state)
{
	struct problem why = {0};
	struct filter f;

	(void)state;
	assert_int_equal(filter__init(&f, "ok", "(", &why), -EINVAL);
	assert_int_equal(why.exit, EXIT_USAGE);
	assert_non_null(strstr(why.text, "--exclude ( is not a regular expression: "));
	for (int i = 1; i <= 2; i++) { /* either of them */
		why = (struct problem){0};
		regcomp_fails_at = i;
		assert_int_equal(filter__init(&f, "a", "b", &why), -ENOMEM);
		assert_int_equal(why.exit, EXIT_COULD_NOT_COMPARE);
		assert_non_null(strstr(why.text, i == 1 ? "--filter a: " : "--exclude b: "));
	}
	regcomp_fails_at = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_taken_and_left),
		cmocka_unit_test(what_cannot_be_compiled_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
