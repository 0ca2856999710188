/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked for besides: sizes, proof of equality, and what many layouts cost. */
#include "lab.h"

#include <math.h>

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

static struct trial sized_trial(const struct lab *lab, const char *model)
{
	struct trial t = trial_of(lab, model);

	t.bench.sizes_cnt = 4;
	for (size_t i = 0; i < 4; i++)
		t.bench.sizes[i] = 1000 << i;
	t.bench.exponent[SIDE_BASELINE] = t.bench.exponent[SIDE_CANDIDATE] = 1;
	return t;
}

/* 100,000 resamples a stage: fewer runs than elsewhere. Simultaneous 95 % intervals, so that a stage may say slower of identical code 5 times in 100. */
void engine_sized(struct lab *lab)
{
	static const char *const names[] = {"LN.5", "LN2", "BI3"};

	for (size_t i = 0; i < CNT(names); i++) {
		struct trial t = sized_trial(lab, names[i]);
		struct tally tally = trial_run(&t, 400), power;
		struct trial slower = t;
		struct line l;

		slower.bench.ratio = 1.05;
		power = trial_run(&slower, 100);
		l = trial_line(&t, "-", "sized: stage 1 slower", &tally, HIT_FIRST_SLOWER,
			       (struct bound){NAN, .05});
		l.power = tally_rate(&power, HIT_FIRST_SLOWER);
		table_line(&lab->table, &l);
		l = trial_line(&t, "-", "sized: regressed", &tally, HIT_REGRESSED,
			       (struct bound){NAN, 1.25e-4});
		l.power = tally_rate(&power, HIT_REGRESSED);
		table_line(&lab->table, &l);
	}
}

static void proven(const struct record *rec, struct tally *tally)
{
	tally->hits[HIT_TOGETHER] += rec->benches[0].metric[METRIC_CPU].verdict == VERDICT_SAME;
}

/*
 * Two one-sided tests at .05: so often code that lies on the margin is called the same. The level is
 * what they have, not a bound above it, so that 20,000 runs may find 2.6 standard errors more.
 */
void engine_proven(struct lab *lab)
{
	static const char *const names[] = {"LN2", "t2", "BI3", "spike"};
	struct lab asked = *lab;

	asked.policy.limit[METRIC_CPU] = 1.1;
	asked.policy.prove_same = 1.02;
	for (size_t i = 0; i < CNT(names); i++) {
		struct trial t = trial_of(&asked, names[i]), equal = t;
		struct tally tally, power;
		struct line l;

		t.look = equal.look = proven;
		t.bench.ratio = 1.02;
		tally = trial_run(&t, 20000);
		power = trial_run(&equal, 2000);
		l = trial_line(&t, "-", "same within 2 %, in truth at it", &tally, HIT_TOGETHER,
			       (struct bound){NAN, .05 + 2.6 * sqrt(.05 * .95 / 20000)});
		l.power = tally_rate(&power, HIT_TOGETHER);
		table_line(&lab->table, &l);
	}
}

/* A slowdown that every link has: how often one link hides it by chance. */
void engine_layouts(struct lab *lab)
{
	static const struct {
		unsigned layouts;
		double ratio;
		struct bound found;
	} cells[] = {{4, 1.04, {.9, NAN}},
		     {4, 1.05, {.98, NAN}},
		     {12, 1.04, {NAN, NAN}},
		     {12, 1.05, {NAN, NAN}},
		     {12, 1.08, {.98, NAN}}};

	for (size_t i = 0; i < CNT(cells); i++) {
		struct trial t = trial_of(lab, "LN2");
		struct tally tally;
		struct line l;

		t.bench.layouts = cells[i].layouts;
		t.bench.ratio = cells[i].ratio;
		tally = trial_run(&t, 20000);
		l = trial_line(&t, "9",
			       cells[i].layouts == 4 ? "4 layouts: regressed"
						     : "12 layouts: regressed",
			       &tally, HIT_REGRESSED, cells[i].found);
		table_line(&lab->table, &l);
		l = trial_line(&t, "9",
			       cells[i].layouts == 4 ? "4 layouts: taken back"
						     : "12 layouts: taken back",
			       &tally, HIT_DOUBTED, UNBOUNDED);
		table_line(&lab->table, &l);
	}
}
