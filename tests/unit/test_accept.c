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

static int see(void *arg, const char *value, const char *commit)
{
	return accept_apply(arg, value, commit);
}

static int see_stray(void *arg, const char *commit)
{
	return record__note(arg, "stray in %s", commit);
}

/* What git takes for no trailer accepts nothing, and that is noticed. */
static void a_line_that_is_no_trailer_is_noticed(void **state)
{
	static const struct {
		const char *message;
		bool accepted, stray;
	} rows[] = {
		{"s\n\nJoust-Accept: a: wanted\n", true, false},
		{"s\n\nJOUST-accept : a: wanted\r\nReviewed-by: r\n", true, false},
		{"s\n\nJoust-Accept: a: wanted\n Joust-Accept: folded\n", true, false},
		{"s\n\nJoust-Accept: a: wanted\n\nCo-authored-by: c <c@c>\n", false, true},
		{"s\n\nReviewed-by: r\nand a word\njoust-accept: a: wanted\n", false, true},
		{"s\n\nReviewed-by: r\n\nJoust-Accept: a: wanted\n\nmore\n", false, true},
		{"Joust-Accept: a: wanted", false, true},
		{"s\n\nJoust-Accept: a: wanted\n\nJoust-Accept: a: again\n", true, true},
		{"s\n\nA line Joust-Accept: a: wanted\n", false, false},
		{"s\n\nJoust-Accepted: a: wanted\nJoust-Accept\nwords\n", false, false},
		{"", false, false},
		{"Joust-Accept", false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct record r;

		record__init(&r);
		add(&r, "a", BENCH_REGRESSED);
		assert_int_equal(git_message_values(rows[i].message,
						    &(struct git_trailer_reader){ACCEPT_KEY, see,
										 see_stray, &r},
						    "abcdef"),
				 0);
		assert_int_equal(r.benches[0].accepted != NULL, rows[i].accepted);
		assert_int_equal(r.notes_cnt, rows[i].stray);
		if (rows[i].stray)
			assert_string_equal(r.notes[0], "stray in abcdef");
		record__done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_a_colon_and_a_reason),
		cmocka_unit_test(the_longest_name_is_meant),
		cmocka_unit_test(an_accepted_regression_fails_nothing),
		cmocka_unit_test(a_line_that_is_no_trailer_is_noticed),
	};

	return cmocka_run_group_tests_name("accept", tests, NULL, NULL);
}
