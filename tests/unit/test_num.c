/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include "../../engine/util/num.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

static void u64_takes_whole_numbers_in_range(void **state)
{
	static const struct {
		const char *text;
		uint64_t lo, hi, value;
		int err;
	} rows[] = {
		{"0", 0, 10, 0, 0},
		{"10", 0, 10, 10, 0},
		{"007", 0, 10, 7, 0},
		{"18446744073709551615", 0, UINT64_MAX, UINT64_MAX, 0},
		{"18446744073709551616", 0, UINT64_MAX, 0, -ERANGE},
		{"99999999999999999999999", 0, UINT64_MAX, 0, -ERANGE},
		{"11", 0, 10, 0, -ERANGE},
		{"1", 2, 10, 0, -ERANGE},
		{"", 0, 10, 0, -EINVAL},
		{" 1", 0, 10, 0, -EINVAL},
		{"1 ", 0, 10, 0, -EINVAL},
		{"+1", 0, 10, 0, -EINVAL},
		{"-1", 0, UINT64_MAX, 0, -EINVAL},
		{"-0", 0, 10, 0, -EINVAL},
		{"0x5", 0, 10, 0, -EINVAL},
		{"1e3", 0, 10000, 0, -EINVAL},
		{"1.0", 0, 10, 0, -EINVAL},
		{"5\n", 0, 10, 0, -EINVAL},
		{"five", 0, 10, 0, -EINVAL},
		{"\xd9\xa1", 0, 10, 0, -EINVAL}, /* ARABIC-INDIC DIGIT ONE */
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		uint64_t v = 77;

		print_message("# %s\n", rows[i].text);
		assert_int_equal(num_u64(rows[i].text, rows[i].lo, rows[i].hi, &v), rows[i].err);
		assert_true(v == (rows[i].err ? 77 : rows[i].value));
	}
}

