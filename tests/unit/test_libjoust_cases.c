/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which cases a program has, how it is called by hand, and what it prints of a time. The sources are
 * included because libjoust is no part of the engine that unit tests link.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "engine/worker/libjoust/options.c"
#include "engine/worker/libjoust/registry.c"
#include "engine/worker/libjoust/text.c"

static void nothing(struct joust *b)
{
	(void)b; /* never run */
}

/* The registry with these cases in it and no others. */
static int catalog_of(struct joust_case *cases, size_t n, struct joust_catalog *ret, char *why)
{
	first = NULL;
	last = &first;
	for (size_t i = 0; i < n; i++) {
		cases[i].body = nothing;
		cases[i].threads = 1;
		cases[i].next = NULL;
		joust_register_(&cases[i]);
	}
	return joust_catalog__init(ret, why);
}

static void parameters_multiply_out_the_last_one_fastest(void **state)
{
	static const struct joust_axis axes[] = {JOUST_PARAM("doc", "small", "large"),
						 JOUST_PARAM("indent", "0", "2")};
	static const char *const names[] = {"a", "p/doc=small/indent=0", "p/doc=small/indent=2",
					    "p/doc=large/indent=0", "p/doc=large/indent=2"};
	struct joust_case cases[] = {{.name = "a"}, {.name = "p", .axes = axes, .axes_cnt = 2}};
	char why[PROTOCOL_TEXT_MAX];
	struct joust_catalog c;

	(void)state;
	assert_int_equal(catalog_of(cases, 2, &c, why), 0);
	assert_int_equal(c.cnt, 5);
	for (size_t i = 0; i < c.cnt; i++)
		assert_string_equal(c.benches[i].name, names[i]);
	assert_ptr_equal(joust_catalog__find(&c, names[3]), &c.benches[3]);
	assert_null(joust_catalog__find(&c, "p"));
	joust_catalog__done(&c);
}

static void refused(struct joust_case *cases, size_t n, const char *text)
{
	char why[PROTOCOL_TEXT_MAX];
	struct joust_catalog c;

	assert_int_equal(catalog_of(cases, n, &c, why), -1);
	if (!strstr(why, text))
		fail_msg("\"%s\" does not say \"%s\"", why, text);
	assert_null(c.benches);
}

static void bad_names_are_refused(void **state)
{
	static const struct joust_axis control[] = {JOUST_PARAM("k", "a\tb")};
	static const struct joust_axis twice[] = {JOUST_PARAM("k", "a", "b", "a")};
	char name[300];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[256] = 0;
	refused((struct joust_case[]){{.name = "a"}, {.name = "b"}, {.name = "a"}}, 3,
		"two benchmarks are named \"a\"");
	refused((struct joust_case[]){{.name = "t", .axes = twice, .axes_cnt = 1}}, 1,
		"two benchmarks are named \"t/k=a\"");
	refused((struct joust_case[]){{.name = "a"}, {.name = ""}}, 2, "benchmark 2");
	refused((struct joust_case[]){{.name = "a\nb"}}, 1, "control character");
	refused((struct joust_case[]){{.name = "a", .axes = control, .axes_cnt = 1}}, 1,
		"control character");
	refused((struct joust_case[]){{.name = name}}, 1, "longer than 255");
	name[254] = 0;
	refused((struct joust_case[]){{.name = name, .axes = twice, .axes_cnt = 1}}, 1,
		"longer than 255");
}

static void sizes_are_cases_of_one_family(void **state)
{
	static const uint64_t sizes[] = {1, 10, PROTOCOL_SIZE_MAX};
	struct joust_case cases[] = {{.name = "s", .sizes = sizes, .sizes_cnt = 3}, {.name = "t"}};
	char why[PROTOCOL_TEXT_MAX];
	struct joust_catalog c;

	(void)state;
	assert_int_equal(catalog_of(cases, 2, &c, why), 0);
	assert_int_equal(c.cnt, 4);
	assert_string_equal(c.benches[1].name, "s/size=10");
	assert_int_equal(c.benches[1].size, 10);
	assert_int_equal(c.benches[1].family, 1);
	assert_string_equal(c.benches[2].name, "s/size=9007199254740992");
	assert_int_equal(c.benches[3].size, 0);
	assert_int_equal(c.benches[3].family, 0);
	joust_catalog__done(&c);
}

