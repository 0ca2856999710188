/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include "engine/util/limit.h"

/* [METRIC=]LIMIT. What a number may look like has a test of its own. */

#define CNT(a) (sizeof(a) / sizeof((a)[0]))

static void limits_of_each_kind(void **state)
{
	static const struct {
		const char *text;
		struct limit want;
	} rows[] = {
		{"1.02", {METRIC_CPU, false, 1.02}},
		{"100%", {METRIC_CPU, false, 2}},
		{"wall=1.5", {METRIC_WALL, false, 1.5}},
		{"cpu_total=1.03", {METRIC_CPU_TOTAL, false, 1.03}},
		{"page_faults=0", {METRIC_PAGE_FAULTS, false, 0}},
		{"page_faults=1e15", {METRIC_PAGE_FAULTS, false, 1e15}},
		{"page_faults=+2", {METRIC_PAGE_FAULTS, false, 2}},
		{"peak_memory=1.25", {METRIC_PEAK_MEMORY, false, 1.25}},
		{"peak_memory=+0", {METRIC_PEAK_MEMORY, true, 0}},
		{"peak_memory=+5M", {METRIC_PEAK_MEMORY, true, 5 << 20}},
		{"peak_memory=+1024T", {METRIC_PEAK_MEMORY, true, (double)(1ull << 50)}},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		char why[LIMIT_WHY_MAX] = "";
		struct limit got;

		assert_int_equal(limit_parse(rows[i].text, &got, why), 0);
		assert_int_equal(got.metric, rows[i].want.metric);
		assert_int_equal(got.bytes, rows[i].want.bytes);
		assert_true(got.value == rows[i].want.value);
		assert_string_equal(why, "");
	}
}

static void what_is_no_limit_is_named(void **state)
{
	static const char *const rows[][2] = {
		{"", "\"\" is not a limit of cpu; write a ratio such as 1.02"},
		{"0.9", "\"0.9\" is not a limit of cpu"},
		{"wall=", "\"\" is not a limit of wall"},
		{"wall=1.5=1.5", "\"1.5=1.5\" is not a limit of wall"},
		{"wall=+5M", "\"+5M\" is not a limit of wall"},
		{"page_faults=2%", "of page_faults; write a difference per iteration"},
		{"page_faults=2e15", "\"2e15\" is not a limit"},
		{"page_faults=-1", "\"-1\" is not a limit"},
		{"peak_memory=5M", "of peak_memory; write a ratio such as 1.1"},
		{"peak_memory=+1.5", "\"+1.5\" is not a limit"},
		{"peak_memory=+1025T", "\"+1025T\" is not a limit"},
		{"peak_memory=+-1", "\"+-1\" is not a limit"},
		{"=1.02", "unknown metric "},
		{"cpuu=1.02", "unknown metric cpuu; did you mean cpu?"},
		{"inst=1.02", "unknown metric inst; did you mean instructions?"},
		{"migrations=2",
		 "migrations is never judged, it only explains; write one of cpu, "},
		{"migration=2", "unknown metric migration"},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		struct limit untouched = {METRIC_CNT, true, 7}, got = untouched;
		char why[LIMIT_WHY_MAX] = "";

		assert_int_equal(limit_parse(rows[i][0], &got, why), -EINVAL);
		if (!strstr(why, rows[i][1]))
			fail_msg("\"%s\" is not in \"%s\"", rows[i][1], why);
		assert_int_equal(got.metric, untouched.metric);
		assert_true(got.bytes && got.value == untouched.value);
	}
}

static void no_guess_is_a_metric_that_is_never_judged(void **state)
{
	char why[LIMIT_WHY_MAX] = "";
	enum metric_id id;

	(void)state;
	assert_int_equal(limit_metric("migration", &id, why), -EINVAL);
	assert_string_equal(
		why, "unknown metric migration; write one of cpu, cpu_total, instructions, wall, "
		     "cycles, branch_misses, cache_misses, page_faults, "
		     "voluntary_switches, peak_memory");
}

static void a_long_word_is_cut(void **state)
{
	char word[2 * LIMIT_WHY_MAX], why[LIMIT_WHY_MAX] = "";
	struct limit got;
	enum metric_id id;

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(limit_metric(word, &id, why), -EINVAL);
	assert_int_equal(strlen(why), LIMIT_WHY_MAX - 1);
	assert_int_equal(limit_parse(word, &got, why), -EINVAL);
	assert_int_equal(strlen(why), LIMIT_WHY_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_of_each_kind),
		cmocka_unit_test(what_is_no_limit_is_named),
		cmocka_unit_test(no_guess_is_a_metric_that_is_never_judged),
		cmocka_unit_test(a_long_word_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
