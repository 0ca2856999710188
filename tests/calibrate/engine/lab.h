/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Whole runs of the engine over its simulator, counted. */
#include "engine/measure/run.h"
#include "engine/measure/simulator.h"
#include "tests/calibrate/table.h"
#include "tests/calibrate/tally.h"

#define LAB_BENCHES_MAX 20

struct lab {
	struct table table;
	unsigned threads;
	uint64_t divisor; /* of the number of runs: 1 in the long form */
	uint64_t seed;
	const char *model;    /* the only one of the rows about identical code; NULL: all */
	struct policy policy; /* prepared; limit 1.02 */
};

/* One benchmark, so many times in a run, whose copies differ by their draws alone. */
struct trial {
	const struct lab *lab;
	struct sim_bench bench;
	size_t copies, m, k;
	size_t plan_blocks; /* of stage 0, that may raise m */
	double shift_sd;
	bool exhaust, whole_ns;
	gate_rules gate;
	/* more to count of a run; NULL: nothing */
	void (*look)(const struct record *rec, struct tally *tally);
};

/* The models of the specification by name: bench.ratio 1, one sample a side and block. */
struct trial trial_of(const struct lab *lab, const char *model);

/* Counts: REGRESSED (that failed) and TOGETHER by run, the rest by benchmark. */
struct tally trial_run(const struct trial *t, uint64_t runs);

/* A line of it, without bound on the mean of blocks. */
struct line trial_line(const struct trial *t, const char *row, const char *what,
		       const struct tally *tally, enum tally_hit hit, struct bound rate);

/* How often the engine finds a ratio of 1.05 under the same noise. */
double trial_power(const struct trial *t);

/* One record of a run on which everything is judged, as JSON. 0 or what json_write returns. */
int lab_write_record(uint64_t seed, FILE *out);

void engine_boundary(struct lab *lab);
void engine_identical(struct lab *lab);
void engine_gated(struct lab *lab);
void engine_limit(struct lab *lab);
void engine_power(struct lab *lab);
void engine_wander(struct lab *lab);
void engine_coverage(struct lab *lab);
void engine_across(struct lab *lab);
void engine_rare(struct lab *lab);
void engine_duel(struct lab *lab);
void engine_sized(struct lab *lab);
void engine_proven(struct lab *lab);
void engine_layouts(struct lab *lab);
