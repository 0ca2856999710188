/* SPDX-License-Identifier: BSD-2-Clause */
/* Row 5: the published tables of power and cost, which were made with m = 1 and n_min = 1. */
#include "rows.h"

#include <math.h>

#define CNT(table) (sizeof(table) / sizeof((table)[0]))
#define RUNS	   20000
#define POINTS	   .02
#define BLOCKS	   2 /* the tables' mean numbers are rounded, and simulated themselves */

struct published {
	const char *model;
	double ratio, first, whole, blocks;
};

static const struct published table_5[] = {
	{"LN2", 1.00, 0, 0, 22},	{"LN2", 1.02, .009, 7e-7, 59},
	{"LN2", 1.03, .34, .16, 106},	{"LN2", 1.04, .94, .94, 114},
	{"LN2", 1.05, 1, 1, 73},	{"LN5", 1.00, 0, 0, 49},
	{"LN5", 1.05, .49, .35, 122},	{"t2", 1.03, .68, .63, 131},
	{"BI3", 1.00, 0, 0, 23},	{"BI3", 1.02, .008, 7e-7, 59},
	{"BI3", 1.05, .93, .93, 115},	{"GP2", 1.00, 0, 0, 25},
	{"GP2", 1.04, .87, .87, 124},	{"AR.5", 1.00, 4e-4, 0, 21},
	{"AR.9", 1.00, .082, 4e-4, 18}, {"AR.9/10", 1.00, 5e-5, 0, NAN},
	{"drift", 1.00, 0, 0, 12},	{"spike", 1.04, .99, .99, 94},
};

/* Independent blocks of which so many lie above the limit. */
static const struct {
	double p, whole, blocks, first_same;
} table_6[] = {
	{.05, 0, 7.7, 1},      {.25, 5e-24, 23, .97},	{.31, 8e-20, 34, .82},
	{.39, 1e-14, 49, .39}, {.50, 8.5e-7, 59, .049}, {.60, .028, 83, .006},
	{.65, .28, 117, .002}, {.70, .71, 131, .001},	{.75, .93, 116, .0003},
	{.80, .99, 92, .0001}, {.85, 1, 72, 0},		{.90, 1, 58, 0},
	{.95, 1, 48, 0},
};

static struct bound within(double rate)
{
	return (struct bound){fmax(0, rate - POINTS), fmin(1, rate + POINTS)};
}

static void published_line(struct job *j, const struct three_stages *rule,
			   const struct published *p)
{
	struct experiment e = {rule, noise_find(p->model), p->ratio, 1,
			       job_key(j, "5", p->model, p->ratio)};
	struct tally t = experiment_run(j, &e, RUNS);
	struct line l = job_line("5", &e, "stage 1 slower", &t, HIT_FIRST_SLOWER, within(p->first));

	l.blocks = NAN;
	table_line(&j->table, &l);
	l = job_line("5", &e, "regressed", &t, HIT_REGRESSED, within(p->whole));
	l.mean = (struct bound){p->blocks - BLOCKS, p->blocks + BLOCKS};
	table_line(&j->table, &l);
}

static void coin_lines(struct job *j, const struct three_stages *rule, size_t i)
{
	struct noise coin = {.name = "coin", .coin = table_6[i].p};
	struct experiment e = {rule, &coin, rule->limit, 1,
			       job_key(j, "5", coin.name, table_6[i].p)};
	struct tally t = experiment_run(j, &e, RUNS);
	char name[32];
	struct line l;

	(void)snprintf(name, sizeof(name), "p = %.2f", coin.coin);
	coin.name = name;
	l = job_line("5", &e, "regressed", &t, HIT_REGRESSED, within(table_6[i].whole));
	l.mean = (struct bound){table_6[i].blocks - BLOCKS, table_6[i].blocks + BLOCKS};
	table_line(&j->table, &l);
	l = job_line("5", &e, "stage 1 not slower", &t, HIT_FIRST_SAME,
		     within(table_6[i].first_same));
	l.blocks = NAN;
	table_line(&j->table, &l);
}

void row_power(struct job *j)
{
	struct three_stages rule;

	three_stages__init(&rule, RULE_PLAIN, 1.02, 1);
	for (size_t i = 0; i < CNT(table_5); i++)
		published_line(j, &rule, &table_5[i]);
	for (size_t i = 0; i < CNT(table_6); i++)
		coin_lines(j, &rule, i);
}
