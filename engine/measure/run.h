/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The run loop: stages, rounds, blocks, pairs. A few blocks of each benchmark to plan by (stage 0),
 * which fix its plan; then stage 1 for all benchmarks, blocks interleaved
 * round-robin in random order per round, then the confirmations of those that need them. It asks
 * the judge after every block; it computes no verdict itself.
 */
#include <stdbool.h>
#include "../decide/judge.h"
#include "gate.h"
#include "source.h"

#define RUN_PLAN_BLOCKS 4 /* enough to plan by; a few milliseconds each */

struct run_progress {
	unsigned stage;
	unsigned round;
	size_t open, total;	       /* benchmarks still open in this stage */
	const struct rec_bench *bench; /* about to be measured */
	size_t block, blocks_max;
	double elapsed_s;
};

struct run_options {
	struct policy policy; /* prepared */
	double max_time_s;    /* NaN: none; ends after the last complete round */
	bool exhaust; /* take every block of every stage, whatever the judge says (calibration) */
	bool whole_stage_1; /* likewise of stage 1 alone; what a stage says stays as it was */
	bool measure_only;  /* `joust run`: a fixed number of blocks of stage 1, no verdict */
	size_t measure_blocks;
	gate_rules gate;    /* 0: every pair is kept */
	size_t plan_blocks; /* of stage 0; 0: the source's plan stands */
	bool (*interrupted)(void *arg);
	/* Called between blocks only; may draw. NULL: silent. */
	void (*progress)(void *arg, const struct run_progress *p);
	void *arg;
};

/*
 * Opens, measures and judges every benchmark of `rec` whose verdict is BENCH_OPEN; rec->seed is the
 * seed of the coins. Errors of a benchmark end that benchmark only. Every block in the record is
 * complete or lost: one that an interrupt or an error cut short is dropped. Status and exit of the
 * run are left to judge_run. Returns 0; -EINTR after an interrupt (what was measured is judged and
 * stays); -ENOMEM; -EIO when the source is broken (its error is then in rec->message).
 */
int run_measure(struct record *rec, struct source *src, const struct run_options *opt) MUST_CHECK;
