/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The in-process source: scripts program noise (for calibration) and faults (for tests). No clock is
 * read and no process started. Every value is a function of (seed, name, stage, slot, attempt, side,
 * pair, slice), so that the order of the calls and other benchmarks change nothing. Stream
 * "sim/NAME".
 */
#include <limits.h>
#include "gate.h"
#include "source.h"

/* A fault's stage: that of the blocks that are planned by. A fault of stage 0 happens in `open`. */
#define SIM_PLANNING (UINT_MAX - 1)

/* Moments of a block other than its pairs. */
#define SIM_AT_BLOCK (UINT_MAX - 1) /* the start of its processes */
#define SIM_AT_END   (UINT_MAX - 2)

/*
 * What happens at a given moment. In `open` when stage is 0 (slot and pair are not looked at, the
 * attempt is the number of opens before it), else in a block of this stage: at a pair,
 * or at SIM_AT_BLOCK or SIM_AT_END.
 */
struct sim_fault {
	const char *bench;		     /* NULL: any */
	unsigned stage, slot, attempt, pair; /* attempt 0 = first; UINT_MAX in any: any (a pair) */
	enum side side;			     /* SIDE_CNT: both */
	enum source_status status;
	enum reason reason;
	const char *detail;
};

enum sim_counter_failure {
	SIM_PMU_VANISHES,   /* pinned groups go into the error state: 0 bytes are read */
	SIM_PARTLY_RUNNING, /* shared with somebody: running for half of the time */
	SIM_OTHER_CORE,	    /* on cores of two types: the same, for another reason */
	SIM_NO_FILES, /* EMFILE at the nth of the 8 files of a block (1 = first), and from there on */
	SIM_ZEROS,    /* a counter that never counts */
	SIM_EVENTS_LOST, /* by the record of interference */
};

/* What the counters of a window do. Time is never touched by it. */
struct sim_counter_fault {
	const char *bench;	    /* NULL: any */
	unsigned stage, slot, pair; /* UINT_MAX: any */
	enum side side;		    /* SIDE_CNT: both */
	enum sim_counter_failure what;
	unsigned nth;
};

/* A benchmark's behaviour. All sd are of logs, relative (0.01 = 1 %). */
struct sim_bench {
	const char *name;
	double ns;			/* true time of an iteration of the baseline */
	double ratio;			/* true candidate / baseline */
	double stage_ratio[STAGES_MAX]; /* in stage i + 1 instead of `ratio`; 0: `ratio` */
	double sample_sd;		/* lognormal, per slice */
	double process_sd;		/* normal, per process: a side keeps it for a block */
	double process_mode;		/* +- this, fair coin, per process */
	double second_half; /* the half measured second of each pair takes (1 + this) times as long */
	double spike_p, spike_mean; /* a slice is spiked with probability p by exp(Exp(mean)) */
	double drift;		    /* over 120 blocks */
	double t2;		    /* so much times Student's t with 2 degrees, per slice */
	double wander_sd;	    /* of the ratio, from block to block: AR(1) */
	double wander_rho;	    /* its coefficient; 0: .68 */
	unsigned processes; /* so many processes of a side take turns at the blocks of a stage: what
			       must never be; 0: a fresh one a block */
	double warming; /* every worker takes so much longer at its last slice than at its first */
	double layout_sd;	       /* normal, per link of a side */
	unsigned layouts;	       /* so many links take turns at the blocks; 0: one */
	double rare_cost;	       /* every tenth slice of the candidate costs (1 + this), > -1 */
	double page_faults[SIDE_CNT];  /* per iteration */
	double instructions[SIDE_CNT]; /* per iteration; 0: the host has neither PMU nor BPF */
	/* a half is disturbed with this probability, and then takes (1 + disturbance) times as long */
	double disturbed_p[SIDE_CNT];
	double disturbance;
	gate_rules shows; /* by what a disturbed half can be told */
	const char *digest[SIDE_CNT];
	const char *late_digest[SIDE_CNT]; /* of the blocks; NULL: `digest` */
	size_t sizes_cnt;		   /* 0: it has no sizes */
	double sizes[SIZES_MAX];
	double exponent[SIDE_CNT]; /* time grows with this power of size / sizes[0] */
	size_t blocks_max;	   /* N of every stage, as for long benchmarks; 0: the policy's */
};

struct simulator {
	struct source source; /* first */
	uint64_t seed;
	const struct sim_bench *benches;
	size_t benches_cnt;
	const struct sim_fault *faults;
	size_t faults_cnt;
	const struct sim_counter_fault *counter_faults;
	size_t counter_faults_cnt;
	bool whole_ns;	 /* as a clock has it: libm's last bits differ between processors */
	double shift_sd; /* of the ratio of all benchmarks alike, new in every round */
	size_t k, m;	 /* 5 and 3; options.pairs goes before m */
	/* counts, for tests */
	size_t blocks, pairs, opens, stages, ends, closes;
	/* private */
	double process_level[SIDE_CNT]; /* of the open block */
	double clock_ns;		/* the sum of what was simulated */
};

void simulator__init(struct simulator *sim, uint64_t seed, const struct sim_bench *benches,
		     size_t benches_cnt);
