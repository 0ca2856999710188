/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "engine/decide/judge.h"
#include "engine/project/accept.h"

static void a_name_a_colon_and_a_reason(void **state)
{
	static const struct {
		const char *value, *bench, *reason;
	} rows[] = {
		{"parse: worth it", "parse", "worth it"},
		{"parse : worth it", "parse", "worth it"},
		{"parse:\tworth: it", "parse", "worth: it"},
		{"parse: large: worth it", "parse: large", "worth it"},
		{"parse", "parse", NULL},
		{"parse:", "parse", NULL},
		{"parse:  ", "parse", NULL},
		{"parser: worth it", "parse", NULL},
		{"Parse: worth it", "parse", NULL},
		{"", "parse", NULL},
		{": worth it", "", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *reason = NULL;

		assert_int_equal(accept_matches(rows[i].value, rows[i].bench, &reason),
				 rows[i].reason != NULL);
		if (rows[i].reason)
			assert_string_equal(reason, rows[i].reason);
	}
}

static void add(struct record *r, const char *name, enum bench_verdict v)
{
	struct rec_bench *b;

	assert_int_equal(record__add_bench(r, name, &b), 0);
	b->verdict = v;
}

static void the_longest_name_is_meant(void **state)
{
	struct record r;

	(void)state;
	record__init(&r);
	add(&r, "parse", BENCH_REGRESSED);
	add(&r, "parse: large", BENCH_REGRESSED);
	assert_int_equal(accept_apply(&r, "parse: large: more checks", "abcdef"), 0);
	assert_null(r.benches[0].accepted);
	assert_string_equal(r.benches[1].accepted, "more checks");
	assert_string_equal(r.benches[1].accepted_by, "abcdef");
	assert_int_equal(accept_apply(&r, "parse: large: older words", "012345"), 0);
	assert_string_equal(r.benches[1].accepted, "more checks");
	assert_int_equal(r.notes_cnt, 0);
	assert_int_equal(accept_apply(&r, "parsing: x", "012345"), 0);
	assert_int_equal(r.notes_cnt, 1);
	assert_non_null(strstr(r.notes[0], "\"parsing: x\" names no benchmark"));
	record__done(&r);
}

/* It fails no run, but stays a regression; what is not accepted fails it as ever. */
static void an_accepted_regression_fails_nothing(void **state)
{
	struct record r;

	(void)state;
	record__init(&r);
	add(&r, "a", BENCH_REGRESSED);
	add(&r, "b", BENCH_SAME);
	judge_run(&r);
	assert_int_equal(r.exit, 1);
	assert_int_equal(accept_apply(&r, "a: wanted", "abcdef"), 0);
	judge_run(&r);
	assert_int_equal(r.status, STATUS_PASSED);
	assert_int_equal(r.exit, 0);
	assert_int_equal(r.benches[0].verdict, BENCH_REGRESSED);
	r.benches[1].verdict = BENCH_REGRESSED;
	judge_run(&r);
	assert_int_equal(r.exit, 1);
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_a_colon_and_a_reason),
		cmocka_unit_test(the_longest_name_is_meant),
		cmocka_unit_test(an_accepted_regression_fails_nothing),
	};

	return cmocka_run_group_tests_name("accept", tests, NULL, NULL);
}
