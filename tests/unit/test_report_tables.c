/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_report_fixture.h"
#include <ctype.h>
#include "report/text.h"

static void every_metric_has_its_row(void **state)
{
	(void)state;
	for (int i = 0; i < METRIC_CNT; i++) {
		const struct metric *m = metric_get(i);

		assert_non_null(m->name);
		assert_non_null(m->source);
		assert_int_equal(metric_find(m->name), i); /* unique as well */
		assert_int_equal(m->why[strlen(m->why) - 1], '.');
		assert_true(m->judge == JUDGE_NEVER || m->kind != METRIC_INTERFERENCE);
		assert_int_equal(isnan(m->limit), m->judge == JUDGE_NEVER);
		assert_true(m->kind != METRIC_TIMED || !(m->limit <= 1));
		assert_true(m->kind == METRIC_PEAK ? m->limit > 1 && m->least > 0 : m->least == 0);
	}
	assert_int_equal(metric_find("CPU"), -1);
	assert_int_equal(metric_find(""), -1);
}

static void limits_and_judging_as_promised(void **state)
{
	static const struct {
		enum metric_id id;
		double limit;
		enum metric_judge judge;
	} rows[] = {
		{METRIC_CPU, 1.02, JUDGE_ALWAYS},
		{METRIC_CPU_TOTAL, 1.02, JUDGE_ALWAYS},
		{METRIC_INSTRUCTIONS, 1.01, JUDGE_ALWAYS},
		{METRIC_WALL, 1.05, JUDGE_THREADED},
		{METRIC_CYCLES, 1.02, JUDGE_ASKED},
		{METRIC_BRANCH_MISSES, 1.02, JUDGE_ASKED},
		{METRIC_CACHE_MISSES, 1.02, JUDGE_ASKED},
		{METRIC_PAGE_FAULTS, 0.5, JUDGE_ASKED},
		{METRIC_VOLUNTARY_SWITCHES, 0.5, JUDGE_ASKED},
		{METRIC_PEAK_MEMORY, 1.10, JUDGE_ASKED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(metric_get(rows[i].id)->limit == rows[i].limit);
		assert_int_equal(metric_get(rows[i].id)->judge, rows[i].judge);
	}
}

static bool kebab(const char *s)
{
	for (; *s; s++)
		if (!islower((unsigned char)*s) && *s != '-')
			return false;
	return true;
}

static void every_reason_has_its_row(void **state)
{
	(void)state;
	assert_string_equal(reason_get(REASON_NONE)->sentence, "");
	for (int i = 1; i < REASON_CNT; i++) {
		const struct reason_row *row = reason_get(i);

		assert_non_null(row->name);
		assert_true(*row->name && kebab(row->name));
		assert_int_not_equal(row->places, 0);
		assert_true(strlen(row->sentence) > 10);
		assert_false(isupper((unsigned char)*row->sentence));
		assert_int_not_equal(row->sentence[strlen(row->sentence) - 1], '.');
		assert_true(text_name_valid(row->sentence, NULL)); /* printable */
		assert_true(!row->remedy || isupper((unsigned char)*row->remedy));
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(row->name, reason_get(j)->name);
			assert_string_not_equal(row->sentence, reason_get(j)->sentence);
		}
	}
}

/* Nobody is left alone with an error or a doubt. */
static void what_stops_a_user_has_a_remedy(void **state)
{
	const unsigned stops = PLACE_ERROR | PLACE_UNDECIDED | PLACE_LOST;

	(void)state;
	for (int i = 1; i < REASON_CNT; i++)
		if (reason_get(i)->places & stops)
			assert_non_null(reason_get(i)->remedy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_has_its_row),
		cmocka_unit_test(limits_and_judging_as_promised),
		cmocka_unit_test(every_reason_has_its_row),
		cmocka_unit_test(what_stops_a_user_has_a_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
