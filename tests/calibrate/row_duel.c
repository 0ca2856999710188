/* SPDX-License-Identifier: BSD-2-Clause */
/* Row 5, the columns of the earlier tool's rule: 3 process pairs a measurement. */
#include "rows.h"

#include <math.h>
#include "duel_rule.h"
#include "stats/prng.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))
#define RUNS	   20000
#define POINTS	   .02
#define PAIRS	   2
#define PROCESSES  3
#define LIMIT	   1.02

struct duel_experiment {
	const struct noise *model;
	double ratio;
	size_t processes;
	uint64_t key;
};

static void duel_one(const void *arg, uint64_t run, struct tally *t)
{
	const struct duel_experiment *e = arg;
	struct duel_outcome o;

	duel_run(e->model, e->ratio, LIMIT, e->processes, prng_u64(e->key, run), &o);
	t->hits[HIT_REGRESSED] += o.regressed;
	t->hits[HIT_FIRST_SLOWER] += o.first_slower;
	tally_blocks(t, o.pairs);
}

static const struct {
	const char *model;
	double ratio, whole, pairs;
} table_5[] = {
	{"LN2", 1.00, 0, 35},	       {"LN2", 1.02, 9e-8, 62},	  {"LN2", 1.03, .098, 141},
	{"LN2", 1.04, .93, 141},       {"LN2", 1.05, 1, 90},	  {"LN5", 1.00, 2e-14, 56},
	{"LN5", 1.05, .27, 167},       {"t2", 1.03, .58, 178},	  {"BI3", 1.00, 1e-6, 40},
	{"BI3", 1.02, .012, 81},       {"BI3", 1.05, .20, 115},	  {"GP2", 1.00, 2e-6, 39},
	{"GP2", 1.04, .48, 133},       {"AR.5", 1.00, 1e-12, 32}, {"AR.9", 1.00, 1e-4, 26},
	{"AR.9/10", 1.00, 2e-16, NAN}, {"drift", 1.00, 0, 21},	  {"spike", 1.04, .99, 114},
};

static const struct {
	double p, whole, pairs;
} table_6[] = {
	{.05, 0, 14},	  {.25, 0, 36},	   {.31, 0, 46},    {.39, 7e-15, 56}, {.50, 1.2e-7, 62},
	{.60, .009, 100}, {.65, .19, 158}, {.70, .67, 175}, {.75, .92, 143},  {.80, .99, 112},
	{.85, 1, 89},	  {.90, 1, 72},	   {.95, 1, 57},
};

static void duel_line(struct job *j, const struct duel_experiment *e, double whole, double pairs)
{
	struct tally t = tally_runs(j->threads, job_runs(j, RUNS), duel_one, e);
	struct experiment named = {NULL, e->model, e->ratio, 1, e->key};
	struct line l = job_line("5", &named, "earlier rule: regressed", &t, HIT_REGRESSED,
				 (struct bound){fmax(0, whole - POINTS), fmin(1, whole + POINTS)});

	l.mean = (struct bound){pairs - PAIRS, pairs + PAIRS};
	table_line(&j->table, &l);
}

void row_duel(struct job *j)
{
	for (size_t i = 0; i < CNT(table_5); i++) {
		struct duel_experiment e = {noise_find(table_5[i].model), table_5[i].ratio,
					    PROCESSES,
					    job_key(j, "duel", table_5[i].model, table_5[i].ratio)};

		duel_line(j, &e, table_5[i].whole, table_5[i].pairs);
	}
	for (size_t i = 0; i < CNT(table_6); i++) {
		char name[32];
		struct noise coin = {.name = name, .coin = table_6[i].p};
		struct duel_experiment e = {&coin, LIMIT, 0,
					    job_key(j, "duel", "coin", table_6[i].p)};

		(void)snprintf(name, sizeof(name), "p = %.2f", coin.coin); /* fits */
		duel_line(j, &e, table_6[i].whole, table_6[i].pairs);
	}
}
