/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's tests, as TAP: texts that are JSON, texts that are not, and what is written. */
#include "../src/json.h"

#include <stdio.h>
#include <string.h>

static int tests, failures;

static void ok(bool good, const char *what)
{
	tests++;
	failures += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

static bool written_is(struct json_doc *doc, enum json_style style, const char *expected)
{
	struct json_buffer out = {0};
	bool good = json_write(&out, json_root(doc), style) == 0 && out.len == strlen(expected) &&
		    memcmp(out.data, expected, out.len) == 0;

	if (!good)
		printf("# written: %.*s\n", (int)out.len, out.data ? out.data : "");
	json_buffer__done(&out);
	return good;
}

static void test_accepted(struct json_doc *doc)
{
	static const char *const table[][2] = {
		{"{}", "{}"},
		{" [ ] ", "[]"},
		{"[1,-2,0,true,false,null]", "[1,-2,0,true,false,null]"},
		{"[-0,1.0,1e2,1E-2,0.1,123456.789]", "[-0.0,1.0,100.0,0.01,0.1,123456.789]"},
		{"[1e300,5e-324,0.1234567890123456]",
		 "[1e+300,4.94065645841247e-324,0.1234567890123456]"},
		{"123456789012345678", "123456789012345678"},
		{"1234567890123456789012", "1.2345678901234568e+21"},
		{"\"a\\u0041\\n\\\"\\/\\u00e9\\ud83d\\ude00\"",
		 "\"aA\\n\\\"/\xc3\xa9\xf0\x9f\x98\x80\""},
		{"\"\\u0000\\u001f\\b\\f\\r\\t\\\\\"", "\"\\u0000\\u001f\\b\\f\\r\\t\\\\\""},
		{"{\"a\":{\"b\":[{}]},\"a\":2}", "{\"a\":{\"b\":[{}]},\"a\":2}"},
		{"\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\"", "\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\""},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		ok(json_parse(doc, table[i][0], strlen(table[i][0]), NULL) == 0 &&
			   written_is(doc, JSON_COMPACT, table[i][1]),
		   table[i][0]);
}

static void test_refused(struct json_doc *doc)
{
	static const struct {
		const char *text;
		size_t offset;
		const char *what;
	} table[] = {
		{"", 0, "nothing"},
		{"[1,]", 3, "a comma at the end"},
		{"{\"a\" 1}", 5, "no colon"},
		{"{a:1}", 1, "a name without quotes"},
		{"[1 2]", 3, "no comma"},
		{"nul", 0, "half a word"},
		{"01", 0, "a zero in front"},
		{"1.", 0, "no digit behind the point"},
		{"-", 0, "a sign alone"},
		{"1e", 0, "no exponent"},
		{"1e999", 0, "above the range of a double"},
		{"\"\t\"", 1, "a raw tab in a string"},
		{"\"\\x\"", 1, "an unknown escape"},
		{"\"\\ud800\"", 1, "half a surrogate pair"},
		{"\"\\udc00\"", 1, "the other half"},
		{"\"\\u12g4\"", 1, "no hex digit"},
		{"\"\xc0\x80\"", 1, "an overlong sequence"},
		{"\"\xed\xa0\x80\"", 1, "a surrogate in UTF-8"},
		{"\"\xf4\x90\x80\x80\"", 1, "above U+10FFFF"},
		{"\"\xc3\"", 1, "a sequence cut short"},
		{"\"abc", 0, "no closing quote"},
		{"{} x", 3, "more text"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct json_error error = {0};
		int err = json_parse(doc, table[i].text, strlen(table[i].text), &error);

		ok(err && !json_root(doc) && error.message && error.offset == table[i].offset,
		   table[i].what);
	}
}

static void test_depth(struct json_doc *doc)
{
	char text[2 * 300];

	memset(text, '[', 300);
	memset(text + 300, ']', 300);
	ok(json_parse(doc, text + 50, 500, NULL) == 0, "250 levels");
	ok(json_parse(doc, text, 600, NULL) != 0, "300 levels are refused");
}

static void test_access(struct json_doc *doc)
{
	static const char text[] = "{\"n\":7,\"r\":2.5,\"s\":\"hi\",\"a\":[1,2,3],\"n\":8}";
	const struct json_value *root;
	int64_t n = 0;
	size_t len = 0;

	ok(json_parse(doc, text, sizeof(text) - 1, NULL) == 0, "a document to look at");
	root = json_root(doc);
	ok(json_count(root) == 5 && !json_member(root, "x"), "members are counted and found");
	ok(json_integer(json_member(root, "n"), &n) == 0 && n == 8, "the last of a name counts");
	ok(json_number(json_member(root, "r")) == 2.5, "a real");
	ok(strcmp(json_string(json_member(root, "s"), &len), "hi") == 0 && len == 2, "a string");
	ok(json_count(json_member(root, "a")) == 3, "an array");
	ok(json_integer(json_member(root, "s"), &n) != 0 && !json_string(root, NULL),
	   "the wrong type is refused");
	ok(written_is(
		   doc, JSON_PRETTY,
		   "{\n  \"n\": 7,\n  \"r\": 2.5,\n  \"s\": \"hi\",\n  \"a\": [\n    1,\n    2,\n"
		   "    3\n  ],\n  \"n\": 8\n}"),
	   "pretty");
}

/* What was written reads back, and is written the same again. */
static void test_file(struct json_doc *doc, const char *path)
{
	static char text[1 << 20];
	struct json_buffer once = {0}, twice = {0};
	FILE *in = fopen(path, "re");
	size_t len = in ? fread(text, 1, sizeof(text), in) : 0;
	bool good;

	if (in)
		(void)fclose(in); /* only read from */
	good = len > 0 && json_parse(doc, text, len, NULL) == 0 &&
	       json_write(&once, json_root(doc), JSON_PRETTY) == 0 &&
	       json_parse(doc, once.data, once.len, NULL) == 0 &&
	       json_write(&twice, json_root(doc), JSON_PRETTY) == 0;
	ok(good && once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0, path);
	json_buffer__done(&once);
	json_buffer__done(&twice);
}

int main(int argc, char **argv)
{
	struct json_doc *doc = NULL;

	if (json_doc__new(&doc) != 0)
		return 1;
	test_accepted(doc);
	test_refused(doc);
	test_depth(doc);
	test_access(doc);
	for (int i = 1; i < argc; i++)
		test_file(doc, argv[i]);
	json_doc__free(doc);
	printf("1..%d\n", tests);
	return failures ? 1 : 0;
}