static void double_takes_plain_finite_numbers(void **state)
{
	static const struct {
		const char *text;
		double value;
		int err;
	} rows[] = {
		{"0", 0, 0},
		{"1.5", 1.5, 0},
		{".5", .5, 0},
		{"5.", 5, 0},
		{"+2", 2, 0},
		{"-2", -2, 0},
		{"1e2", 100, 0},
		{"1E-2", .01, 0},
		{"1e-400", 0, 0},
		{"101", 0, -ERANGE},
		{"-101", 0, -ERANGE},
		{"1e400", 0, -ERANGE},
		{"-1e400", 0, -ERANGE},
		{"", 0, -EINVAL},
		{".", 0, -EINVAL},
		{"e5", 0, -EINVAL},
		{"1e", 0, -EINVAL},
		{"1.5.5", 0, -EINVAL},
		{"1-2", 0, -EINVAL},
		{"--1", 0, -EINVAL},
		{" 1", 0, -EINVAL},
		{"1 ", 0, -EINVAL},
		{"1,5", 0, -EINVAL},
		{"nan", 0, -EINVAL},
		{"inf", 0, -EINVAL},
		{"-infinity", 0, -EINVAL},
		{"0x10", 0, -EINVAL},
		{"1f", 0, -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		double v = 77;

		print_message("# %s\n", rows[i].text);
		assert_int_equal(num_double(rows[i].text, -100, 100, &v), rows[i].err);
		assert_true(v == (rows[i].err ? 77 : rows[i].value));
	}
	assert_int_equal(num_double("1e400", 0, INFINITY, &(double){0}), -ERANGE);
}

static void limit_is_a_ratio_or_percent_above_one(void **state)
{
	static const struct {
		const char *text;
		double value;
		int err;
	} rows[] = {
		{"1.02", 1.02, 0},	{"2%", 1.02, 0},
		{"0.5%", 1.005, 0},	{"100%", 2, 0},
		{"1.99", 1.99, 0},	{"2", 0, -ERANGE}, /* two percent, most likely */
		{"1", 0, -ERANGE},	{"1.0", 0, -ERANGE},
		{"0.98", 0, -ERANGE},	{"0%", 0, -ERANGE},
		{"-2%", 0, -ERANGE},	{"-2", 0, -ERANGE},
		{"1001", 0, -ERANGE},	{"", 0, -EINVAL},
		{"%", 0, -EINVAL},	{"2%%", 0, -EINVAL},
		{"%2", 0, -EINVAL},	{"2 %", 0, -EINVAL},
		{"nan", 0, -EINVAL},	{"nan%", 0, -EINVAL},
		{"inf", 0, -EINVAL},	{"1,02", 0, -EINVAL},
		{"1e-20%", 0, -ERANGE},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		double v = 77;

		print_message("# %s\n", rows[i].text);
		assert_int_equal(num_limit(rows[i].text, &v), rows[i].err);
		assert_true(fabs(v - (rows[i].err ? 77 : rows[i].value)) < 1e-12);
	}
}

static void bool_takes_the_words_of_git(void **state)
{
	static const char *const yes[] = {"yes", "YES", "true", "True", "on", "1"};
	static const char *const no[] = {"no", "No", "false", "off", "0"};
	static const char *const bad[] = {"", "y", "n", "2", "yes ", "ja", "10"};
	bool v;

	(void)state;
	for (size_t i = 0; i < CNT(yes); i++) {
		v = false;
		assert_int_equal(num_bool(yes[i], &v), 0);
		assert_true(v);
	}
	for (size_t i = 0; i < CNT(no); i++) {
		v = true;
		assert_int_equal(num_bool(no[i], &v), 0);
		assert_false(v);
	}
	for (size_t i = 0; i < CNT(bad); i++)
		assert_int_equal(num_bool(bad[i], &v), -EINVAL);
}

/* `make check-unit` builds a locale with a decimal comma and says where by LOCPATH. */
static void numbers_have_a_point_in_every_locale(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
					    "pt_BR.UTF-8"};
	const char *set = NULL;
	double v = 0;

	(void)state;
	for (size_t i = 0; i < CNT(names) && !set; i++)
		set = setlocale(LC_ALL, names[i]);
	if (!set) {
		print_message("# skipped: no locale with a decimal comma: de_DE, fr_FR, pt_BR\n");
		skip();
	}
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_int_equal(num_double("1.5", 0, 10, &v), 0);
	assert_true(v == 1.5);
	assert_int_equal(num_double("1,5", 0, 10, &v), -EINVAL);
	assert_int_equal(num_limit("1.02", &v), 0);
	assert_true(setlocale(LC_ALL, "C"));
}

static void bytes_have_units_of_1024(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_int_equal(num_bytes("4096", 0, UINT64_MAX, &v), 0);
	assert_int_equal(v, 4096);
	assert_int_equal(num_bytes("3K", 0, UINT64_MAX, &v), 0);
	assert_int_equal(v, 3072);
	assert_int_equal(num_bytes("2T", 0, UINT64_MAX, &v), 0);
	assert_int_equal(v, 2ull << 40);
	assert_int_equal(num_bytes("2G", 0, (2u << 30) - 1, &v), -ERANGE);
	assert_int_equal(num_bytes("16777216T", 0, UINT64_MAX, &v), -ERANGE); /* 2^64 */
	assert_int_equal(num_bytes("", 0, 9, &v), -EINVAL);
	assert_int_equal(num_bytes("G", 0, 9, &v), -EINVAL);
	assert_int_equal(num_bytes("1.5G", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(num_bytes("2GB", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(num_bytes("-1", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(v, 2ull << 40);
	assert_int_equal(num_bytes("5MiB", 0, UINT64_MAX, &v), 0);
	assert_int_equal(v, 5 << 20);
	assert_int_equal(num_bytes("5iB", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(num_bytes("iB", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(num_bytes("MiB", 0, UINT64_MAX, &v), -EINVAL);
	assert_int_equal(num_bytes("5MB", 0, UINT64_MAX, &v), -EINVAL); /* of 1000 or of 1024? */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(u64_takes_whole_numbers_in_range),
		cmocka_unit_test(double_takes_plain_finite_numbers),
		cmocka_unit_test(limit_is_a_ratio_or_percent_above_one),
		cmocka_unit_test(bytes_have_units_of_1024),
		cmocka_unit_test(bool_takes_the_words_of_git),
		cmocka_unit_test(numbers_have_a_point_in_every_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
