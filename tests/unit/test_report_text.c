/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_report_fixture.h"
#include <stdlib.h>
#include "report/text.h"
#include "report/unicode.h"

static char *escaped_bytes(const char *s, size_t len)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	assert_non_null(out);
	text_escape(out, s, len);
	assert_int_equal(fclose(out), 0);
	return buffer;
}

/* What must hold of anything that was escaped; for long inputs as well as for the table below. */
static void assert_inert(const char *s)
{
	size_t len = strlen(s);
	AUTO_FREE char *again = escaped_bytes(s, len);

	assert_string_equal(again, s);
	assert_null(strstr(s, "##["));
	for (size_t at = 0; at < len;) {
		uint32_t cp = 0;
		size_t taken = utf8_decode(s + at, len - at, &cp);

		assert_int_not_equal(taken, 0);
		assert_false(unicode_hidden(cp));
		at += taken;
	}
}

static void escapes_as_documented(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"plain text, 100 %", "plain text, 100 %"},
		{"", ""},
		{"a\nb", "a\\nb"},
		{"\r PASS", "\\x0d PASS"},
		{"\t", "\\x09"},
		{"\x1b]0;x\x07", "\\x1b]0;x\\x07"},
		{"\x1b[2J", "\\x1b[2J"},
		{"\x7f", "\\x7f"},
		{"\xc2\x9b"
		 "31m",
		 "\\u{009b}31m"},
		{"\xe2\x80\xae"
		 "exe",
		 "\\u{202e}exe"},
		{"a\xe2\x80\x8b"
		 "b",
		 "a\\u{200b}b"},
		{"\xe2\x80\xa8", "\\u{2028}"},
		{"\xef\xbb\xbf", "\\u{feff}"},
		{"\xf3\xa0\x81\x81", "\\u{e0041}"},
		{"\xff\xfe", "\\xff\\xfe"},
		{"\xc0\xaf", "\\xc0\\xaf"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
		{"\xe2\x82", "\\xe2\\x82"},
		{"##[error]x", "##\\x5berror]x"},
		{"###[", "###\\x5b"},
		{"\\x1b", "\\x1b"},
		{"\xc3\xbc \xe6\xbc\xa2 \xf0\x9f\x9a\x80",
		 "\xc3\xbc \xe6\xbc\xa2 \xf0\x9f\x9a\x80"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		AUTO_FREE char *out = text_escaped(rows[i].in);

		assert_string_equal(out, rows[i].out);
		assert_inert(out);
	}
}

/* Every pair of bytes in a context, and a NUL that only the length form can see. */
static void any_bytes_become_inert(void **state)
{
	char in[] = "a##??\xe2\x80z";

	(void)state;
	for (unsigned first = 0; first < 256; first++) {
		for (unsigned second = first & 1; second < 256; second += 2) {
			AUTO_FREE char *out = NULL;

			in[3] = (char)first;
			in[4] = (char)second;
			out = escaped_bytes(in, sizeof(in) - 1);
			assert_inert(out);
		}
	}
}

static void width_in_columns(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\xc3\xbc"), 1);
	assert_int_equal(text_width("u\xcc\x88"), 1);
	assert_int_equal(text_width("\xe6\xbc\xa2\xe5\xad\x97"), 4);
	assert_int_equal(text_width("\xf0\x9f\x9a\x80"), 2);
	assert_int_equal(text_width("\x1b"), 4);
	assert_int_equal(text_width("\xe2\x80\xae"), 8);
}

static void names(void **state)
{
	char longest[258];
	const char *why = NULL;

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[256] = '\0';
	assert_true(text_name_valid(longest, &why));
	assert_null(why);
	longest[256] = 'x';
	longest[257] = '\0';
	assert_false(text_name_valid(longest, &why));
	assert_string_equal(why, "it has more than 256 bytes");
	assert_true(text_name_valid("parse: gro\xc3\x9f, \xe6\xbc\xa2 $(x) '::", NULL));
	assert_false(text_name_valid("", &why));
	assert_string_equal(why, "it is empty");
	assert_false(text_name_valid("a\xff", &why));
	assert_string_equal(why, "it is not valid UTF-8");
	assert_false(text_name_valid("a\nb", &why));
	assert_string_equal(why, "it has control, invisible or private characters");
	assert_false(text_name_valid("\xe2\x80\xae", NULL)); /* bidi */
	assert_false(text_name_valid("\xe2\x80\xa9", NULL)); /* Zp */
	assert_false(text_name_valid("\xee\x80\x80", NULL)); /* Co */
	assert_false(text_name_valid("\xef\xbf\xbe", NULL)); /* noncharacter */
}

