/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The rows of the specification's table of acceptance. Each prints its lines. */
#include "noise.h"
#include "rule.h"
#include "table.h"
#include "tally.h"

struct job {
	struct table table;
	unsigned threads;
	uint64_t divisor; /* of the number of runs: 1 in the long form */
	uint64_t seed;
};

/* A number of runs of the long form, as this form has it. */
uint64_t job_runs(const struct job *j, uint64_t runs);

/* Key of a line: every line draws from a stream of its own. */
uint64_t job_key(const struct job *j, const char *row, const char *model, double ratio);

/* Benchmarks of one model under the rule of three stages. */
struct experiment {
	const struct three_stages *rule;
	const struct noise *model;
	double ratio;
	size_t benches; /* in a run, which is regressed when one of them is */
	uint64_t key;
};

struct tally experiment_run(const struct job *j, const struct experiment *e, uint64_t runs);

void row_boundary(struct job *j);
void row_identical(struct job *j);
void row_limit(struct job *j);
void row_power(struct job *j);
void row_wander(struct job *j);
void row_coverage(struct job *j);
void row_duel(struct job *j);
void row_across(struct job *j);
void row_maxt(struct job *j);

/* A line of what `hit` counts, without bound on the mean. */
struct line job_line(const char *row, const struct experiment *e, const char *what,
		     const struct tally *t, enum tally_hit hit, struct bound rate);

/* How often the same rule finds a ratio of 1.05 under the same noise. */
double job_power(const struct job *j, const struct experiment *e, uint64_t runs);
