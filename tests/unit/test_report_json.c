/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON form, read back by another parser and compared field by field. */
#include "test_report_json_fixture.h"

static void the_run(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;

	(void)state;
	fixture_full(&r);
	r.strict = true;
	r.version[SIDE_CANDIDATE].built = true;
	r.version[SIDE_CANDIDATE].build_seconds = 1.25;
	r.host.hw_missing = REASON_NO_PMU;
	r.host.interference = INTERFERENCE_GETRUSAGE;
	r.host.interference_missing = copy("no permission");
	r.host.empty_wall_ns = 271.5;
	assert_int_equal(record__add_event(&r, "branches:u"), 0);
	assert_int_equal(record__add_event(&r, "faults"), 0);
	r.events[0].missing = REASON_NO_PMU;
	j = parsed(&r);
	assert_number(j, "schema", 0);
	assert_text(j, "joust_version", JOUST_VERSION);
	assert_text(j, "verb", "compare");
	assert_text(j, "status", "error");
	assert_number(j, "exit", 3);
	assert_null_at(j, "message");
	assert_text(j, "project", "my_parser");
	assert_text(j, "path", "out/last.json");
	assert_text(j, "started", "2026-01-02T03:04:05Z");
	assert_number(j, "seconds", 9.3);
	assert_text(j, "seed", "7421");
	assert_flag(j, "strict", true);
	assert_flag(j, "bisect", false);
	assert_text(j, "judging/rule", "stages");
	assert_text(j, "options/0/name", "base");
	assert_text(j, "options/0/value", "main");
	assert_null_at(j, "build");
	assert_text(j, "sandbox", "none");
	assert_text(j, "baseline/kind", "commit");
	assert_text(j, "baseline/commit", "3f9c2a1d5e8b7c6a4f3e2d1c0b9a8f7e6d5c4b3a");
	assert_text(j, "baseline/ref", "main");
	assert_null_at(j, "baseline/path");
	assert_null_at(j, "baseline/source");
	assert_null_at(j, "baseline/tree_hash");
	assert_flag(j, "baseline/built", false);
	assert_flag(j, "baseline/build_cached", false);
	assert_null_at(j, "baseline/build_seconds");
	assert_null_at(j, "baseline/build_log");
	assert_text(j, "candidate/kind", "worktree");
	assert_number(j, "candidate/changed_files", 2);
	assert_number(j, "candidate/build_seconds", 1.25);
	assert_text(j, "host/kernel", "6.1.0");
	assert_null_at(j, "host/cpu_model");
	assert_null_at(j, "host/hostname_hash");
	assert_number(j, "host/cpus", 2);
	assert_number(j, "host/cpu", 1);
	assert_flag(j, "host/virtual_machine", true);
	assert_flag(j, "host/pmu", false);
	assert_null_at(j, "host/pmu_missing");
	assert_text(j, "host/tier", "sw");
	assert_text(j, "host/hw/quality", "unavailable");
	assert_text(j, "host/hw/missing", "no-pmu");
	assert_text(j, "host/sw/quality", "exact");
	assert_null_at(j, "host/sw/missing");
	assert_flag(j, "host/user_read", false);
	assert_flag(j, "host/bpf", false);
	assert_text(j, "host/interference", "getrusage");
	assert_text(j, "host/interference_missing", "no permission");
	assert_null_at(j, "host/empty_window/cpu_ns");
	assert_number(j, "host/empty_window/wall_ns", 271.5);
	assert_null_at(j, "host/empty_window/instructions");
	assert_text(j, "events/0/name", "branches:u");
	assert_text(j, "events/0/quality", "unavailable");
	assert_text(j, "events/0/missing", "no-pmu");
	assert_text(j, "events/1/name", "faults");
	assert_text(j, "events/1/quality", "exact");
	assert_null_at(j, "events/1/missing");
	assert_null_at(j, "host/governor");
	assert_int_equal(cJSON_GetArraySize(at(j, "notes")), 1);
	assert_text(j, "notes/0", "instructions are not judged: no PMU");
	record__done(&r);
}