static char *quoted(const char *s)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	assert_non_null(out);
	text_shell_quote(out, s);
	assert_int_equal(fclose(out), 0);
	return buffer;
}

static void quoting(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"bench/a-b_c.d:1,2%", "bench/a-b_c.d:1,2%"},
		{"", "''"},
		{"a b", "'a b'"},
		{"$(x)", "'$(x)'"},
		{"it's", "'it'\\''s'"},
		{"=cmd", "'=cmd'"}, /* zsh expands it */
		{"~", "'~'"},
		{"!!", "'!!'"},
		{"a\nb'\\", "$'a\\012b\\'\\\\'"},
		{"\x1b[2J7", "$'\\033[2J7'"},
		{"##[x]", "$'##\\133x]'"},
		{"\xe2\x80\xae", "$'\\342\\200\\256'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		AUTO_FREE char *out = quoted(rows[i].in);

		assert_string_equal(out, rows[i].out);
		assert_inert(out);
	}
}

/* The real judge of a quoting is a shell. */
static void a_shell_reads_the_same_back(void **state)
{
	static const char *const texts[] = {"$(echo x)`id`;&|<>*?[a]{b,c}~ #\"\\", "it's '' '\\''",
					    "\x1b]0;x\x07\n##[error]\3771", "!! \xe6\xbc\xa2"};

	(void)state;
	if (access("/bin/bash", X_OK) != 0) {
		print_message("# skipped: there is no /bin/bash\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		AUTO_FREE char *word = quoted(texts[i]);
		char command[512], back[256] = "";
		FILE *p;

		/* popen's own shell may lack $'', so that the script goes through a descriptor */
		snprintf(command, sizeof(command),
			 "/bin/bash /dev/fd/3 3<<'END_OF_SCRIPT'\nprintf %%s %s\nEND_OF_SCRIPT\n",
			 word);
		p = popen(command, "r");
		assert_non_null(p);
		(void)!fread(back, 1, sizeof(back) - 1, p);
		assert_int_equal(pclose(p), 0);
		assert_string_equal(back, texts[i]);
	}
}

static char *value(double x, const char *unit)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	assert_non_null(out);
	if (unit && strcmp(unit, "duration") == 0)
		text_duration(out, x);
	else
		text_value(out, x, unit);
	assert_int_equal(fclose(out), 0);
	return buffer;
}

static void numbers(void **state)
{
	static const struct {
		double x;
		const char *unit, *out;
	} rows[] = {
		{112400, "duration", "112.4 us"},
		{1.52e6, "duration", "1.52 ms"},
		{9.3e9, "duration", "9.3 s"},
		{0, "duration", "0.0 ns"},
		{999.96, "duration", "1.0 us"},
		{999.96e6, "duration", "1.0 s"},
		{3.6e12, "duration", "3600.0 s"},
		{-5, "duration", "-5.0 ns"},
		{NAN, "duration", "unknown"},
		{INFINITY, "duration", "inf s"},
		{112400, "ns", "112.4 us"},
		{1.52e6, "ns", "1.520 ms"},
		{0.31, "ns", "0.3100 ns"},
		{999.96, "ns", "1.000 us"},
		{1521000, NULL, "1.521e+06"},
		{12, NULL, "12"},
		{NAN, "ns", "unknown"},
		{5, "bytes", "5 bytes"},
		{999.96, "B", "1.000 kB"},
		{1e6, "B", "1.000 MB"},
		{12, "B", "12.00 B"},
		{2.5e9, "B", "2.500 GB"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		AUTO_FREE char *out = value(rows[i].x, rows[i].unit);

		assert_string_equal(out, rows[i].out);
	}
}

static void nearest(void **state)
{
	static const char *const words[] = {"--filter", "--limit", "--blocks", "--base"};
	char long_word[200];

	(void)state;
	assert_string_equal(text_nearest("--fliter", words, 4), "--filter");
	assert_string_equal(text_nearest("--LIMIT", words, 4), "--limit");
	assert_string_equal(text_nearest("--block", words, 4), "--blocks");
	assert_null(text_nearest("--verbose", words, 4));
	assert_null(text_nearest("", words, 4));
	assert_null(text_nearest("--filter", words, 0));
	memset(long_word, 'a', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	assert_null(text_nearest(long_word, words, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_as_documented),
		cmocka_unit_test(any_bytes_become_inert),
		cmocka_unit_test(width_in_columns),
		cmocka_unit_test(names),
		cmocka_unit_test(quoting),
		cmocka_unit_test(a_shell_reads_the_same_back),
		cmocka_unit_test(numbers),
		cmocka_unit_test(nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
