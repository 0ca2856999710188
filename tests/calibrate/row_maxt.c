/* SPDX-License-Identifier: BSD-2-Clause */
/* Row 8: how often all intervals of max-T together hold the true means, which are 0. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include "stats/maxt.h"
#include "stats/prng.h"

#define N_MAX	    30
#define COLUMNS_MAX 24
#define RESAMPLES   1500
#define RUNS	    2000

enum shape { SHAPE_NORMAL, SHAPE_SKEW, SHAPE_T2, SHAPE_CNT };

static const struct {
	const char *name;
	struct bound coverage;
} shapes[SHAPE_CNT] = {
	[SHAPE_NORMAL] = {"normal", {.93, .99}},
	[SHAPE_SKEW] = {"skew", {.93, NAN}},
	[SHAPE_T2] = {"t2", {.93, NAN}},
};

struct maxt_experiment {
	enum shape shape;
	size_t n, columns;
	uint64_t key;
};

/* Mean 0. */
static double value(enum shape shape, uint64_t key, uint64_t counter)
{
	double u = prng_double(key, 2 * counter), v = prng_double(key, 2 * counter + 1);

	u = u > 0 ? u : 0x1p-54;
	if (shape == SHAPE_SKEW)
		return -log(u) - 1;
	if (shape == SHAPE_T2)
		return (2 * u - 1) / sqrt(2 * u * (1 - u));
	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Every block shares one value with its endpoints: correlation 1/2. */
static void draw_rows(const struct maxt_experiment *e, uint64_t key, double *rows,
		      unsigned char *strata)
{
	for (size_t i = 0; i < e->n; i++) {
		uint64_t counter = i * (COLUMNS_MAX + 1);
		double shared = value(e->shape, key, counter);

		strata[i] = i % 2;
		for (size_t k = 0; k < e->columns; k++)
			rows[i * e->columns + k] =
				sqrt(.5) * (shared + value(e->shape, key, counter + 1 + k));
	}
}

static void must(enum stats_error e)
{
	if (e != STATS_OK)
		abort();
}

static void maxt_run(const void *arg, uint64_t run, struct tally *t)
{
	const struct maxt_experiment *e = arg;
	uint64_t key = prng_u64(e->key, run);
	double rows[N_MAX * COLUMNS_MAX], buffer[MAXT_BUFFER(N_MAX, COLUMNS_MAX)];
	uint32_t draws[MAXT_SCRATCH(N_MAX)];
	double largest[RESAMPLES], each[COLUMNS_MAX * RESAMPLES], crit;
	struct maxt_bounds bounds[COLUMNS_MAX];
	unsigned char strata[N_MAX];
	struct maxt_plan plan;
	bool all = true;

	draw_rows(e, key, rows, strata);
	must(maxt_prepare(rows, strata, e->n, e->columns, buffer, &plan));
	(void)maxt_resample(&plan, prng_mix64(key), RESAMPLES, 0, RESAMPLES, largest, each,
			    draws); /* how often SE vanished does not matter here */
	must(maxt_critical(largest, RESAMPLES, .95, &crit));
	must(maxt_intervals(&plan, crit, RESAMPLES, each, .05, 0, e->columns, bounds));
	for (size_t k = 0; k < e->columns; k++)
		all = all && bounds[k].lo <= 0 && 0 <= bounds[k].hi;
	t->hits[HIT_COVERED] += all;
	tally_blocks(t, e->n);
}

static void maxt_line(struct job *j, struct maxt_experiment *e)
{
	char what[48], label[32];
	struct noise named = {.name = shapes[e->shape].name};
	struct experiment as = {NULL, &named, NAN, 1, 0};
	struct tally t;
	struct line l;

	(void)snprintf(what, sizeof(what), "max-T 95 %%: %zu x %zu hold", e->n, e->columns);
	(void)snprintf(label, sizeof(label), "%s/%zu/%zu", named.name, e->n, e->columns);
	e->key = job_key(j, "8", label, 0);
	t = tally_runs(j->threads, job_runs(j, RUNS), maxt_run, e);
	l = job_line("8", &as, what, &t, HIT_COVERED, shapes[e->shape].coverage);
	table_line(&j->table, &l);
}

void row_maxt(struct job *j)
{
	static const size_t blocks[] = {20, 30}, columns[] = {1, 12, 24};

	for (unsigned shape = 0; shape < SHAPE_CNT; shape++)
		for (size_t i = 0; i < 2; i++)
			for (size_t k = 0; k < 3; k++) {
				struct maxt_experiment e = {(enum shape)shape, blocks[i],
							    columns[k], 0};

				maxt_line(j, &e);
			}
}