static void a_benchmark(void **state)
{
	struct record r;
	struct rec_bench *b;
	AUTO_JSON cJSON *j = NULL;

	(void)state;
	fixture_run(&r);
	fixture_regressed(&r);
	b = &r.benches[0];
	b->kind = BENCH_COMMAND;
	b->command = copy("build/x data");
	b->digest[SIDE_CANDIDATE] = copy("abc");
	b->blocks_max[0] = 60;
	b->blocks_max[1] = b->blocks_max[2] = 120;
	b->blocks_min = 12;
	b->slice_ns = 0.1;
	b->duel =
		(struct duel_chain){.result = DUEL_REGRESSED_ANY, .measurements = 6, .counted = 5};
	r.judging.rule = RULE_DUEL;
	b->planning = (struct rec_planning){4, 5, 3, .125, .01, NAN, .02, .03};
	j = parsed(&r);
	assert_text(j, "judging/rule", "duel");
	assert_text(j, "benchmarks/0/duel/result", "regressed_by_any_timing");
	assert_number(j, "benchmarks/0/duel/measurements", 6);
	assert_number(j, "benchmarks/0/duel/counted", 5);
	assert_null_at(j, "benchmarks/1/duel");
	assert_int_equal(cJSON_GetArraySize(at(j, "benchmarks/0/gaps_s")), 2);
	assert_text(j, "benchmarks/0/name", "parse: large document");
	assert_text(j, "benchmarks/0/kind", "command");
	assert_text(j, "benchmarks/0/command", "build/x data");
	assert_number(j, "benchmarks/0/threads", 1);
	assert_text(j, "benchmarks/0/verdict", "regressed");
	assert_null_at(j, "benchmarks/0/reason");
	assert_null_at(j, "benchmarks/0/side");
	assert_null_at(j, "benchmarks/0/detail");
	assert_null_at(j, "benchmarks/0/stderr");
	assert_null_at(j, "benchmarks/0/digest/baseline");
	assert_text(j, "benchmarks/0/digest/candidate", "abc");
	assert_number(j, "benchmarks/0/seconds", 3.1);
	assert_number(j, "benchmarks/0/lost", 1);
	assert_number(j, "benchmarks/0/plan/iterations", 9);
	assert_number(j, "benchmarks/0/plan/slices", 5);
	assert_number(j, "benchmarks/0/plan/pairs", 3);
	assert_number(j, "benchmarks/0/plan/slice_ns", 0.1);
	assert_number(j, "benchmarks/0/plan/blocks_min", 12);
	assert_int_equal(cJSON_GetArraySize(at(j, "benchmarks/0/plan/blocks_max")), 3);
	assert_number(j, "benchmarks/0/plan/blocks_max/2", 120);
	assert_null_at(j, "benchmarks/0/plan/loader_share");
	assert_number(j, "benchmarks/0/plan/planning/blocks", 4);
	assert_number(j, "benchmarks/0/plan/planning/iterations", 5);
	assert_number(j, "benchmarks/0/plan/planning/pairs", 3);
	assert_number(j, "benchmarks/0/plan/planning/disturbed_slices", .125);
	assert_number(j, "benchmarks/0/plan/planning/within", .01);
	assert_null_at(j, "benchmarks/0/plan/planning/between");
	assert_number(j, "benchmarks/0/plan/planning/predicted", .02);
	assert_number(j, "benchmarks/0/plan/planning/wanted", .03);
	assert_null_at(j, "benchmarks/1/plan/planning");
	assert_text(j, "benchmarks/1/kind", "function");
	record__done(&r);
}

