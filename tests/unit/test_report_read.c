/* SPDX-License-Identifier: BSD-2-Clause */
/* A record from its JSON: all of it, and from nothing else. */
#include "test_report_fixture.h"
#include <errno.h>
#include <stdlib.h>
#include "json_text.h"
#include "report/json_read.h"
#include "report/json_scan.h"
#include "stats/prng.h"

static void set_string(char **to, const char *text)
{
	free(*to);
	*to = copy(text);
}

static void fill_host(struct rec_host *h)
{
	h->cpu_model = copy("a CPU");
	h->hostname_hash = copy("00ff");
	h->pmu_missing = copy("none \"here\"\n");
	h->hw_missing = REASON_NO_PMU;
	h->sw_missing = REASON_PERF_FORBIDDEN;
	h->user_read = h->bpf = true;
	h->interference = INTERFERENCE_BPF;
	h->interference_missing = copy("x");
	h->empty_cpu_ns = 1.5;
	h->empty_wall_ns = 2.5;
	h->empty_instructions = NAN;
	h->cgroup = copy("memory v1");
	h->governor = copy("schedutil");
}

static void fill_block(struct rec_bench *b)
{
	struct rec_block *blk = add_block(b, 3, 100.25, 2);
	struct rec_rejected *rejected;
	struct rec_half *h = &blk->pairs[1].half[SIDE_CANDIDATE];

	blk->stage = 2;
	blk->slot = 5;
	blk->attempt = 1;
	blk->round = 6;
	blk->layout = 3;
	blk->cpu = 1;
	blk->environment_bytes = 4080;
	blk->at_ns = 1e9 / 3;
	blk->coins = (struct rec_coins){.majority = SIDE_CANDIDATE, .arrangement = 2};
	blk->pid[SIDE_BASELINE] = 4711;
	blk->inode[SIDE_CANDIDATE] = UINT64_MAX;
	blk->start_ns[SIDE_BASELINE] = 1e6;
	blk->peak_bytes[SIDE_CANDIDATE] = 5 << 20;
	blk->check[SIDE_BASELINE].task_clock_ns = 12345;
	blk->check[SIDE_CANDIDATE].missing = REASON_PERF_BUSY;
	blk->canary_ns[0] = 7;
	blk->pairs[1].first = SIDE_CANDIDATE;
	h->missing[METRIC_WALL] = REASON_MULTIPLEXED;
	h->event[0] = 8;
	assert_int_equal(rec_half__reserve_threads(h, 2), 0);
	h->threads[1].waiting_ns = 9;
	assert_int_equal(rec_block__add_preemptor(blk, 12, "cc \xff", 3, 1), 0);
	assert_int_equal(rec_block__reject(blk, &rejected), 0);
	rejected->pair = 2;
	rejected->attempt = 1;
	rejected->why = REASON_GATED;
	rejected->side = SIDE_BASELINE;
	blk = add_block(b, 0, 0, 0);
	blk->lost = REASON_KILLED_BY_SYSTEM;
	blk->lost_side = SIDE_CANDIDATE;
}

static void fill_bench(struct record *r)
{
	struct rec_bench *b = add_bench(r, "parse: \"a\" \xc3\xa4", BENCH_ERROR);

	b->kind = BENCH_COMMAND;
	b->command = copy("x y");
	b->threads = 4;
	b->reason = REASON_SIGNAL;
	b->reason_side = SIDE_CANDIDATE;
	b->detail = copy("SIGSEGV");
	b->stderr_tail = copy("line\n\ttab");
	b->digest[SIDE_BASELINE] = copy("00");
	b->accepted = copy("why");
	b->accepted_by = copy("0123");
	b->seconds = .1;
	b->lost_cnt = 1;
	b->gap_s[1] = 3.25;
	b->slice_ns = 1e5 / 3;
	b->blocks_min = 12;
	b->blocks_max[0] = 60;
	b->blocks_max[1] = 120;
	b->precision = 1.005;
	b->loader_share = .3;
	b->layouts = 4;
	b->layouts_why = copy("z");
	b->metric[METRIC_CPU].judged = true;
	b->metric[METRIC_CPU].limit = 1 + 1 / 3e6;
	b->metric[METRIC_CPU].reason = REASON_OUT_OF_TIME;
	b->metric[METRIC_WALL].limit = 1.25;
	b->metric[METRIC_PAGE_FAULTS].limit = .25;
	b->metric[METRIC_PEAK_MEMORY].limit = 1.75;
	b->metric[METRIC_PEAK_MEMORY].least = 5 << 20;
	b->metric[METRIC_CYCLES].missing = REASON_NO_PMU;
	fill_block(b);
}

