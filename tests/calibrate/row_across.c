/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Row 7: all benchmarks together, identical code. Every round shifts all benchmarks alike, because
 * they share the machine's state; the shift is new in each round. Judged per block.
 */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include "stats/across.h"
#include "stats/median.h"
#include "stats/prng.h"

#define BENCHES	 20
#define BLOCK_SD .005
#define SHIFT_SD .01
#define MARGIN	 .02
#define RUNS	 20000

struct across_experiment {
	const struct three_stages *rule;
	double ratio, shift_sd;
	uint64_t key;
};

struct rounds {
	double of[BENCHES][RULE_N_MAX]; /* block values */
	double z[RULE_N_MAX];
};

/* The draws of round b, two normals each: the shift first, then the benchmarks in turn. */
static double normal(uint64_t key, uint64_t counter)
{
	double radius = sqrt(-2 * log1p(-prng_double(key, 2 * counter)));

	return radius * cos(2 * M_PI * prng_double(key, 2 * counter + 1));
}

static void draw_round(const struct across_experiment *e, uint64_t key, size_t b, struct rounds *r)
{
	double shift = e->shift_sd * normal(key, b * (BENCHES + 1));
	double values[BENCHES], scratch[BENCHES];

	for (size_t i = 0; i < BENCHES; i++) {
		double own = BLOCK_SD * normal(key, b * (BENCHES + 1) + 1 + i);

		values[i] = e->ratio * exp(shift + own);
		r->of[i][b] = values[i];
	}
	if (across_block(values, BENCHES, scratch, &r->z[b]) != STATS_OK)
		abort();
}

/* The other half of the rule: the interval over the benchmarks' medians lies above the limit too. */
static bool benchmarks_agree(const struct rounds *r, size_t n)
{
	double medians[BENCHES], scratch[RULE_N_MAX];
	struct across a;

	for (size_t i = 0; i < BENCHES; i++)
		if (median_of(r->of[i], n, scratch, &medians[i]) != STATS_OK)
			abort();
	if (across_judge(medians, BENCHES, MARGIN, .99, ACROSS_BENCHMARKS_MIN, scratch, &a) !=
	    STATS_OK)
		abort();
	return a.verdict == ACROSS_SLOWER;
}

static void across_run(const void *arg, uint64_t run, struct tally *t)
{
	const struct across_experiment *e = arg;
	const struct stage_rule *stage = &e->rule->first.rule;
	double scratch[RULE_N_MAX];
	struct stage_result s = {.verdict = STAGE_OPEN};
	struct rounds r;
	size_t n = 0;

	for (size_t want = 16; s.verdict == STAGE_OPEN; want *= 2) {
		for (; n < want && n < stage->n_max; n++)
			draw_round(e, prng_u64(e->key, run), n, &r);
		if (stage_judge(stage, r.z, n, e->rule->limit, e->rule->inverse_limit, scratch,
				&s) != STATS_OK)
			abort();
	}
	t->hits[HIT_FIRST_SLOWER] += s.verdict == STAGE_SLOWER && benchmarks_agree(&r, s.blocks);
	tally_blocks(t, s.blocks);
}

static void across_line(struct job *j, const struct three_stages *rule, double shift_sd)
{
	struct noise named = {.name = shift_sd > .015 ? "shift 4%" : "shift 1%"};
	struct across_experiment e = {rule, 1, shift_sd, job_key(j, "7", named.name, 1)};
	struct experiment label = {rule, &named, 1, 1, e.key};
	struct tally t = tally_runs(j->threads, job_runs(j, RUNS), across_run, &e), power;
	struct line l = job_line("7", &label, "all 20: one stage slower", &t, HIT_FIRST_SLOWER,
				 (struct bound){NAN, .01});

	e.ratio = 1.02;
	power = tally_runs(j->threads, job_runs(j, RUNS / 10), across_run, &e);
	l.power = tally_rate(&power, HIT_FIRST_SLOWER);
	table_line(&j->table, &l);
}

void row_across(struct job *j)
{
	struct three_stages rule;

	three_stages__init(&rule, RULE_WHOLE, 1 + MARGIN / 4, 1);
	across_line(j, &rule, SHIFT_SD);
	across_line(j, &rule, 4 * SHIFT_SD); /* so large that only the coins protect */
}