static void metrics(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;

	(void)state;
	fixture_full(&r);
	j = parsed(&r);
	assert_int_equal(cJSON_GetArraySize(at(j, "benchmarks/0/metrics")), METRIC_CNT);
	assert_text(j, "benchmarks/0/metrics/cpu/kind", "timed");
	assert_text(j, "benchmarks/0/metrics/cpu/unit", "ns");
	assert_flag(j, "benchmarks/0/metrics/cpu/judged", true);
	assert_text(j, "benchmarks/0/metrics/cpu/verdict", "same");
	assert_null_at(j, "benchmarks/0/metrics/cpu/reason");
	assert_null_at(j, "benchmarks/0/metrics/cpu/missing");
	assert_text(j, "benchmarks/0/metrics/cpu/quality", "exact");
	assert_flag(j, "benchmarks/0/metrics/cpu/not_confirmed", false);
	assert_number(j, "benchmarks/0/metrics/cpu/limit", 1.02);
	assert_null_at(j, "benchmarks/0/metrics/cpu/baseline");
	assert_null_at(j, "benchmarks/0/metrics/cpu/candidate");
	assert_number(j, "benchmarks/0/metrics/cpu/ratio", 0.999);
	assert_number(j, "benchmarks/0/metrics/cpu/interval/0", 0.997);
	assert_number(j, "benchmarks/0/metrics/cpu/interval/1", 1.002);
	assert_number(j, "benchmarks/0/metrics/cpu/detectable", 1.023);
	assert_text(j, "benchmarks/0/metrics/cpu_total/reason", "near-limit");
	assert_text(j, "benchmarks/0/metrics/instructions/missing", "no-pmu");
	assert_text(j, "benchmarks/0/metrics/instructions/quality", "unavailable");
	assert_null_at(j, "benchmarks/0/metrics/instructions/unit");
	assert_null_at(j, "benchmarks/0/metrics/instructions/verdict");
	assert_null_at(j, "benchmarks/0/metrics/instructions/ratio");
	assert_null_at(j, "benchmarks/0/metrics/instructions/interval");
	assert_text(j, "benchmarks/0/metrics/page_faults/kind", "counted");
	assert_text(j, "benchmarks/0/metrics/involuntary_switches/kind", "interference");
	/* the last stage is what is shown, all stages are there */
	assert_flag(j, "benchmarks/1/metrics/cpu/not_confirmed", true);
	assert_number(j, "benchmarks/1/metrics/cpu/ratio", 1.004);
	assert_int_equal(cJSON_GetArraySize(at(j, "benchmarks/1/metrics/cpu/stages")), 2);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/stage", 1);
	assert_text(j, "benchmarks/1/metrics/cpu/stages/0/verdict", "slower");
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/blocks", 14);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/s", 1);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/g", 2);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/f", 3);
	assert_null_at(j, "benchmarks/1/metrics/cpu/order_effect");
	assert_flag(j, "benchmarks/1/metrics/cpu/unstable", false);
	assert_null_at(j, "benchmarks/1/metrics/cpu/spread_ratio");
	assert_null_at(j, "benchmarks/1/metrics/cpu/serial_correlation");
	assert_null_at(j, "benchmarks/1/metrics/cpu/deciles/1");
	assert_number(j, "benchmarks/1/metrics/cpu/layouts", 0);
	assert_flag(j, "benchmarks/1/metrics/cpu/stages/0/latched", false);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/ratio", 1.03);
	assert_number(j, "benchmarks/1/metrics/cpu/stages/0/interval/1", 1.04);
	/* a stage that ended early has a median, but no interval */
	assert_text(j, "benchmarks/3/metrics/cpu/stages/0/verdict", "open");
	assert_null_at(j, "benchmarks/3/metrics/cpu/stages/0/interval");
	record__done(&r);
}

