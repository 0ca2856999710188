/* SPDX-License-Identifier: BSD-2-Clause */
/* What the JSON form looks like, whatever it says. */
#include "test_report_json_fixture.h"
#include <errno.h>
#include "report/unicode.h"

/* The bytes that a number becomes. */
static void number_formats(void **state)
{
	struct record r;
	struct rec_bench *b;
	AUTO_FREE char *text = NULL;

	(void)state;
	record__init(&r);
	r.seed = UINT64_MAX;
	r.seconds = INFINITY;
	b = add_bench(&r, "a", BENCH_SAME);
	b->n = UINT64_C(1) << 53;
	b->k = (UINT64_C(1) << 53) + 1;
	b->slice_ns = 1.0 / 3;
	b->metric[METRIC_CPU].detectable = 1.0 / 3;
	text = json_text(&r);
	assert_non_null(strstr(text, "\"seed\": \"18446744073709551615\""));
	assert_non_null(strstr(text, "\"seconds\": null"));
	assert_non_null(strstr(text, "\"iterations\": 9007199254740992,"));
	assert_non_null(strstr(text, "\"slices\": \"9007199254740993\","));
	assert_non_null(strstr(text, "\"slice_ns\": 0.33333333333333331,"));
	assert_non_null(strstr(text, "\"detectable\": 0.333333333333,"));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf"));
	record__done(&r);
}

static void the_same_record_gives_the_same_bytes(void **state)
{
	struct record r;
	AUTO_FREE char *once = NULL, *twice = NULL;

	(void)state;
	fixture_full(&r);
	once = json_text(&r);
	twice = json_text(&r);
	assert_string_equal(once, twice);
	record__done(&r);
}

static void strings_stay_valid(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"\"\\/\b\f\n\r\t\x01\x1f\x7f", "\"\\/\b\f\n\r\t\x01\x1f\x7f"},
		{"\xff"
		 "a\xc0\xaf",
		 "\xef\xbf\xbd"
		 "a\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf0\x9f\x9a\x80 \xe2\x80\xae", "\xf0\x9f\x9a\x80 \xe2\x80\xae"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct record r;
		AUTO_JSON cJSON *j = NULL;
		AUTO_FREE char *text = NULL;

		record__init(&r);
		r.path = copy(rows[i].in);
		j = parsed(&r);
		assert_text(j, "path", rows[i].out);
		text = json_text(&r);
		for (const char *s = text; *s; s++)
			assert_true((unsigned char)*s >= 0x20 || *s == '\n');
		record__done(&r);
	}
}

static void a_full_disk_is_an_error(void **state)
{
	AUTO_FILE FILE *full = fopen("/dev/full", "w");
	struct record r;

	(void)state;
	if (!full) {
		print_message("# skipped: there is no /dev/full\n");
		skip();
	}
	fixture_run(&r); /* smaller than a buffer: only fflush can tell */
	assert_int_equal(json_write(full, &r), -ENOSPC);
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_formats),
		cmocka_unit_test(the_same_record_gives_the_same_bytes),
		cmocka_unit_test(strings_stay_valid),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
