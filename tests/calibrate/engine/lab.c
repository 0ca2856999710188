/* SPDX-License-Identifier: BSD-2-Clause */
#include "lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report/json.h"
#include "stats/prng.h"

static const struct sim_bench models[] = {
	{.name = "LN.1", .sample_sd = .001},
	{.name = "LN.5", .sample_sd = .005},
	{.name = "LN2", .sample_sd = .02},
	{.name = "LN5", .sample_sd = .05},
	{.name = "t2", .t2 = .01},
	{.name = "BI3", .sample_sd = .005, .process_mode = .03},
	{.name = "BI1.5", .sample_sd = .005, .process_mode = .015},
	{.name = "GP2", .sample_sd = .01, .process_sd = .02},
	{.name = "drift", .sample_sd = .01, .drift = .1, .second_half = .01},
	{.name = "spike", .sample_sd = .01, .spike_p = .2, .spike_mean = .1},
	/* ten benchmarks take turns at AR(1) with coefficient .9 */
	{.name = "AR.9/10", .wander_sd = .0283, .wander_rho = .348678},
	{.name = "links.5", .sample_sd = .005, .layout_sd = .005, .layouts = 12},
	{.name = "links1", .sample_sd = .005, .layout_sd = .01, .layouts = 12},
	{.name = "links2", .sample_sd = .005, .layout_sd = .02, .layouts = 12},
	/* +3 and +5 % in truth */
	{.name = "rare3", .sample_sd = .001, .rare_cost = .3},
	{.name = "rare5", .sample_sd = .001, .rare_cost = .5},
	{.name = "wander", .sample_sd = .001, .wander_sd = .1},
};

struct trial trial_of(const struct lab *lab, const char *model)
{
	struct trial t = {.lab = lab, .copies = 1, .m = 1, .k = 1};

	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (strcmp(models[i].name, model) == 0)
			t.bench = models[i];
	if (!t.bench.name)
		abort();
	t.bench.ns = 1000;
	t.bench.ratio = 1;
	return t;
}

static void count(const struct trial *t, const struct rec_bench *b, struct tally *tally)
{
	const struct rec_metric *m = &b->metric[METRIC_CPU];
	const struct stage_result *shown = &m->stage[m->stages_cnt - 1];

	tally->hits[HIT_FIRST_SLOWER] += m->stage[0].verdict == STAGE_SLOWER;
	tally->hits[HIT_FIRST_SAME] += m->stage[0].verdict == STAGE_SAME;
	tally->hits[HIT_COVERED] += shown->lo <= t->bench.ratio && t->bench.ratio <= shown->hi;
	tally->hits[HIT_FLAGGED] += m->unstable;
	tally->hits[HIT_DOUBTED] +=
		shown->verdict != STAGE_UNDECIDED &&
		(m->reason == REASON_ORDER_EFFECT || m->reason == REASON_WARMING ||
		 m->reason == REASON_LAYOUT || m->reason == REASON_REJECTED_UNEVENLY ||
		 m->reason == REASON_SENSITIVE);
	tally_blocks(tally, b->blocks_cnt);
}

static void measure(const struct trial *t, uint64_t seed, struct record *rec)
{
	static const char *const names[LAB_BENCHES_MAX] = {"a", "b", "c", "d", "e", "f", "g",
							   "h", "i", "j", "k", "l", "m", "n",
							   "o", "p", "q", "r", "s", "t"};
	struct sim_bench benches[LAB_BENCHES_MAX];
	struct run_options opt = {.policy = t->lab->policy,
				  .max_time_s = NAN,
				  .exhaust = t->exhaust,
				  .gate = t->gate,
				  .plan_blocks = t->plan_blocks};
	struct simulator sim;
	struct rec_bench *b;

	record__init(rec);
	rec->seed = seed;
	for (size_t i = 0; i < t->copies; i++) {
		benches[i] = t->bench;
		benches[i].name = names[i];
		if (record__add_bench(rec, names[i], &b) != 0)
			abort();
	}
	simulator__init(&sim, seed, benches, t->copies);
	sim.m = t->m;
	sim.k = t->k;
	sim.shift_sd = t->shift_sd;
	sim.whole_ns = t->whole_ns;
	if (run_measure(rec, &sim.source, &opt) != 0)
		abort();
	judge_run(rec);
}

static void one(const void *arg, uint64_t run, struct tally *tally)
{
	const struct trial *t = arg;
	struct record rec;

	measure(t, prng_u64(prng_key(t->lab->seed, t->bench.name), run), &rec);
	tally->hits[HIT_REGRESSED] += rec.status == STATUS_FAILED;
	tally->hits[HIT_TOGETHER] += rec.across.stage[0].verdict == STAGE_SLOWER;
	if (t->look)
		t->look(&rec, tally);
	for (size_t i = 0; i < rec.benches_cnt; i++)
		count(t, &rec.benches[i], tally);
	record__done(&rec);
}

struct tally trial_run(const struct trial *t, uint64_t runs)
{
	return tally_runs(t->lab->threads, (runs + t->lab->divisor - 1) / t->lab->divisor, one, t);
}

struct line trial_line(const struct trial *t, const char *row, const char *what,
		       const struct tally *tally, enum tally_hit hit, struct bound rate)
{
	return (struct line){
		.row = row,
		.model = t->bench.name,
		.ratio = t->bench.ratio,
		.what = what,
		.hits = tally->hits[hit],
		.runs = hit == HIT_REGRESSED || hit == HIT_TOGETHER ? tally->runs : tally->benches,
		.rate = rate,
		.power = NAN,
		.blocks = tally_mean_blocks(tally),
		.blocks_se = tally_blocks_se(tally),
		.mean = UNBOUNDED,
	};
}

double trial_power(const struct trial *t)
{
	struct trial other = *t;
	struct tally tally;

	other.bench.ratio = 1.05;
	other.copies = 1;
	tally = trial_run(&other, 4000);
	return tally_rate(&tally, HIT_REGRESSED);
}

int lab_write_record(uint64_t seed, FILE *out)
{
	struct lab lab = {.seed = seed};
	struct trial t;
	struct record rec;
	int err;

	policy__init(&lab.policy);
	if (policy__prepare(&lab.policy) != 0)
		abort();
	t = trial_of(&lab, "spike");
	t.bench.ratio = 1.012;
	t.bench.drift = .1;
	t.copies = 10;
	t.whole_ns = true;
	t.m = 3;
	t.k = 5;
	measure(&t, seed, &rec);
	err = json_write(out, &rec);
	record__done(&rec);
	policy__done(&lab.policy);
	return err;
}
