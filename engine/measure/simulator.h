/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The in-process source: scripts program noise (for calibration) and faults (for tests). Same seed,
 * same script, same values; no clock is read and no process started.
 */
#include "source.h"

/* What happens at a given moment. */
struct sim_fault {
	const char *bench; /* NULL: any */
	unsigned stage, slot, attempt, pair; /* attempt 0 = first; UINT_MAX in any: any */
	enum side side;	   /* SIDE_CNT: both */
	enum source_status status;
	enum reason reason;
	const char *detail;
};

/* A benchmark's behaviour. All sd are of logs, relative (0.01 = 1 %). */
struct sim_bench {
	const char *name;
	double ns;		 /* true time of an iteration of the baseline */
	double ratio;		 /* true candidate / baseline */
	double sample_sd;	 /* lognormal, per slice */
	double process_sd;	 /* normal, per process: a side keeps it for a block */
	double process_mode;	 /* +- this, fair coin, per process */
	double second_half;	 /* the half measured second of each pair takes (1 + this) times as long */
	double spike_p, spike_mean; /* a slice is spiked with probability p by exp(Exp(mean)) */
	double drift;		 /* over 120 blocks */
	double rare_cost;	 /* every tenth slice of the candidate costs (1 + this) */
	double page_faults[SIDE_CNT]; /* per iteration */
	const char *digest[SIDE_CNT];
};

struct simulator {
	struct source source; /* first */
	uint64_t seed;
	const struct sim_bench *benches;
	size_t benches_cnt;
	const struct sim_fault *faults;
	size_t faults_cnt;
	size_t k, m;
	/* counts, for tests */
	size_t blocks, pairs, opens, stages;
	/* private: state of the open block */
	double process_level[SIDE_CNT];
};

void simulator__init(struct simulator *sim, uint64_t seed, const struct sim_bench *benches,
		     size_t benches_cnt);
