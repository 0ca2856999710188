/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_report_fixture.h"
#include <stdlib.h>

static void half_built_records_are_freed(void **state)
{
	struct record r;

	(void)state;
	record__done(NULL);
	memset(&r, 0, sizeof(r));
	record__done(&r);
	record__done(&r);
	record__init(&r);
	assert_int_equal(r.host.cpu, -1);
	record__done(&r);
	fixture_full(&r);
	record__done(&r);
	assert_null(r.benches);
	assert_int_equal(r.benches_cnt, 0);
}

static void nothing_is_measured_at_first(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct rec_block *block = NULL;

	(void)state;
	record__init(&r);
	assert_int_equal(record__add_bench(&r, "a", &b), 0);
	assert_string_equal(b->name, "a");
	assert_int_equal(b->verdict, BENCH_OPEN);
	assert_int_equal(b->threads, 1);
	assert_int_equal(b->reason_side, SIDE_CNT);
	assert_true(isnan(b->slice_ns) && isnan(b->loader_share));
	assert_int_equal(b->planning.blocks, 0);
	assert_true(isnan(b->planning.disturbed) && isnan(b->planning.predicted));
	for (int i = 0; i < METRIC_CNT; i++) {
		assert_true(isnan(b->metric[i].detectable));
		assert_true(isnan(b->metric[i].per_iteration[SIDE_BASELINE]));
		assert_true(isnan(b->metric[i].per_iteration[SIDE_CANDIDATE]));
	}
	assert_true(b->metric[METRIC_WALL].limit == 1.05);
	assert_int_equal(record__add_block(b, &block), 0);
	assert_int_equal(block->cpu, -1);
	assert_true(isnan(block->at_ns) && isnan(block->start_ns[SIDE_CANDIDATE]));
	assert_true(isnan(block->peak_bytes[0]) && isnan(block->peak_bytes[1]));
	assert_true(isnan(block->check[SIDE_CANDIDATE].migrations));
	assert_int_equal(rec_block__reserve(block, 3), 0);
	assert_int_equal(block->pairs_cnt, 0);
	for (int i = 0; i < 3; i++) {
		assert_true(isnan(block->pairs[i].half[SIDE_CANDIDATE].value[METRIC_CNT - 1]));
		assert_true(isnan(block->pairs[i].half[SIDE_BASELINE].cpu_ns[SLICES_MAX - 1]));
	}
	assert_int_equal(rec_block__reserve(block, 5), 0); /* the first array is not leaked */
	record__done(&r);
}

/* Across every doubling: what was appended earlier stays, what is new is empty. */
static void arrays_grow(void **state)
{
	struct record r;
	char name[16];

	(void)state;
	record__init(&r);
	for (int i = 0; i < 70; i++) {
		struct rec_bench *b = NULL;

		snprintf(name, sizeof(name), "%d", i);
		assert_int_equal(record__add_bench(&r, name, &b), 0);
		assert_null(b->blocks);
		assert_null(b->detail);
		b->n = i;
		assert_int_equal(record__add_option(&r, name, i % 2 ? name : NULL), 0);
	}
	assert_int_equal(r.benches_cnt, 70);
	assert_int_equal(r.options_cnt, 70);
	for (int i = 0; i < 70; i++) {
		assert_int_equal(atoi(r.benches[i].name), i);
		assert_int_equal(r.benches[i].n, i);
		assert_int_equal(atoi(r.options[i].name), i);
		assert_int_equal(!r.options[i].value, i % 2 == 0);
	}
	record__done(&r);
}

static void notes_are_kept_once(void **state)
{
	struct record r;

	(void)state;
	record__init(&r);
	for (int i = 0; i < 6; i++)
		assert_int_equal(record__note(&r, "%s %d", "note", i % 3), 0);
	assert_int_equal(r.notes_cnt, 3);
	assert_string_equal(r.notes[2], "note 2");
	record__done(&r);
}

static void the_first_failure_stays(void **state)
{
	struct record r;
	struct rec_bench *b;

	(void)state;
	record__init(&r);
	b = add_bench(&r, "a", BENCH_OPEN);
	rec_bench__fail(b, REASON_SIGNAL, SIDE_BASELINE, "SIGSEGV");
	rec_bench__fail(b, REASON_TIMEOUT, SIDE_CANDIDATE, NULL);
	assert_int_equal(b->verdict, BENCH_ERROR);
	assert_int_equal(b->reason, REASON_SIGNAL);
	assert_int_equal(b->reason_side, SIDE_BASELINE);
	assert_string_equal(b->detail, "SIGSEGV");
	record__done(&r);
}

static void names_as_designed(void **state)
{
	(void)state;
	assert_string_equal(side_name(SIDE_BASELINE), "baseline");
	assert_string_equal(side_name(SIDE_CANDIDATE), "candidate");
	assert_string_equal(side_name(SIDE_CNT), "both");
	assert_string_equal(verdict_name(VERDICT_SLOWER), "slower");
	assert_string_equal(verdict_name(VERDICT_FASTER), "faster");
	assert_string_equal(verdict_name(VERDICT_SAME), "same");
	assert_string_equal(verdict_name(VERDICT_UNDECIDED), "undecided");
	assert_string_equal(bench_verdict_name(BENCH_REGRESSED), "regressed");
	assert_string_equal(bench_verdict_name(BENCH_SKIPPED), "skipped");
	assert_string_equal(bench_verdict_name(BENCH_CHANGED), "changed");
	assert_string_equal(run_status_name(STATUS_PASSED), "passed");
	assert_string_equal(run_status_name(STATUS_FAILED), "failed");
	assert_string_equal(run_status_name(STATUS_UNDECIDED), "undecided");
	assert_string_equal(run_status_name(STATUS_NOTHING), "nothing_to_compare");
	assert_string_equal(run_status_name(STATUS_ERROR), "error");
	assert_string_equal(run_status_name(STATUS_INTERRUPTED), "interrupted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_built_records_are_freed),
		cmocka_unit_test(nothing_is_measured_at_first),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(notes_are_kept_once),
		cmocka_unit_test(the_first_failure_stays),
		cmocka_unit_test(names_as_designed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