static void fill_block(struct rec_block *b)
{
	b->stage = 2;
	b->slot = 7;
	b->attempt = 1;
	b->cpu = 1;
	b->at_ns = 1234.5;
	b->environment_bytes = 4711;
	b->pid[SIDE_BASELINE] = 812;
	b->inode[SIDE_CANDIDATE] = UINT64_MAX;
	b->start_ns[SIDE_CANDIDATE] = 5e6;
	b->peak_bytes[SIDE_CANDIDATE] = 21e6;
	b->check[SIDE_BASELINE].page_faults = 3;
	b->check[SIDE_CANDIDATE].missing = REASON_PERF_FORBIDDEN;
	b->check[SIDE_CANDIDATE].cpu_ns = 71.5;
	b->coins = (struct rec_coins){.majority = SIDE_CANDIDATE, .arrangement = 2};
	b->pairs[1].first = SIDE_CANDIDATE;
	b->layout = 3;
}

static void fill_rejected(struct rec_block *b)
{
	struct rec_rejected *r;

	assert_int_equal(rec_block__reject(b, &r), 0);
	assert_int_equal(r->side, SIDE_CNT);
	assert_true(isnan(r->values.half[SIDE_CANDIDATE].value[METRIC_CPU]));
	r->pair = 2;
	r->attempt = 1;
	r->why = REASON_SLOW_CANARY;
	r->side = SIDE_BASELINE;
	r->values.canary_ns[0] = 45;
	r->values.canary_ns[1] = 47;
	r->values.first = SIDE_CANDIDATE;
	r->values.half[SIDE_BASELINE].value[METRIC_WALL] = 7;
}

static void blocks_and_raw_pairs(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;
	const cJSON *b;

	(void)state;
	fixture_run(&r);
	fixture_regressed(&r);
	fill_block(&r.benches[0].blocks[0]);
	fill_rejected(&r.benches[0].blocks[0]);
	j = parsed(&r);
	b = at(j, "benchmarks/0/blocks/0");
	assert_number(b, "stage", 2);
	assert_number(b, "slot", 7);
	assert_number(b, "attempt", 1);
	assert_null_at(b, "lost");
	assert_null_at(b, "lost_side");
	assert_number(b, "cpu", 1);
	assert_number(b, "layout", 3);
	assert_number(b, "rejected/0/pair", 2);
	assert_number(b, "rejected/0/attempt", 1);
	assert_text(b, "rejected/0/why", "slow-canary");
	assert_text(b, "rejected/0/side", "baseline");
	assert_text(b, "rejected/0/first", "candidate");
	assert_number(b, "pairs/0/place", 0);
	assert_number(b, "rejected/0/canary_ns/1", 47);
	assert_number(b, "rejected/0/baseline/values/wall", 7);
	assert_number(b, "at_ns", 1234.5);
	assert_number(b, "environment_bytes", 4711);
	assert_text(b, "coins/spawned_first", "baseline");
	assert_text(b, "coins/majority", "candidate");
	assert_number(b, "coins/arrangement", 2);
	assert_text(b, "coins/slot0", "baseline");
	assert_text(b, "coins/leaf0", "baseline");
	assert_text(b, "coins/low_fds", "baseline");
	assert_number(b, "baseline/pid", 812);
	assert_null_at(b, "candidate/pid");
	assert_null_at(b, "baseline/inode");
	assert_text(b, "candidate/inode", "18446744073709551615");
	assert_number(b, "candidate/start_ns", 5e6);
	assert_number(b, "candidate/peak_bytes", 21e6);
	assert_number(b, "baseline/check/page_faults", 3);
	assert_null_at(b, "baseline/check/task_clock_ns");
	assert_null_at(b, "baseline/check/switches");
	assert_null_at(b, "baseline/check/migrations");
	assert_number(b, "candidate/check/cpu_ns", 71.5);
	assert_null_at(b, "baseline/check/missing");
	assert_text(b, "candidate/check/missing", "perf-forbidden");
	assert_int_equal(cJSON_GetArraySize(at(b, "pairs")), 3);
	assert_text(b, "pairs/0/first", "baseline");
	assert_text(b, "pairs/1/first", "candidate");
	assert_int_equal(cJSON_GetArraySize(at(b, "pairs/0/baseline/cpu_ns")), 2);
	/* 17 digits: the very double comes back */
	assert_number(b, "pairs/0/baseline/cpu_ns/1", 9 * 112400.0 + 0.1);
	assert_number(b, "pairs/0/candidate/wall_ns/0", 9 * 112400.0);
	assert_number(b, "pairs/2/candidate/values/cpu", 112402);
	assert_null_at(b, "pairs/2/candidate/values/wall");
	assert_text(j, "benchmarks/0/blocks/1/lost", "suspended");
	assert_text(j, "benchmarks/0/blocks/1/lost_side", "both");
	record__done(&r);
}

