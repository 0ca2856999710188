/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Records for the tests of report/, and what was written as a string. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "report/record.h"
#include "report/terminal.h"

static inline char *copy(const char *s)
{
	char *c = strdup(s);

	assert_non_null(c);
	return c;
}

static inline struct rec_bench *add_bench(struct record *r, const char *name, enum bench_verdict v)
{
	struct rec_bench *b = NULL;

	assert_int_equal(record__add_bench(r, name, &b), 0);
	b->verdict = v;
	b->n = 9;
	b->k = 5;
	b->m = 3;
	return b;
}

/* One more stage of `blocks` blocks. */
static inline void add_stage(struct rec_metric *m, enum stage_verdict v, size_t blocks,
			     double median, double lo, double hi)
{
	m->stage[m->stages_cnt++] = (struct stage_result){
		.verdict = v,
		.blocks = blocks,
		.s = 1,
		.g = 2,
		.f = 3,
		.median = median,
		.lo = lo,
		.hi = hi,
	};
}

static inline struct rec_metric *judge(struct rec_bench *b, enum metric_id id, enum verdict v)
{
	struct rec_metric *m = &b->metric[id];

	m->judged = true;
	m->verdict = v;
	return m;
}

static inline void per_iteration(struct rec_metric *m, double baseline, double candidate)
{
	m->per_iteration[SIDE_BASELINE] = baseline;
	m->per_iteration[SIDE_CANDIDATE] = candidate;
}

static inline struct rec_block *add_block(struct rec_bench *b, size_t pairs, double cpu_ns,
					  double switches)
{
	struct rec_block *block = NULL;

	assert_int_equal(record__add_block(b, &block), 0);
	assert_int_equal(rec_block__reserve(block, pairs), 0);
	block->stage = 1;
	block->slot = b->blocks_cnt - 1;
	block->pairs_cnt = pairs;
	for (size_t i = 0; i < pairs; i++)
		for (size_t side = 0; side < SIDE_CNT; side++) {
			struct rec_half *h = &block->pairs[i].half[side];

			h->slices = 2;
			h->cpu_ns[0] = h->wall_ns[0] = 9 * cpu_ns;
			h->cpu_ns[1] = h->wall_ns[1] = 9 * cpu_ns + 0.1;
			h->value[METRIC_CPU] = cpu_ns + (double)i;
			h->value[METRIC_INVOLUNTARY_SWITCHES] = i ? 0 : switches;
		}
	return block;
}

static inline void fixture_run(struct record *r)
{
	record__init(r);
	r->verb = copy("compare");
	r->project = copy("my_parser");
	r->sandbox = copy("none");
	r->path = copy("out/last.json");
	r->started = copy("2026-01-02T03:04:05Z");
	r->seed = 7421;
	r->seconds = 9.3;
	r->version[SIDE_BASELINE].kind = VERSION_COMMIT;
	r->version[SIDE_BASELINE].commit = copy("3f9c2a1d5e8b7c6a4f3e2d1c0b9a8f7e6d5c4b3a");
	r->version[SIDE_BASELINE].ref = copy("main");
	r->version[SIDE_CANDIDATE].kind = VERSION_WORKTREE;
	r->version[SIDE_CANDIDATE].path = copy("my_parser");
	r->version[SIDE_CANDIDATE].changed_files = 2;
	r->host.cpus = 2;
	r->host.cpu = 1;
	r->host.virtual_machine = true;
	r->host.kernel = copy("6.1.0");
	assert_int_equal(record__add_option(r, "base", "main"), 0);
	assert_int_equal(record__note(r, "instructions are not judged: no PMU"), 0);
	assert_int_equal(record__note(r, "instructions are not judged: no PMU"), 0);
}

static inline void fixture_same(struct record *r)
{
	struct rec_bench *b = add_bench(r, "write: compact", BENCH_SAME);
	struct rec_metric *m = judge(b, METRIC_CPU, VERDICT_SAME);

	add_stage(m, STAGE_SAME, 12, 0.999, 0.997, 1.002);
	m->detectable = 1.023;
	m = judge(b, METRIC_CPU_TOTAL, VERDICT_UNDECIDED);
	m->reason = REASON_NEAR_LIMIT;
	add_stage(m, STAGE_UNDECIDED, 60, 1.011, 0.99, 1.031);
	m->detectable = 1.046;
	b->metric[METRIC_INSTRUCTIONS].missing = REASON_NO_PMU;

	b = add_bench(r, "write: twice", BENCH_SAME);
	m = judge(b, METRIC_CPU, VERDICT_SAME);
	m->not_confirmed = true;
	add_stage(m, STAGE_SLOWER, 14, 1.03, 1.021, 1.04);
	add_stage(m, STAGE_SAME, 22, 1.004, 0.999, 1.009);
}