/* Everything that a run fills, and nothing that a judge does. */
static void fill(struct record *r)
{
	fixture_run(r);
	r->seed = UINT64_MAX;
	r->strict = true;
	set_string(&r->build, "make");
	r->judging = (struct rec_judging){
		.rule = RULE_DUEL, .alpha = .01, .blocks = 60, .prove_same = 1.02};
	r->version[SIDE_BASELINE].built = true;
	r->version[SIDE_BASELINE].build_seconds = 1.25;
	set_string(&r->version[SIDE_BASELINE].build_log, "log");
	fill_host(&r->host);
	assert_int_equal(record__add_layer(r, "net", true, NULL), 0);
	assert_int_equal(record__add_layer(r, "root", false, "not permitted"), 0);
	assert_int_equal(record__add_refusal(r, 41, "socket", 3), 0);
	assert_int_equal(record__add_refusal(r, -1, NULL, 1), 0);
	assert_int_equal(record__add_event(r, "branches:u"), 0);
	r->events[0].missing = REASON_NO_EVENT;
	fill_bench(r);
	add_bench(r, "second", BENCH_OPEN);
}

static void everything_comes_back(void **state)
{
	AUTO_FREE char *before = NULL;
	AUTO_FREE char *after = NULL;
	struct record r, again;
	char why[256];

	(void)state;
	fill(&r);
	before = json_text(&r);
	record__init(&again);
	if (json_read(&again, before, strlen(before), why))
		fail_msg("%s", why);
	after = json_text(&again);
	assert_string_equal(before, after);
	/* not only as text */
	assert_true(again.seed == UINT64_MAX);
	assert_true(again.benches[0].metric[METRIC_CPU].limit == 1 + 1 / 3e6);
	assert_true(again.benches[0].blocks[0].inode[SIDE_CANDIDATE] == UINT64_MAX);
	assert_true(isnan(again.benches[0].gap_s[2]));
	assert_int_equal(again.benches[0].blocks[1].lost_side, SIDE_CANDIDATE);
	assert_true(rec_bench__linked(&again.benches[0]));
	record__done(&r);
	record__done(&again);
}

/* A file has the words alone, and every file that was ever written has these. */
static void one_layout_is_known_by_its_words(void **state)
{
	static const struct {
		const char *words;
		bool linked;
	} cases[] = {{"the program is no part of the project", false},
		     {"a script is not linked", false},
		     {"a script is not linked.", true},
		     {NULL, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *text = NULL;
		struct record r, again;
		char why[256];

		fixture_run(&r);
		add_bench(&r, "a", BENCH_SAME)->layouts_why =
			cases[i].words ? copy(cases[i].words) : NULL;
		text = json_text(&r);
		record__init(&again);
		assert_int_equal(json_read(&again, text, strlen(text), why), 0);
		assert_int_equal(rec_bench__linked(&again.benches[0]), cases[i].linked);
		record__done(&r);
		record__done(&again);
	}
}

static int read_text(const char *text, size_t len, char why[static 256])
{
	struct record r;
	int err;

	record__init(&r);
	err = json_read(&r, text, len, why);
	record__done(&r);
	return err;
}

/* `text` with `from` (which must be there) replaced by `to`. */
static char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out = NULL;

	if (!at)
		fail_msg("no %s", from);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
	return out;
}

