/* SPDX-License-Identifier: BSD-2-Clause */
/* What the decision core costs: joust's own benchmarks (joust.conf, `make bench`). */
#include <joust.h>

#include <math.h>
#include <stdlib.h>
#include "engine/decide/judge.h"
#include "stats/bootstrap.h"
#include "stats/boundary.h"
#include "stats/maxt.h"
#include "stats/prng.h"
#include "stats/stage.h"

#define BLOCKS_MAX    30
#define ENDPOINTS_MAX 60
#define RESAMPLES     10000

static double rows[BLOCKS_MAX * ENDPOINTS_MAX], buffer[MAXT_BUFFER(BLOCKS_MAX, ENDPOINTS_MAX)];
static double largest[RESAMPLES], each[ENDPOINTS_MAX * RESAMPLES];
static uint32_t draws[MAXT_SCRATCH(BLOCKS_MAX)];

/* A tenth of the resamples of a run: what stays in the caches is not measured as memory. */
static void max_t(struct joust *b, size_t n, size_t columns)
{
	struct maxt_bounds bounds[ENDPOINTS_MAX];
	unsigned char strata[BLOCKS_MAX];
	struct maxt_plan plan;
	double crit = NAN;

	for (size_t i = 0; i < n * columns; i++)
		rows[i] = prng_double(1, i) - 0.5;
	for (size_t i = 0; i < n; i++)
		strata[i] = i % 2;
	JOUST_LOOP(b) {
		(void)maxt_prepare(rows, strata, n, columns, buffer, &plan);
		(void)maxt_resample(&plan, 7, RESAMPLES, 0, RESAMPLES, largest, each, draws);
		(void)maxt_critical(largest, RESAMPLES, 0.95, &crit);
		(void)maxt_intervals(&plan, crit, RESAMPLES, each, 0.05, 0, columns, bounds);
		joust_keep_at(&bounds);
	}
	joust_digest(b, bounds, columns * sizeof(*bounds));
	if (!isfinite(crit))
		joust_fail(b, "no critical value");
}

JOUST_BENCH(max_t_20, "max-t: 20 blocks, 24 endpoints")
{
	max_t(b, 20, 24);
}

JOUST_BENCH(max_t_30, "max-t: 30 blocks, 60 endpoints")
{
	max_t(b, 30, 60);
}

JOUST_BENCH(boundary, "boundary: 120 blocks")
{
	uint32_t reject_at[120];
	double scratch[122];

	JOUST_LOOP(b) {
		(void)boundary_compute(120, 0.01, 2, reject_at, scratch);
		joust_keep_at(&reject_at);
	}
	joust_digest(b, reject_at, sizeof(reject_at));
}

JOUST_BENCH(stage, "stage rule: 60 blocks")
{
	uint32_t u[60], l[60];
	double scratch[62], ratios[60];
	struct stage_rule rule = {60, 12, u, l};
	struct stage_result result = {0};

	(void)boundary_compute(60, 0.01, 2, u, scratch);
	(void)boundary_compute(60, 0.05, 0.5, l, scratch);
	for (size_t i = 0; i < 60; i++) /* too near the limit for an early end */
		ratios[i] = 1 + 0.04 * prng_double(3, i);
	JOUST_LOOP(b) {
		(void)stage_judge(&rule, ratios, 60, 1.02, 1 / 1.02, scratch, &result);
		joust_keep_at(&result);
	}
	if (result.blocks != 60)
		joust_fail(b, "the stage ended after %zu blocks", result.blocks);
}

JOUST_BENCH(bootstrap, "bootstrap of the median: 30 values, 2000 resamples")
{
	double x[30], scratch[3 * 30 + 2000];
	struct bootstrap_interval interval = {0};

	for (size_t i = 0; i < 30; i++)
		x[i] = prng_double(4, i);
	JOUST_LOOP(b) {
		(void)bootstrap_median(x, 30, 0.95, 2000, 5, scratch, &interval);
		joust_keep_at(&interval);
	}
	joust_digest(b, &interval, sizeof(interval));
}

/* A full first stage of three pairs a block, too near the limit for an early end. */
static int add_blocks(struct rec_bench *bench, uint64_t key)
{
	for (unsigned slot = 0; slot < 60; slot++) {
		struct rec_block *blk;

		if (record__add_block(bench, &blk) || rec_block__reserve(blk, 3))
			return -1;
		blk->stage = 1;
		blk->slot = slot;
		blk->pairs_cnt = 3;
		for (size_t i = 0; i < 3; i++) {
			struct rec_half *half = blk->pairs[i].half;
			double ratio = 1 + 0.04 * prng_double(key, slot * 3 + i);

			half[SIDE_BASELINE].value[METRIC_CPU] = 100;
			half[SIDE_CANDIDATE].value[METRIC_CPU] = 100 * ratio;
			half[SIDE_BASELINE].value[METRIC_CPU_TOTAL] = 101;
			half[SIDE_CANDIDATE].value[METRIC_CPU_TOTAL] = 101 * ratio;
		}
	}
	return 0;
}

static int fill(struct record *rec, const struct policy *policy)
{
	for (unsigned i = 0; i < 50; i++) {
		struct rec_bench *bench;
		char name[] = {'b', (char)('0' + i / 10), (char)('0' + i % 10), '\0'};

		if (record__add_bench(rec, name, &bench))
			return -1;
		bench->n = bench->k = 5;
		bench->m = 3;
		bench->metric[METRIC_INSTRUCTIONS].missing = REASON_NO_PMU;
		judge_plan(bench, policy);
		if (add_blocks(bench, i))
			return -1;
	}
	return 0;
}

JOUST_BENCH(judge, "judge: 50 benchmarks of 60 blocks")
{
	struct policy policy;
	struct record rec;
	int err;

	policy__init(&policy);
	record__init(&rec);
	err = policy__prepare(&policy);
	err = err ? err : fill(&rec, &policy);
	JOUST_LOOP(b) {
		for (size_t i = 0; i < rec.benches_cnt; i++)
			err |= judge_bench(&rec.benches[i], &policy);
		judge_run(&rec);
	}
	joust_digest(b, &rec.exit, sizeof(rec.exit));
	if (err)
		joust_fail(b, "the record cannot be judged");
	record__done(&rec);
	policy__done(&policy);
}
