/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows 5 and 5a, and costs in every tenth slice: what the engine finds. */
#include "lab.h"

#include <math.h>

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

/* The table of rules in the specification, the column of three stages. */
void engine_power(struct lab *lab)
{
	static const struct {
		const char *model;
		double ratio, power;
	} cells[] = {
		{"LN2", 1.03, .16}, {"LN2", 1.04, .94}, {"LN2", 1.05, 1},   {"LN5", 1.05, .35},
		{"t2", 1.03, .63},  {"BI3", 1.05, .93}, {"GP2", 1.04, .87}, {"spike", 1.04, .99},
	};

	for (size_t i = 0; i < CNT(cells); i++) {
		struct trial t = trial_of(lab, cells[i].model);
		struct tally tally;
		struct line l;

		t.bench.ratio = cells[i].ratio;
		tally = trial_run(&t, 20000);
		l = trial_line(&t, "5", "regressed", &tally, HIT_REGRESSED,
			       (struct bound){cells[i].power - .02, cells[i].power + .02});
		table_line(&lab->table, &l);
	}
}

void engine_wander(struct lab *lab)
{
	struct trial t = trial_of(lab, "wander");
	struct tally tally;
	struct line l;
	double power;

	t.bench.ratio = 1.02;
	t.m = 3;
	t.k = 5;
	tally = trial_run(&t, 20000);
	power = trial_power(&t);
	l = trial_line(&t, "5a", "stage 1 slower at its median", &tally, HIT_FIRST_SLOWER,
		       UNBOUNDED);
	l.power = power;
	table_line(&lab->table, &l);
	l = trial_line(&t, "5a", "regressed", &tally, HIT_REGRESSED, UNBOUNDED);
	l.power = power;
	table_line(&lab->table, &l);
	l = trial_line(&t, "5a", "flagged unstable", &tally, HIT_FLAGGED, UNBOUNDED);
	table_line(&lab->table, &l);
}

static void by_total_alone(const struct record *rec, struct tally *tally)
{
	const struct rec_metric *m = rec->benches[0].metric;

	tally->hits[HIT_TOGETHER] += m[METRIC_CPU].verdict == VERDICT_SAME &&
				     m[METRIC_CPU_TOTAL].verdict == VERDICT_SLOWER;
}

/* A cost in every tenth slice: found by cpu_total and not by cpu. */
void engine_rare(struct lab *lab)
{
	static const struct {
		const char *model;
		double limit;
	} cells[] = {{"rare3", 1.005}, {"rare5", 1.02}};

	for (size_t i = 0; i < CNT(cells); i++) {
		struct trial t = trial_of(lab, cells[i].model);
		struct lab stricter = *lab;
		struct tally tally;
		struct line l;

		stricter.policy.limit[METRIC_CPU] = cells[i].limit;
		t.lab = &stricter;
		t.m = 3;
		t.k = 5;
		t.look = by_total_alone;
		tally = trial_run(&t, 2000);
		l = trial_line(&t, "-", "slower by cpu_total alone", &tally, HIT_TOGETHER,
			       (struct bound){.99, NAN});
		table_line(&lab->table, &l);
	}
}

/*
 * --rule duel, with the three process pairs of the original and with those of our blocks: the columns
 * of tables 1 and 5, in which identical code never fails.
 */
void engine_duel(struct lab *lab)
{
	static const struct {
		const char *model;
		double ratio;
		unsigned processes;
		double power;
	} cells[] = {
		{"LN2", 1.00, 0, 0},	{"BI3", 1.00, 3, 1e-6},	 {"BI3", 1.02, 3, .012},
		{"LN2", 1.03, 0, .098}, {"LN2", 1.04, 0, .93},	 {"LN5", 1.05, 0, .27},
		{"BI3", 1.05, 3, .20},	{"BI3", 1.05, 0, .92},	 {"GP2", 1.04, 3, .48},
		{"GP2", 1.04, 0, .86},	{"spike", 1.04, 0, .99},
	};
	struct lab other = *lab;

	other.policy.rule = RULE_DUEL;
	for (size_t i = 0; i < CNT(cells); i++) {
		struct trial t = trial_of(&other, cells[i].model);
		struct tally tally;
		struct line l;

		t.bench.ratio = cells[i].ratio;
		t.bench.processes = cells[i].processes;
		tally = trial_run(&t, 20000);
		l = trial_line(&t, "5",
			       cells[i].processes ? "duel, 3 processes: regressed"
						  : "duel: regressed",
			       &tally, HIT_REGRESSED,
			       (struct bound){fmax(0, cells[i].power - .02),
					      fmin(1, cells[i].power + .02)});
		if (cells[i].ratio <= 1.02)
			l.power = trial_power(&t);
		table_line(&lab->table, &l);
	}
}