static void fill_counters(struct rec_block *b)
{
	struct rec_half *h = &b->pairs[1].half[SIDE_CANDIDATE];

	b->canary_ns[1] = 45123.5;
	b->steal_ns = 3e7;
	assert_int_equal(rec_block__add_preemptor(b, 812, "stress-ng", 5e5, 2), 0);
	assert_int_equal(rec_block__add_preemptor(b, 9, "a\033[2J\xff name far too long", 7e5, 1),
			 0);
	assert_int_equal(rec_block__add_preemptor(b, 812, "stress-ng", 4e5, 1), 0);
	h->missing[METRIC_INSTRUCTIONS] = REASON_MULTIPLEXED;
	h->missing[METRIC_WAITING] = REASON_EVENTS_LOST;
	h->event[1] = 17.5;
	assert_int_equal(rec_half__reserve_threads(h, 1), 0);
	assert_int_equal(rec_half__reserve_threads(h, 2), 0);
	h->threads[1].cpu_ns = 101;
	h->threads[1].blocked_ns = 303;
}

static void counters_and_interference(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;
	const cJSON *b, *h;

	(void)state;
	fixture_run(&r);
	fixture_regressed(&r);
	assert_int_equal(record__add_event(&r, "branches:u"), 0);
	assert_int_equal(record__add_event(&r, "r1a2:u"), 0);
	fill_counters(&r.benches[0].blocks[0]);
	j = parsed(&r);
	b = at(j, "benchmarks/0/blocks/0");
	assert_null_at(b, "canary_ns/0");
	assert_number(b, "canary_ns/1", 45123.5);
	assert_number(b, "steal_ns", 3e7);
	assert_null_at(b, "frequency_changes");
	/* one entry for a process, the worst first, its name harmless */
	assert_int_equal(cJSON_GetArraySize(at(b, "preemptors")), 2);
	assert_number(b, "preemptors/0/pid", 812);
	assert_text(b, "preemptors/0/comm", "stress-ng");
	assert_number(b, "preemptors/0/ns", 9e5);
	assert_number(b, "preemptors/0/times", 3);
	assert_text(b, "preemptors/1/comm", "a\033[2J\xef\xbf\xbd name far");
	h = at(b, "pairs/1/candidate");
	assert_int_equal(cJSON_GetArraySize(at(h, "missing")), 2);
	assert_text(h, "missing/0/metric", "instructions");
	assert_text(h, "missing/0/reason", "multiplexed");
	assert_text(h, "missing/0/quality", "multiplexed");
	assert_text(h, "missing/1/reason", "events-lost");
	assert_text(h, "missing/1/quality", "unavailable");
	assert_int_equal(cJSON_GetArraySize(at(h, "events")), 2);
	assert_null_at(h, "events/0");
	assert_number(h, "events/1", 17.5);
	assert_int_equal(cJSON_GetArraySize(at(h, "threads")), 2);
	assert_null_at(h, "threads/0/cpu_ns");
	assert_number(h, "threads/1/cpu_ns", 101);
	assert_null_at(h, "threads/1/running_ns");
	assert_null_at(h, "threads/1/waiting_ns");
	assert_number(h, "threads/1/blocked_ns", 303);
	assert_int_equal(cJSON_GetArraySize(at(b, "pairs/0/baseline/missing")), 0);
	record__done(&r);
}

