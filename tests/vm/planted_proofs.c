/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A change of one instruction in a thousand is found, and none is not: from the counters of fresh
 * workers, read by libjoust as the host allows, through the run loop to the judge, at a limit of 1.0005.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../engine/measure/run.h"
#include "bench.h"
#include "count.h"
#include "loop.h"
#include "tap.h"

#define LIMIT	     1.0005
#define INSTRUCTIONS 1000000 /* of the baseline's iteration */
#define SEED	     7421

/* What the candidate runs more than the baseline. */
static const struct planted {
	const char *name;
	int more;
	enum bench_verdict verdict;
} planted[] = {
	{"one in a thousand more", INSTRUCTIONS / 1000, BENCH_REGRESSED},
	{"nothing more", 0, BENCH_SAME},
	{"one in a thousand less", -INSTRUCTIONS / 1000, BENCH_FASTER},
	/* just below and just above the limit */
	{"0.4 in a thousand more", INSTRUCTIONS / 2500, BENCH_SAME},
	{"0.6 in a thousand more", INSTRUCTIONS * 6 / 10000, BENCH_REGRESSED},
};
#define PLANTED (sizeof(planted) / sizeof(planted[0]))

struct counting_source {
	struct source source; /* first */
	struct worker worker[SIDE_CNT];
	struct perf_tiers tiers;
	size_t processes;
};

static const struct planted *planted_in(const struct rec_bench *b)
{
	for (size_t i = 0; i < PLANTED; i++)
		if (strcmp(planted[i].name, b->name) == 0)
			return &planted[i];
	tap_die(b->name);
}

static enum source_status plan(struct source *s, struct rec_bench *b)
{
	(void)s;
	b->n = 1;
	b->k = 1;
	b->m = 1;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (id != METRIC_INSTRUCTIONS)
			b->metric[id].missing = REASON_NO_EVENT;
	return SOURCE_OK;
}

static enum source_status stage(struct source *s, struct rec_bench *b, unsigned number)
{
	(void)s;
	(void)b;
	(void)number;
	return SOURCE_OK;
}

static enum source_status block(struct source *s, struct rec_bench *b, struct rec_block *blk)
{
	struct counting_source *c = (struct counting_source *)s;
	const struct worker_sources sources = {.tiers = &c->tiers};

	for (unsigned i = 0; i < SIDE_CNT; i++) {
		enum side side = i ? !blk->coins.spawned_first : blk->coins.spawned_first;
		int more = side == SIDE_CANDIDATE ? planted_in(b)->more : 0;

		bench_start(&c->worker[side], BENCH_SPIN,
			    (uint64_t)(INSTRUCTIONS + more) / LOOP_INSTRUCTIONS, &sources);
		(void)bench_instructions(&c->worker[side], 1); /* its pages */
		c->processes++;
	}
	return SOURCE_OK;
}

static enum source_status pair(struct source *s, struct rec_bench *b, struct rec_block *blk,
			       size_t i)
{
	struct counting_source *c = (struct counting_source *)s;
	struct rec_pair *p = &blk->pairs[i];

	(void)b;
	for (unsigned j = 0; j < SIDE_CNT; j++) {
		enum side side = j ? !p->first : p->first;

		p->half[side].value[METRIC_INSTRUCTIONS] =
			(double)bench_instructions(&c->worker[side], 1);
	}
	return SOURCE_OK;
}

static enum source_status end(struct source *s, struct rec_bench *b, struct rec_block *blk)
{
	struct counting_source *c = (struct counting_source *)s;

	(void)b;
	(void)blk;
	for (enum side side = 0; side < SIDE_CNT; side++)
		bench_end(&c->worker[side]);
	return SOURCE_OK;
}

static void close_bench(struct source *s, struct rec_bench *b)
{
	(void)s;
	(void)b;
}

static const struct source_ops counting_ops = {
	.open = plan,
	.stage = stage,
	.block = block,
	.pair = pair,
	.end = end,
	.close = close_bench,
};

static uint64_t baseline_of(const struct rec_block *blk)
{
	return (uint64_t)blk->pairs[0].half[SIDE_BASELINE].value[METRIC_INSTRUCTIONS];
}

/* Whether all blocks of the baseline counted the same, but for readings that were made once more. */
static bool repeatable(const struct rec_bench *b)
{
	uint64_t least = UINT64_MAX, most = 0;
	size_t equal = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		uint64_t value = baseline_of(&b->blocks[i]);

		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	for (size_t i = 0; i < b->blocks_cnt; i++)
		equal += count_same(baseline_of(&b->blocks[i]), least);
	tap_note("%zu of %zu processes count %" PRIu64 ", none more than %" PRIu64, equal,
		 b->blocks_cnt, least, most);
	return 2 * equal > b->blocks_cnt &&
	       (most - least < BENCH_REREAD || count_same(least, most));
}

static void look_at(const struct rec_bench *b)
{
	const struct rec_metric *m = &b->metric[METRIC_INSTRUCTIONS];
	enum bench_verdict want = planted_in(b)->verdict;
	const double *counted = m->per_iteration;

	tap_ok(b->verdict == want, "%s: %s after %zu blocks", b->name,
	       bench_verdict_name(b->verdict), b->blocks_cnt);
	count_equal((uint64_t)counted[SIDE_CANDIDATE],
		    (uint64_t)(counted[SIDE_BASELINE] + planted_in(b)->more),
		    "%s: found %g instructions", b->name,
		    counted[SIDE_CANDIDATE] - counted[SIDE_BASELINE]);
	tap_ok(repeatable(b), "%s: the baseline counts the same in every process", b->name);
}

int main(int argc, char **argv)
{
	struct counting_source c = {.source.ops = &counting_ops};
	struct run_options opt = {.max_time_s = NAN};
	struct rec_bench *b;
	struct record rec;

	bench_serve(argc, argv);
	perf_tiers_probe("", NULL, &c.tiers);
	if (c.tiers.hw != REASON_NONE)
		tap_skip_all("instructions are not counted by the hardware here: %s",
			     reason_get(c.tiers.hw)->sentence);
	count_init(argc, argv);
	record__init(&rec);
	rec.seed = SEED;
	for (size_t i = 0; i < PLANTED; i++)
		count_must(record__add_bench(&rec, planted[i].name, &b), "a benchmark");
	policy__init(&opt.policy);
	opt.policy.limit[METRIC_INSTRUCTIONS] = LIMIT;
	count_must(policy__prepare(&opt.policy), "policy__prepare");
	count_must(run_measure(&rec, &c.source, &opt), "run_measure");
	judge_run(&rec);
	for (size_t i = 0; i < PLANTED; i++)
		look_at(&rec.benches[i]);
	tap_equal((unsigned)rec.exit, 1, "the run fails: exit status");
	tap_note("%zu processes, read %s", c.processes,
		 c.tiers.user_read ? "in user space" : "by read()");
	policy__done(&opt.policy);
	record__done(&rec);
	return tap_done();
}
