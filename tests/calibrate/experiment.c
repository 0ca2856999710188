/* SPDX-License-Identifier: BSD-2-Clause */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include "stats/prng.h"

uint64_t job_runs(const struct job *j, uint64_t runs)
{
	return runs / j->divisor;
}

uint64_t job_key(const struct job *j, const char *row, const char *model, double ratio)
{
	char label[96];

	(void)snprintf(label, sizeof(label), "calibrate/%s/%s/%.6f", row, model, ratio);
	return prng_key(j->seed, label);
}

static void count(const struct experiment *e, const struct outcome *o, struct tally *t)
{
	t->hits[HIT_FIRST_SLOWER] += o->first.verdict == STAGE_SLOWER;
	t->hits[HIT_FIRST_SAME] += o->first.verdict == STAGE_SAME;
	t->hits[HIT_COVERED] += o->shown.lo <= e->ratio && e->ratio <= o->shown.hi;
	tally_blocks(t, o->blocks);
}

static void one_run(const void *arg, uint64_t run, struct tally *t)
{
	const struct experiment *e = arg;
	bool regressed = false;

	for (size_t i = 0; i < e->benches; i++) {
		uint64_t key = prng_u64(e->key, run * e->benches + i);
		struct outcome o;

		three_stages_run(e->rule, e->model, e->ratio, key, &o);
		count(e, &o, t);
		regressed = regressed || o.verdict == RUN_REGRESSED;
	}
	t->hits[HIT_REGRESSED] += regressed;
}

struct tally experiment_run(const struct job *j, const struct experiment *e, uint64_t runs)
{
	return tally_runs(j->threads, job_runs(j, runs), one_run, e);
}

struct line job_line(const char *row, const struct experiment *e, const char *what,
		     const struct tally *t, enum tally_hit hit, struct bound rate)
{
	return (struct line){
		.row = row,
		.model = e->model->name,
		.ratio = e->ratio,
		.what = what,
		.hits = t->hits[hit],
		.runs = t->runs,
		.rate = rate,
		.power = NAN,
		.blocks = tally_mean_blocks(t),
		.blocks_se = tally_blocks_se(t),
		.mean = UNBOUNDED,
	};
}

double job_power(const struct job *j, const struct experiment *e, uint64_t runs)
{
	struct experiment other = *e;
	struct tally t;

	other.ratio = 1.05;
	other.benches = 1;
	other.key = job_key(j, "power", e->model->name, other.ratio);
	t = experiment_run(j, &other, runs);
	return tally_rate(&t, HIT_REGRESSED);
}