static void errors_and_skips(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;

	(void)state;
	fixture_run(&r);
	fixture_rest(&r);
	j = parsed(&r);
	assert_text(j, "benchmarks/0/verdict", "faster");
	assert_text(j, "benchmarks/1/verdict", "changed");
	assert_text(j, "benchmarks/2/verdict", "error");
	assert_text(j, "benchmarks/2/reason", "signal");
	assert_text(j, "benchmarks/2/side", "candidate");
	assert_text(j, "benchmarks/2/detail", "SIGSEGV");
	assert_text(j, "benchmarks/2/stderr",
		    "reading \033[31minput\n::error::forged\n##[error]forged\n");
	assert_text(j, "benchmarks/3/verdict", "skipped");
	assert_text(j, "benchmarks/3/reason", "new");
	assert_text(j, "benchmarks/5/detail", "data/big.bin is missing");
	record__done(&r);
}

static void assert_same_keys(const cJSON *a, const cJSON *b)
{
	const cJSON *item;

	if (!cJSON_IsObject(a) || !cJSON_IsObject(b))
		return; /* null where the other has an object: allowed */
	assert_int_equal(cJSON_GetArraySize(a), cJSON_GetArraySize(b));
	cJSON_ArrayForEach(item, a) {
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(b, item->string);

		assert_non_null(other);
		assert_same_keys(item, other);
	}
}

static void all_together(void **state)
{
	struct record r;
	AUTO_JSON cJSON *j = NULL;

	(void)state;
	fixture_run(&r);
	j = parsed(&r);
	assert_null_at(j, "across");
	cJSON_Delete(j);
	r.across = (struct rec_across){.judged = true,
				       .benches = 12,
				       .limit = 1.005,
				       .stages_cnt = 1,
				       .stage = {{.blocks = 30, .median = 1.01, .lo = 1, .hi = 2}},
				       .verdict = VERDICT_UNDECIDED,
				       .reason = REASON_NEAR_LIMIT,
				       .detectable = NAN};
	j = parsed(&r);
	assert_number(j, "across/benchmarks", 12);
	assert_text(j, "across/verdict", "undecided");
	assert_text(j, "across/reason", "near-limit");
	assert_number(j, "across/limit", 1.005);
	assert_null_at(j, "across/detectable");
	assert_number(j, "across/stages/0/ratio", 1.01);
	record__done(&r);
}

/* An absent value is null, never a missing key. */
static void an_empty_record_has_every_key(void **state)
{
	struct record r, full;
	AUTO_JSON cJSON *j = NULL, *k = NULL;

	(void)state;
	record__init(&r);
	add_bench(&r, "empty", BENCH_OPEN);
	fixture_full(&full);
	j = parsed(&r);
	k = parsed(&full);
	assert_null_at(j, "baseline");
	assert_null_at(j, "candidate");
	assert_null_at(j, "verb");
	assert_null_at(j, "host/cpu");
	assert_same_keys(j, k);
	for (int i = 0; i < cJSON_GetArraySize(at(k, "benchmarks")); i++)
		assert_same_keys(at(j, "benchmarks/0"), cJSON_GetArrayItem(at(k, "benchmarks"), i));
	record__done(&r);
	record__done(&full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_run),
		cmocka_unit_test(a_benchmark),
		cmocka_unit_test(metrics),
		cmocka_unit_test(blocks_and_raw_pairs),
		cmocka_unit_test(counters_and_interference),
		cmocka_unit_test(errors_and_skips),
		cmocka_unit_test(all_together),
		cmocka_unit_test(an_empty_record_has_every_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
