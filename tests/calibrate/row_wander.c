/* SPDX-License-Identifier: BSD-2-Clause */
/* Row 5a: a ratio that depends on the state of the machine, at its own median. Published only. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include "stats/prng.h"
#include "stats/serial.h"

#define UNSTABLE_BLOCKS 20 /* fewer say nothing about the order */
#define UNSTABLE_Z	2.33

static bool is_unstable(const double *values, size_t n)
{
	double scratch[RULE_N_MAX], r;

	if (n < UNSTABLE_BLOCKS)
		return false;
	if (rank_autocorrelation(values, n, scratch, &r) != STATS_OK)
		abort();
	return r > UNSTABLE_Z / sqrt((double)n);
}

static void wander_run(const void *arg, uint64_t run, struct tally *t)
{
	const struct experiment *e = arg;
	uint64_t key = prng_u64(e->key, run);
	double values[RULE_N_MAX];
	struct noise_stage noise;
	struct outcome o;

	three_stages_run(e->rule, e->model, e->ratio, key, &o);
	t->hits[HIT_REGRESSED] += o.verdict == RUN_REGRESSED;
	t->hits[HIT_FIRST_SLOWER] += o.first.verdict == STAGE_SLOWER;
	tally_blocks(t, o.blocks);
	/* the blocks of stage 1 once more */
	noise_stage__init(&noise, e->model, prng_u64(key, 0), e->rule->m, log(e->ratio), 0);
	stage_run(e->rule, &e->rule->first, &noise, values, &o.first);
	t->hits[HIT_FLAGGED] += is_unstable(values, o.first.blocks);
}

void row_wander(struct job *j)
{
	struct three_stages rule;
	struct experiment e = {&rule, noise_find("wander"), 1.02, 1,
			       job_key(j, "5a", "wander", 1.02)};
	struct tally t;
	struct line l;

	three_stages__init(&rule, RULE_WHOLE, 1.02, 1);
	t = tally_runs(j->threads, job_runs(j, 20000), wander_run, &e);
	l = job_line("5a", &e, "stage 1 slower at its median", &t, HIT_FIRST_SLOWER, UNBOUNDED);
	table_line(&j->table, &l);
	l = job_line("5a", &e, "regressed", &t, HIT_REGRESSED, UNBOUNDED);
	table_line(&j->table, &l);
	l = job_line("5a", &e, "flagged unstable", &t, HIT_FLAGGED, UNBOUNDED);
	table_line(&j->table, &l);
}