static void what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *from, *to, *words;
	} cases[] = {
		{"\"schema\": 0", "\"schema\": 1", "schema is not 0"},
		{"\"schema\"", "\"shema\"", "\"schema\" is missing"},
		{"\"seed\": \"18446744073709551615\"", "\"seed\": \"18446744073709551616\"",
		 "\"seed\" has a value"},
		{"\"seed\": \"18446744073709551615\"", "\"seed\": -1", "\"seed\" has a value"},
		{"\"strict\": true", "\"strict\": 1", "\"strict\" has a value"},
		{"\"strict\": true", "\"strict\": true, \"strict\": false",
		 "\"strict\" stands twice"},
		{"\"rule\": \"duel\"", "\"rule\": \"dual\"", "\"rule\" has a value"},
		{"\"host\": {", "\"host\": null, \"no\": {", "\"host\" is no object"},
		{"\"kind\": \"worktree\"", "\"kind\": \"tree\"", "\"kind\" has a value"},
		{"\"name\": \"second\"", "\"name\": \"\"", "benchmark 1: it has no name"},
		{"\"slices\": 5", "\"slices\": 17", "benchmark 0: \"slices\" has a value"},
		{"\"blocks_max\": [60", "\"blocks_max\": [0", "no numbers of blocks"},
		{"\"stage\": 2", "\"stage\": 9", "benchmark 0: block 0: \"stage\" has a value"},
		{"\"round\": 6", "\"round\": 1e9", "\"round\" has a value"},
		{"\"slot\": 5", "\"slot\": 5.5", "\"slot\" has a value"},
		{"\"first\": \"candidate\"", "\"first\": \"both\"", "\"first\" has a value"},
		{"\"cpu_ns\": [902.25", "\"cpu_ns\": [1, 902.25", "different numbers of slices"},
		{"\"lost\": \"killed-by-system\"", "\"lost\": \"killed\"", "block 1: \"lost\""},
		{"\"canary_ns\": [7, null]", "\"canary_ns\": [7]", "\"canary_ns\" is no pair"},
		{"\"limit\": 1.25", "\"limit\": 0.99", "\"limit\" of wall has a value"},
		{"\"limit\": 1.25", "\"limit\": 1", "\"limit\" of wall has a value"},
		{"\"limit\": 1.25", "\"limit\": -1", "\"limit\" of wall has a value"},
		{"\"limit\": 0.25", "\"limit\": -0.5", "\"limit\" of page_faults has a value"},
		{"\"limit\": 1.75", "\"limit\": 0.5", "\"limit\" of peak_memory has a value"},
		{"\"least\": 5242880", "\"least\": -1", "\"least\" of peak_memory has a value"},
		{"\"involuntary_switches\": 2", "\"involuntary_switches\": -1",
		 "\"involuntary_switches\" is less than nothing"},
		{"\"cpu\": 100.25", "\"cpu\": -1e308", "\"cpu\" is less than nothing"},
		{"\"seconds\": 9.3000000000000007", "\"seconds\": 1e308",
		 "\"seconds\" has a value"},
		{"\"seconds\": 9.3000000000000007", "\"seconds\": -1", "\"seconds\" has a value"},
		{"\"seconds\": 0.10000000000000001", "\"seconds\": 1e9",
		 "benchmark 0: \"seconds\" has a value"},
		{"\"build_seconds\": 1.25", "\"build_seconds\": 1e9", "\"build_seconds\" has"},
		{"\"alpha\": 0.01", "\"alpha\": 1e999", "out of range"},
		{"\"alpha\": 0.01", "\"alpha\": NaN", "a digit is needed"},
	};
	AUTO_FREE char *text = NULL;
	struct record r;

	(void)state;
	fill(&r);
	text = json_text(&r);
	record__done(&r);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *bad = changed(text, cases[i].from, cases[i].to);
		char why[256];

		assert_int_equal(read_text(bad, strlen(bad), why), -EINVAL);
		if (!strstr(why, cases[i].words))
			fail_msg("%s: %s", cases[i].to, why);
	}
}

static void set_process(struct rec_block *blk, enum side side, int64_t pid)
{
	blk->pid[side] = pid;
	blk->inode[side] = 9;
	blk->start_ns[side] = 1e6;
}

/* Three blocks after one of them was changed. */
static int read_three(void change(struct rec_block *blk), char why[static 256])
{
	AUTO_FREE char *text = NULL;
	struct record r;
	struct rec_bench *b;

	fixture_run(&r);
	b = add_bench(&r, "a", BENCH_SAME);
	for (int i = 0; i < 3; i++) {
		struct rec_block *blk = add_block(b, 1, 100, 0);

		set_process(blk, SIDE_BASELINE, 10 + i);
		set_process(blk, SIDE_CANDIDATE, 20 + i);
	}
	change(b->blocks);
	text = json_text(&r);
	record__done(&r);
	return read_text(text, strlen(text), why);
}

static void change_nothing(struct rec_block *blk)
{
	blk[1].attempt = 0;
}

static void lose_one(struct rec_block *blk)
{
	blk[0].slot = 2;
	blk[0].lost = REASON_SUSPENDED;
	blk[2].attempt = 1;
}

static void repeat_slot(struct rec_block *blk)
{
	blk[2].slot = 0;
	blk[2].attempt = 1;
}

static void repeat_attempt(struct rec_block *blk)
{
	blk[0].slot = 2;
	blk[0].lost = REASON_SUSPENDED;
}

static void repeat_process(struct rec_block *blk)
{
	set_process(&blk[2], SIDE_BASELINE, 10);
}

static void repeat_process_in_stage(struct rec_block *blk)
{
	blk[2].stage = 2;
	repeat_process(blk);
}

static void share_process(struct rec_block *blk)
{
	set_process(&blk[1], SIDE_CANDIDATE, 11);
}