static inline void fixture_regressed(struct record *r)
{
	struct rec_bench *b = add_bench(r, "parse: large document", BENCH_REGRESSED);
	struct rec_metric *m = judge(b, METRIC_CPU, VERDICT_SLOWER);

	for (int i = 0; i < 3; i++)
		add_stage(m, STAGE_SLOWER, 32, 1.031, 1.028, 1.034);
	per_iteration(m, 112400, 115900);
	m = judge(b, METRIC_INSTRUCTIONS, VERDICT_SLOWER);
	for (int i = 0; i < 3; i++)
		add_stage(m, STAGE_SLOWER, 12, 1.071, 1.069, 1.073);
	per_iteration(m, 1521000, 1629000);
	m = judge(b, METRIC_PAGE_FAULTS, VERDICT_SLOWER);
	per_iteration(m, 12, 13);
	b->lost_cnt = 1;
	b->seconds = 3.1;
	add_block(b, 3, 112400, 0.1);
	add_block(b, 3, 112500, 0)->lost = REASON_SUSPENDED;

	b = add_bench(r, "parse: worse", BENCH_REGRESSED);
	m = judge(b, METRIC_CPU, VERDICT_SLOWER);
	for (int i = 0; i < 3; i++)
		add_stage(m, STAGE_SLOWER, 12, 1.5, 1.4, 1.6);
	per_iteration(m, 1.52e6, 2.28e6);
}

static inline void fixture_undecided(struct record *r)
{
	struct rec_bench *b = add_bench(r, "write: pretty", BENCH_UNDECIDED);
	struct rec_metric *m = judge(b, METRIC_CPU, VERDICT_UNDECIDED);

	add_stage(m, STAGE_UNDECIDED, 60, 1.018, 1.009, 1.027);
	m->reason = REASON_NEAR_LIMIT;
	m->detectable = 1.031;
	/* stopped before there was an interval: no ratio may be shown */
	b = add_bench(r, "write: cut short", BENCH_UNDECIDED);
	m = judge(b, METRIC_CPU, VERDICT_UNDECIDED);
	add_stage(m, STAGE_OPEN, 3, 1.777, NAN, NAN);
	m->reason = REASON_OUT_OF_TIME;
}

static inline void fixture_rest(struct record *r)
{
	struct rec_bench *b = add_bench(r, "cli: small file", BENCH_FASTER);
	struct rec_metric *m = judge(b, METRIC_CPU, VERDICT_FASTER);

	add_stage(m, STAGE_FASTER, 14, 0.9, 0.88, 0.92);
	b = add_bench(r, "cli: faults", BENCH_CHANGED);
	per_iteration(&b->metric[METRIC_PAGE_FAULTS], 57901, 57900);
	b->metric[METRIC_PAGE_FAULTS].moved = true;
	b = add_bench(r, "cli: crash", BENCH_OPEN);
	rec_bench__fail(b, REASON_SIGNAL, SIDE_CANDIDATE, "SIGSEGV");
	b->stderr_tail = copy("reading \033[31minput\n::error::forged\n##[error]forged\n");
	b = add_bench(r, "fresh", BENCH_SKIPPED);
	b->reason = REASON_NEW;
	b = add_bench(r, "gone", BENCH_SKIPPED);
	b->reason = REASON_REMOVED;
	b = add_bench(r, "needs data", BENCH_SKIPPED);
	b->reason = REASON_SKIPPED;
	b->detail = copy("data/big.bin is missing");
}

/* Every kind of line that a report has. */
static inline void fixture_full(struct record *r)
{
	fixture_run(r);
	r->status = STATUS_ERROR;
	r->exit = 3;
	fixture_same(r);
	fixture_undecided(r);
	fixture_regressed(r);
	fixture_rest(r);
}

typedef void writer(FILE *out, const struct record *r, const struct terminal_style *style);

/* What `write` writes; freed by the caller. Not inlined: gcc 12 takes the result for a dangling one. */
static __attribute__((noinline, unused)) char *written(writer *write, const struct record *r,
						       const struct terminal_style *style)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	assert_non_null(out);
	write(out, r, style);
	assert_int_equal(fclose(out), 0);
	return buffer;
}
