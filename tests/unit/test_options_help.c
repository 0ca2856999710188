/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "../../engine/cli/help.h"
#include "../../engine/cli/option_table.h"

/* Owned. */
static char *help_text(enum verb verb, bool given, enum help_kind kind)
{
	struct options o = {.verb = verb, .verb_given = given, .help = kind};
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	help_print(out, &o);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void no_line_is_wider_than_100_columns(void **state)
{
	(void)state;
	for (int v = 0; v < VERB_AA; v++) {
		for (int kind = HELP_SHORT; kind <= HELP_FULL; kind++) {
			AUTO_FREE char *text = help_text((enum verb)v, true, (enum help_kind)kind);

			for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
				assert_true(strcspn(s, "\n") <= 100);
				assert_true(s[strcspn(s, "\n") - (s[0] != '\n')] != ' ');
			}
		}
	}
}

static void full_help_names_every_option_of_the_verb_and_no_other(void **state)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);

	(void)state;
	for (int v = 0; v < VERB_AA; v++) {
		AUTO_FREE char *text = help_text((enum verb)v, true, HELP_FULL);

		for (size_t i = 0; i < cnt; i++) {
			char line[64];

			(void)snprintf(line, sizeof(line), "  --%s%c", rows[i].name, ' ');
			if (rows[i].letter)
				(void)snprintf(line, sizeof(line), "  -%c, --%s ", rows[i].letter,
					       rows[i].name);
			print_message("# %s%s\n", verb_get((enum verb)v)->name, line);
			assert_int_equal(strstr(text, line) != NULL,
					 option_applies(&rows[i], (enum verb)v) && !rows[i].later);
		}
	}
}

static void help_without_a_verb_names_all_verbs(void **state)
{
	AUTO_FREE char *text = help_text(VERB_COMPARE, false, HELP_FULL);
	AUTO_FREE char *brief = help_text(VERB_COMPARE, false, HELP_SHORT);

	(void)state;
	for (int v = 0; v < VERB_CNT; v++)
		assert_non_null(strstr(text, verb_get((enum verb)v)->name));
	assert_non_null(strstr(text, "not in this version"));
	assert_non_null(strstr(text, "--layouts"));
	assert_non_null(strstr(text, "JOUST_MAX_TIME=60"));
	assert_non_null(strstr(brief, "--base REF"));
	assert_null(strstr(brief, "--pairs"));
	assert_true(strlen(brief) < strlen(text) / 2);
}

static void help_of_compare_lists_the_metrics_that_can_be_judged(void **state)
{
	AUTO_FREE char *text = help_text(VERB_COMPARE, true, HELP_FULL);
	AUTO_FREE char *run = help_text(VERB_RUN, true, HELP_FULL);

	(void)state;
	for (int i = 0; i < METRIC_CNT; i++) {
		const struct metric *m = metric_get((enum metric_id)i);
		char line[64];

		(void)snprintf(line, sizeof(line), "\n  %s ", m->name);
		assert_int_equal(strstr(text, line) != NULL, m->judge != JUDGE_NEVER);
		assert_null(strstr(run, line));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_line_is_wider_than_100_columns),
		cmocka_unit_test(full_help_names_every_option_of_the_verb_and_no_other),
		cmocka_unit_test(help_without_a_verb_names_all_verbs),
		cmocka_unit_test(help_of_compare_lists_the_metrics_that_can_be_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