static void reuse_pid(struct rec_block *blk)
{
	repeat_process(blk);
	blk[2].start_ns[SIDE_BASELINE]++;
}

static void no_block_stands_twice(void **state)
{
	static const struct {
		void (*change)(struct rec_block *blk);
		const char *words; /* NULL: it is a record */
	} cases[] = {
		{change_nothing, NULL},
		{lose_one, NULL},
		{reuse_pid, NULL},
		{repeat_slot, "benchmark 0: stage 1 has \"slot\" 0 twice"},
		{repeat_attempt, "benchmark 0: stage 1 has \"slot\" 2 twice"},
		{repeat_process, "benchmark 0: process 10 stands in it twice"},
		{repeat_process_in_stage, "benchmark 0: process 10 stands in it twice"},
		{share_process, "benchmark 0: process 11 stands in it twice"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char why[256] = "";
		int err = read_three(cases[i].change, why);

		assert_int_equal(err, cases[i].words ? -EINVAL : 0);
		if (cases[i].words && !strstr(why, cases[i].words))
			fail_msg("%zu: %s", i, why);
	}
}

static void no_part_of_it_is_enough(void **state)
{
	AUTO_FREE char *text = NULL;
	struct record r;
	size_t len;
	char why[256];

	(void)state;
	fill(&r);
	text = json_text(&r);
	record__done(&r);
	len = strlen(text);
	for (size_t n = 0; n < len - 1; n += n < 200 ? 1 : 97) /* the last byte is a line's end */
		assert_int_equal(read_text(text, n, why), -EINVAL);
	/* any byte changed: a flaw or another record, never a crash */
	for (uint64_t i = 0; i < 2000; i++) {
		size_t at = (size_t)(prng_u64(7, i) % len);
		char was = text[at];

		text[at] = (char)prng_u64(8, i);
		(void)read_text(text, len, why);
		text[at] = was;
	}
	assert_int_equal(read_text(text, len, why), 0);
}

static void only_json_is_json(void **state)
{
	static const char *const good[] = {
		"0",
		"-0",
		"1.5e-3",
		"1E+2",
		"null",
		" [ ] ",
		"{}",
		"[1,2]",
		"{\"a\":{\"b\":[]},\"c\":0}",
		"\"\\u00e4 \\ud83d\\ude00 \\\\ \\/ \xc3\xa4\"",
		"[[],{},[{}]]",
		"true",
		"\t\r\n1\n",
	};
	static const char *const bad[] = {
		"",
		" ",
		"01",
		"+1",
		"1.",
		".5",
		"1e",
		"1e+",
		"-",
		"0x1",
		"NaN",
		"Infinity",
		"1e400",
		"-1e400",
		"nul",
		"nulll",
		"True",
		"'a'",
		"\"",
		"\"\\\"",
		"\"\\x\"",
		"\"\\u12\"",
		"\"\\u0000\"",
		"\"\\ud800\"",
		"\"\\ud800\\u0041\"",
		"\"\\udc00\"",
		"\"\xff\"",
		"\"\xc0\x80\"",
		"\"\xed\xa0\x80\"",
		"\"\n\"",
		"\"\x01\"",
		"[",
		"]",
		"[1",
		"[1,",
		"[1,]",
		"[,1]",
		"[1 2]",
		"{",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{1:2}",
		"{\"a\":1 \"b\":2}",
		"{]",
		"[}",
		"[1}",
		"{\"a\":1]",
		"1 2",
		"[] []",
		"// 1\n1",
		"/**/1",
		"\357\273\2771",
	};
	size_t at;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (json_scan(good[i], strlen(good[i]), &at))
			fail_msg("refused: %s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!json_scan(bad[i], strlen(bad[i]), &at))
			fail_msg("accepted: %s", bad[i]);
	assert_non_null(json_scan("1\0", 2, &at));
	assert_int_equal(at, 1);
}

static void depth_is_bounded(void **state)
{
	char text[2 * (JSON_DEPTH_MAX + 1)];
	size_t at;

	(void)state;
	for (size_t depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		assert_int_equal(json_scan(text, 2 * depth, &at) == NULL, depth == JSON_DEPTH_MAX);
	}
	memset(text, '1', sizeof(text));
	assert_null(json_scan(text, sizeof(text), &at));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_back),
		cmocka_unit_test(one_layout_is_known_by_its_words),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(no_block_stands_twice),
		cmocka_unit_test(no_part_of_it_is_enough),
		cmocka_unit_test(only_json_is_json),
		cmocka_unit_test(depth_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
