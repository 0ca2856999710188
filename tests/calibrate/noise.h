/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Noise models for calibration, as pure functions of a key. A block is one fresh process of each
 * side and m pairs; its value is the median of its pair ratios. All sd are of logs, relative
 * (0.01 = 1 %).
 */
#include <stddef.h>
#include <stdint.h>

#define NOISE_PAIRS_MAX	  9
#define NOISE_LAYOUTS_MAX 12

struct noise {
	const char *name;
	double sample_sd;    /* lognormal, per sample */
	double t2;	     /* so much times Student's t with 2 degrees, per sample */
	double process_sd;   /* normal, per process */
	double process_mode; /* +- this, fair coin, per process */
	double ar, ar_sd;    /* the candidate carries AR(1) noise: coefficient per pair, sd */
	size_t interleave;   /* so many benchmarks take turns on the same AR(1) noise; 0: 1 */
	double drift;	     /* common, linear over 60 blocks */
	double second;	     /* the second half of a pair takes so much longer */
	double spike_p, spike_mean; /* with probability p a slowdown by exp(Exp(mean)) */
	double layout_sd;	    /* normal, per link of a side */
	size_t layouts;		    /* links of a side in a stage, one block after the other */
	double coin;		    /* not 0: log ratio +1 with this probability, else -1 */
};

/* One benchmark in one stage. */
struct noise_stage {
	const struct noise *model;
	uint64_t key;
	size_t m, blocks;
	double log_ratio; /* true candidate / baseline */
	double ar;	  /* present value */
	double layout[NOISE_LAYOUTS_MAX];
	/* so many matched process pairs, which take turns at the pairs; 0: a fresh one a block */
	size_t processes;
	double process[NOISE_PAIRS_MAX];
};

/* m odd, at most NOISE_PAIRS_MAX; processes at most NOISE_PAIRS_MAX. */
void noise_stage__init(struct noise_stage *s, const struct noise *model, uint64_t key, size_t m,
		       double log_ratio, size_t processes);

/* The ratio of the next block. */
double noise_block(struct noise_stage *s);

/* The models that the specification names; NULL when there is none of that name. */
const struct noise *noise_find(const char *name);
