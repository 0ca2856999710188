/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the files of the run loop share. run.c: stages and rounds; run_lane.c: how a benchmark
 * enters the run and leaves it; run_plan.c: what stage 0 is for; run_block.c: one block;
 * run_pairs.c: its pairs, and the gate.
 */
#include "run.h"

#define OPENS_LOST                                                                                 \
	3 /* so many times a host may spoil the opening, or the planning, of a benchmark */

/* A benchmark on its way through the run. */
struct lane {
	struct rec_bench *b;
	bool opened;		   /* close is due */
	bool planned;		   /* judge_plan was called */
	bool over;		   /* no more blocks, in no stage */
	bool in;		   /* takes blocks in this stage */
	unsigned kept;		   /* in this stage; the slot of the next block */
	unsigned lost;		   /* in this stage */
	unsigned killed[SIDE_CNT]; /* of those: by SIGKILL, which joust did not send */
	unsigned attempt;	   /* of the next block */
	unsigned turn;		   /* of the confirmation in which it takes blocks */
	double last_ns;		   /* end of its last block */
};

struct runner {
	struct record *rec;
	struct source *src;
	const struct run_options *opt;
	struct gate gate;
	struct lane *lanes;
	size_t cnt;
	uint32_t *order;
	double start_ns;
	unsigned stage, round, turn;
	enum reason stop; /* why no more blocks are taken; REASON_NONE: go on */
	int err;	  /* what run_measure returns */
};

/* --- run.c --- */

/* Of the source's clock. */
double run_now_ns(const struct runner *r);
double run_elapsed_s(const struct runner *r);

/* No more blocks are taken. The first reason and the first error stay. */
void run_stop(struct runner *r, enum reason why, int err);

/* The engine itself cannot go on; `why` is the message of the run. */
void run_stop_broken(struct runner *r, const char *why);

bool run_interrupted(const struct runner *r);

/* --- run_plan.c --- */

/* Whether blocks of stage 0 can change anything of the benchmark's plan. */
bool lane_can_plan(const struct runner *r, const struct lane *l);

/* After stage 0: fixes m and n by its blocks. */
void lane_plan_by_blocks(struct runner *r, struct lane *l);

/* --- run_lane.c --- */

/* Ends with an error of the benchmark alone, of the run, or with lane->opened and the plan. */
void lane_open(struct runner *r, struct lane *l);

/* What a status other than OK and LOST means for the benchmark and for the run. */
void lane_apply(struct runner *r, struct lane *l, enum source_status st);

void lane_ask_judge(struct runner *r, struct lane *l);

/*
 * What the sides computed must not differ. False: it does, and the benchmark has ended with both
 * digests and without a number. To be called before anything is timed and after every block.
 */
bool lane_check_digests(struct runner *r, struct lane *l);

/* Ends a benchmark before it is settled. */
void lane_close(struct runner *r, struct lane *l, enum reason why);

/* After the last block of all. */
void lane_finish(struct runner *r, struct lane *l);

/* --- run_pairs.c --- */

/* Of a block: m, or m of each size. */
size_t lane_pairs(const struct lane *l);

/*
 * All pairs of an open block, those that the gate rejects again and again. SOURCE_LOST, with the
 * reason in the block, where it keeps none.
 */
enum source_status lane_measure_pairs(struct runner *r, struct lane *l, struct rec_block *blk);

/* --- run_block.c --- */

/* A stage begins: l->in says whether the benchmark takes blocks in it. */
void lane_enter_stage(struct runner *r, struct lane *l);

void lane_take_block(struct runner *r, struct lane *l);

/* Whether it needs one more block in this stage. */
bool lane_wants_more(const struct runner *r, const struct lane *l);
