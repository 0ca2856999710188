/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Row 6: how often the interval that the engine shows holds the true ratio. The same check is then
 * given an engine that takes its blocks from three processes a side.
 */
#include "lab.h"

#include <math.h>
#include <stdlib.h>
#include "stats/median.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))
#define TOLERANCE  .004
#define BLOCKS	   60

static void shown_interval(struct lab *lab, const char *model, double ratio, double power)
{
	struct trial t = trial_of(lab, model);
	struct tally tally;
	struct line l;

	t.bench.ratio = ratio;
	tally = trial_run(&t, 20000);
	l = trial_line(&t, "6", "98 % interval holds the ratio", &tally, HIT_COVERED,
		       (struct bound){.98 - TOLERANCE, NAN});
	l.power = power;
	table_line(&lab->table, &l);
}

/* An interval of 95 % of the blocks of stage 1, whatever the engine stopped at. */
static void naive_interval(const struct record *rec, struct tally *tally)
{
	const struct rec_bench *b = &rec->benches[0];
	double r[BLOCKS], scratch[BLOCKS];
	struct median_interval in;
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].stage == 1)
			r[n++] = judge_block_ratio(&b->blocks[i], METRIC_CPU);
	if (n != BLOCKS || median_interval(r, n, .95, INTERVAL_TWO, scratch, &in) != STATS_OK)
		abort();
	tally->hits[HIT_TOGETHER] += in.lo <= 1 && 1 <= in.hi;
}

static void reused_processes(struct lab *lab, unsigned processes, struct bound rate)
{
	struct trial t = trial_of(lab, "LN.5");
	struct tally tally;
	struct line l;

	t.bench.process_sd = .01;
	t.bench.processes = processes;
	t.exhaust = true;
	t.look = naive_interval;
	tally = trial_run(&t, 20000);
	l = trial_line(&t, "6",
		       processes ? "mutation: 60 blocks, 3 processes" : "95 % of 60 blocks", &tally,
		       HIT_TOGETHER, rate);
	table_line(&lab->table, &l);
	if (!processes)
		return;
	l.what = "the check above, given that";
	l.rate = (struct bound){.95 - TOLERANCE, NAN};
	l.must_fail = true;
	table_line(&lab->table, &l);
	l = trial_line(&t, "6", "the engine's own interval then", &tally, HIT_COVERED,
		       (struct bound){.98 - TOLERANCE, NAN});
	l.must_fail = true;
	table_line(&lab->table, &l);
}

void engine_coverage(struct lab *lab)
{
	static const char *const names[] = {"LN.5",  "LN2", "LN5",   "t2",   "BI3",
					    "BI1.5", "GP2", "drift", "spike"};
	static const double ratios[] = {1 / 1.03, 1, 1.03};

	for (size_t i = 0; i < CNT(names); i++) {
		struct trial t = trial_of(lab, names[i]);
		double power = trial_power(&t);

		for (size_t k = 0; k < CNT(ratios); k++)
			shown_interval(lab, names[i], ratios[k], power);
	}
	reused_processes(lab, 0, (struct bound){.95 - TOLERANCE, NAN});
	reused_processes(lab, 3, (struct bound){.43 - .03, .43 + .03});
}
