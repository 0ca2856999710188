/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Row 6: how often the interval shown holds the true ratio, at whatever block the stage stopped. The
 * same check is then given a mutation that it must find: samples taken as independent.
 */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include "stats/median.h"
#include "stats/prng.h"

#define CNT(table)    (sizeof(table) / sizeof((table)[0]))
#define RUNS	      20000
#define PAIRS	      60
#define TOLERANCE     .004
#define NAIVE_PROCESS 3

static void shown_interval(struct job *j, const struct three_stages *rule, const char *model,
			   double ratio)
{
	struct experiment e = {rule, noise_find(model), ratio, 1, job_key(j, "6", model, ratio)};
	struct tally t = experiment_run(j, &e, RUNS);
	struct line l = job_line("6", &e, "98 % interval holds the ratio", &t, HIT_COVERED,
				 (struct bound){.98 - TOLERANCE, NAN});

	table_line(&j->table, &l);
}

struct naive {
	struct noise model;
	uint64_t key;
};

/* 60 pairs from 3 process pairs, and the interval of 60 independent ones. */
static void naive_run(const void *arg, uint64_t run, struct tally *t)
{
	const struct naive *n = arg;
	double values[PAIRS], scratch[PAIRS];
	struct noise_stage noise;
	struct median_interval r;

	noise_stage__init(&noise, &n->model, prng_u64(n->key, run), 1, 0, NAIVE_PROCESS);
	for (size_t i = 0; i < PAIRS; i++)
		values[i] = noise_block(&noise);
	if (median_interval(values, PAIRS, .95, INTERVAL_TWO, scratch, &r) != STATS_OK)
		abort();
	t->hits[HIT_COVERED] += r.lo <= 1 && 1 <= r.hi;
	tally_blocks(t, PAIRS);
}

static void naive_interval(struct job *j)
{
	struct naive n = {{.name = "1 %/.5 %", .sample_sd = .005, .process_sd = .01},
			  job_key(j, "6", "naive", 1)};
	struct experiment e = {NULL, &n.model, 1, 1, n.key};
	struct tally t = tally_runs(j->threads, job_runs(j, RUNS), naive_run, &n);
	struct line l = job_line("6", &e, "mutation: 3 x 20 as 60, 95 %", &t, HIT_COVERED,
				 (struct bound){.43 - .03, .43 + .03});

	table_line(&j->table, &l);
	l.what = "the check above, given that";
	l.rate = (struct bound){.95 - TOLERANCE, NAN};
	l.must_fail = true;
	table_line(&j->table, &l);
}

void row_coverage(struct job *j)
{
	static const char *const models[] = {"LN.5",  "LN2", "LN5",   "t2",   "BI3",
					     "BI1.5", "GP2", "drift", "spike"};
	static const double ratios[] = {1 / 1.03, 1, 1.02, 1.03};
	struct three_stages rule;

	three_stages__init(&rule, RULE_WHOLE, 1.02, 1);
	for (size_t i = 0; i < CNT(models); i++)
		for (size_t k = 0; k < CNT(ratios); k++)
			shown_interval(j, &rule, models[i], ratios[k]);
	naive_interval(j);
}
