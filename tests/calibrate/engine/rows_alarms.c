/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows 2, 3, 4 and 7: what the engine says of code that is no slower. */
#include "lab.h"

#include <math.h>
#include <string.h>

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

/* Instead of all that were taken. */
static void first_stage_blocks(const struct record *rec, struct tally *tally)
{
	const struct rec_bench *b = &rec->benches[0];

	tally->blocks -= b->blocks_cnt - b->metric[METRIC_CPU].stage[0].blocks;
}

/* How often stage 1 says of identical code what it must not say at the limit. */
static double identical_is_same(const struct trial *t)
{
	struct trial other = *t;
	struct tally tally;

	other.bench.ratio = 1;
	tally = trial_run(&other, 4000);
	return tally_rate(&tally, HIT_FIRST_SAME);
}

/* A ratio at the limit is above it in every second block. */
void engine_boundary(struct lab *lab)
{
	struct trial t = trial_of(lab, "LN2");
	struct tally tally;
	struct line l;

	t.bench.ratio = 1.02;
	t.look = first_stage_blocks;
	tally = trial_run(&t, 1000000);
	l = trial_line(&t, "2", "stage 1 slower", &tally, HIT_FIRST_SLOWER,
		       (struct bound){.00911 - .0004, .00911 + .0004});
	l.power = trial_power(&t);
	table_line(&lab->table, &l);
	l = trial_line(&t, "2", "stage 1 same", &tally, HIT_FIRST_SAME,
		       (struct bound){.0486 - .0009, .0486 + .0009});
	l.power = identical_is_same(&t);
	l.blocks_se = 14 / sqrt((double)tally.benches); /* of stage 1, not of all that was taken */
	l.mean = (struct bound){58 - .1, 58 + .1};
	table_line(&lab->table, &l);
}

static void identical(struct lab *lab, const char *model, size_t m, size_t k, size_t plan_blocks)
{
	struct trial t = trial_of(lab, model);
	struct tally tally;
	struct line l;

	if (lab->model && strcmp(lab->model, model) != 0)
		return;
	t.copies = 20;
	t.m = m;
	t.k = k;
	t.plan_blocks = plan_blocks;
	tally = trial_run(&t, 20000);
	l = trial_line(&t, "3",
		       plan_blocks ? "runs of 20 failed, planned"
		       : k > 1	   ? "runs of 20 failed, 3 x 5 slices"
				   : "runs of 20 that failed",
		       &tally, HIT_REGRESSED, (struct bound){NAN, 10 / 20000.0});
	l.power = trial_power(&t);
	table_line(&lab->table, &l);
	l = trial_line(&t, "3", "verdicts taken back", &tally, HIT_DOUBTED, UNBOUNDED);
	table_line(&lab->table, &l);
}

void engine_identical(struct lab *lab)
{
	static const char *const names[] = {"LN.5",    "LN2",	 "LN5",	  "t2",	   "BI3",
					    "BI1.5",   "GP2",	 "drift", "spike", "AR.9/10",
					    "links.5", "links1", "links2"};

	for (size_t i = 0; i < CNT(names); i++)
		identical(lab, names[i], 1, 1, 0);
	identical(lab, "LN2", 3, 5, 0);
	identical(lab, "spike", 3, 5, 0);
	/* m follows from the noise: between processes, of the samples, spikes */
	identical(lab, "BI3", 3, 5, RUN_PLAN_BLOCKS);
	identical(lab, "LN5", 3, 5, RUN_PLAN_BLOCKS);
	identical(lab, "spike", 3, 5, RUN_PLAN_BLOCKS);
}

/* A gate by switches. Of what it tells apart, a half takes a tenth longer. */
static struct trial gated_trial(const struct lab *lab, double base, double cand)
{
	struct trial t = trial_of(lab, "LN.5");

	t.m = 3;
	t.k = 5;
	t.gate = 1 << GATE_SWITCHES;
	t.bench.shows = t.gate;
	t.bench.disturbance = .1;
	t.bench.disturbed_p[SIDE_BASELINE] = base;
	t.bench.disturbed_p[SIDE_CANDIDATE] = cand;
	return t;
}

/* What disturbs both sides alike must not keep the gate from a verdict. */
static void gated_power(struct lab *lab)
{
	struct trial t = gated_trial(lab, .2, .2);
	struct tally tally;
	struct line l;

	t.bench.ratio = 1.05;
	tally = trial_run(&t, 4000);
	l = trial_line(&t, "3", "gated evenly: regressed", &tally, HIT_REGRESSED,
		       (struct bound){.95, NAN});
	table_line(&lab->table, &l);
}

/*
 * Equal code under a gate: one that rejects both sides alike finds what there is, and one that rejects
 * one side more often must not decide, whatever there is.
 */
void engine_gated(struct lab *lab)
{
	static const struct {
		double base, cand;
		const char *failed, *doubted;
		struct bound rate;
	} cells[] = {
		{.2, .2, "gated evenly: failed", "gated evenly: taken back", {NAN, .03}},
		{.05, .4, "gated unevenly: failed", "gated unevenly: taken back", {.95, NAN}},
	};

	for (size_t i = 0; i < CNT(cells); i++) {
		struct trial t = gated_trial(lab, cells[i].base, cells[i].cand);
		struct tally tally = trial_run(&t, 20000);
		struct line l = trial_line(&t, "3", cells[i].failed, &tally, HIT_REGRESSED,
					   (struct bound){NAN, 10 / 20000.0});

		l.power = trial_power(&t);
		table_line(&lab->table, &l);
		l = trial_line(&t, "3", cells[i].doubted, &tally, HIT_DOUBTED, cells[i].rate);
		table_line(&lab->table, &l);
	}
	gated_power(lab);
}

void engine_limit(struct lab *lab)
{
	static const char *const names[] = {"LN2", "BI3", "GP2"};

	for (size_t i = 0; i < CNT(names); i++) {
		struct trial t = trial_of(lab, names[i]);
		struct tally tally;
		struct line l;

		t.bench.ratio = 1.02;
		tally = trial_run(&t, 100000);
		l = trial_line(&t, "4", "regressed at the limit", &tally, HIT_REGRESSED,
			       (struct bound){NAN, 3 / 100000.0});
		l.power = trial_power(&t);
		table_line(&lab->table, &l);
	}
}

void engine_across(struct lab *lab)
{
	struct trial t = trial_of(lab, "LN.5");
	struct tally tally, power;
	struct line l;

	t.copies = 20;
	t.shift_sd = .01;
	tally = trial_run(&t, 20000);
	l = trial_line(&t, "7", "20 with a shared shift failed", &tally, HIT_REGRESSED,
		       (struct bound){NAN, 1e-6});
	t.bench.ratio = 1.015; /* that none of them shows */
	power = trial_run(&t, 400);
	l.power = tally_rate(&power, HIT_REGRESSED);
	table_line(&lab->table, &l);
	t.bench.ratio = 1;
	l = trial_line(&t, "7", "all 20: stage 1 slower", &tally, HIT_TOGETHER,
		       (struct bound){NAN, .01});
	l.power = tally_rate(&power, HIT_TOGETHER);
	table_line(&lab->table, &l);
}