static void bad_sizes_are_refused(void **state)
{
	static const uint64_t zero[] = {0, 1}, equal[] = {5, 5}, falling[] = {5, 4},
			      huge[] = {1, PROTOCOL_SIZE_MAX + 1},
			      many[PROTOCOL_SIZES_MAX + 1] = {1};

	(void)state;
	refused((struct joust_case[]){{.name = "s", .sizes = zero, .sizes_cnt = 2}}, 1,
		"do not grow");
	refused((struct joust_case[]){{.name = "s", .sizes = equal, .sizes_cnt = 2}}, 1,
		"do not grow");
	refused((struct joust_case[]){{.name = "s", .sizes = falling, .sizes_cnt = 2}}, 1,
		"do not grow");
	refused((struct joust_case[]){{.name = "s", .sizes = huge, .sizes_cnt = 2}}, 1,
		"do not grow");
	refused((struct joust_case[]){{.name = "s", .sizes = huge, .sizes_cnt = 1}}, 1,
		"not 2 to 16 sizes");
	refused(
		(struct joust_case[]){
			{.name = "s", .sizes = many, .sizes_cnt = PROTOCOL_SIZES_MAX + 1}},
		1, "not 2 to 16 sizes");
}

static void name_of_255_bytes_is_taken_whole(void **state)
{
	struct joust_case cases[1] = {{0}};
	char name[256], why[PROTOCOL_TEXT_MAX];
	struct joust_catalog c;

	(void)state;
	memset(name, 'x', sizeof(name));
	name[255] = 0;
	cases[0].name = name;
	assert_int_equal(catalog_of(cases, 1, &c, why), 0);
	assert_string_equal(c.benches[0].name, name);
	joust_catalog__done(&c);
}

static void durations_have_four_digits_and_a_unit(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{0, "0.000 ns"},       {1.23456, "1.235 ns"}, {9.9996, "10.00 ns"},
		{112.44, "112.4 ns"},  {999.94, "999.9 ns"},  {999.96, "1.000 us"},
		{1524000, "1.524 ms"}, {9.3e9, "9.300 s"},    {123456e9, "123456.0 s"},
	};
	char buf[JOUST_DURATION_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		joust_format_duration(buf, cases[i].ns);
		assert_string_equal(buf, cases[i].text);
	}
}

static void numbers_are_whole_and_within_bounds(void **state)
{
	static const char *const wrong[] = {
		"", " 1", "1 ", "+1", "1x", "0x1", "-", "1e3", "11", "-11", "99999999999999999999"};
	long value = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(joust_parse_long(wrong[i], -10, 10, &value), -1);
	assert_int_equal(value, 77);
	assert_int_equal(joust_parse_long("-10", -10, 10, &value), 0);
	assert_int_equal(value, -10);
}

static int parse(struct joust_options *o, char *why, const char *a, const char *b)
{
	char program[] = "bench", first_arg[64], second_arg[64];
	char *argv[] = {program, first_arg, second_arg, NULL};

	(void)snprintf(first_arg, sizeof(first_arg), "%s", a);
	(void)snprintf(second_arg, sizeof(second_arg), "%s", b ? b : "");
	return joust_options_parse(b ? 3 : 2, argv, o, why);
}

static void wrong_options_are_named(void **state)
{
	static const struct {
		const char *a, *b, *why;
	} cases[] = {
		{"--lst", NULL, "did you mean --list?"},
		{"--tests", NULL, "did you mean --test?"},
		{"--xyzzy-quux", NULL, "--help lists them"},
		{"--li", NULL, "no option --li"},
		{"name", NULL, "no argument \"name\""},
		{"--filter", NULL, "--filter takes a regular expression"},
		{"--list=x", NULL, "--list takes no value"},
		{"--list", "--test", "do not go together"},
	};
	struct joust_options o;
	char why[PROTOCOL_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(parse(&o, why, cases[i].a, cases[i].b), -1);
		if (!strstr(why, cases[i].why))
			fail_msg("\"%s\" does not say \"%s\"", why, cases[i].why);
	}
	assert_int_equal(parse(&o, why, "--test", "--filter=a|b"), 0);
	assert_true(o.test);
	assert_string_equal(o.filter, "a|b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_multiply_out_the_last_one_fastest),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(sizes_are_cases_of_one_family),
		cmocka_unit_test(bad_sizes_are_refused),
		cmocka_unit_test(name_of_255_bytes_is_taken_whole),
		cmocka_unit_test(durations_have_four_digits_and_a_unit),
		cmocka_unit_test(numbers_are_whole_and_within_bounds),
		cmocka_unit_test(wrong_options_are_named),
	};

	return cmocka_run_group_tests_name("libjoust/cases", tests, NULL, NULL);
}
