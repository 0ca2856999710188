/* SPDX-License-Identifier: BSD-2-Clause */
/* What is kept of a program's output: its beginning and its end, however it comes in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/host/kept.h"

#define MOST (3 * KEPT_BYTES)

/* Every byte says where it is, as far as 251 values can. */
static char byte_at(size_t i)
{
	return (char)('0' + i % 251 % 75);
}

static void add(struct kept *k, size_t from, size_t len, size_t step)
{
	char *text = malloc(len + 1);

	assert_non_null(text);
	for (size_t i = 0; i < len; i++)
		text[i] = byte_at(from + i);
	for (size_t i = 0; i < len; i += step)
		kept__add(k, text + i, len - i < step ? len - i : step);
	free(text);
}

static void expect(const struct kept *k, size_t total)
{
	size_t lost = total > 2 * KEPT_BYTES ? total - 2 * KEPT_BYTES : 0;
	size_t head = total < KEPT_BYTES ? total : KEPT_BYTES, tail = total - lost - head;
	char *text = kept_text(k);
	char gap[64] = "";

	assert_non_null(text);
	assert_int_equal(k->total, total);
	assert_int_equal(kept_lost(k), lost);
	if (lost)
		(void)snprintf(gap, sizeof(gap), "\n[joust: %zu bytes left out]\n", lost);
	assert_int_equal(strlen(text), head + strlen(gap) + tail);
	for (size_t i = 0; i < head; i++)
		assert_int_equal(text[i], byte_at(i));
	assert_memory_equal(text + head, gap, strlen(gap));
	for (size_t i = 0; i < tail; i++)
		assert_int_equal(text[head + strlen(gap) + i], byte_at(total - tail + i));
	free(text);
}

static void both_ends_are_kept(void **state)
{
	static const size_t totals[] = {1,
					4096,
					4097,
					KEPT_BYTES - 1,
					KEPT_BYTES,
					KEPT_BYTES + 1,
					2 * KEPT_BYTES - 1,
					2 * KEPT_BYTES,
					2 * KEPT_BYTES + 1,
					MOST - 1,
					MOST + 12345};
	static const size_t steps[] = {1, 1000, 16384, MOST + 12345};

	(void)state;
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		for (size_t j = 0; j < sizeof(steps) / sizeof(steps[0]); j++) {
			struct kept k = {0};

			add(&k, 0, totals[i], steps[j]);
			expect(&k, totals[i]);
			kept__done(&k);
		}
	}
}

static void nothing_said_is_no_text(void **state)
{
	struct kept k = {0};

	(void)state;
	assert_null(kept_text(&k));
	kept__add(&k, "", 0);
	assert_null(kept_text(&k));
	kept__done(&k);
}

static void a_nul_hides_nothing(void **state)
{
	struct kept k = {0};
	char *text;

	(void)state;
	kept__add(&k, "a\0b", 3);
	text = kept_text(&k);
	assert_string_equal(text, "a?b");
	free(text);
	kept__done(&k);
	assert_null(kept_text(&k));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_are_kept),
		cmocka_unit_test(nothing_said_is_no_text),
		cmocka_unit_test(a_nul_hides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
