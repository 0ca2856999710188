/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Records made by hand: one pair a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/decide/judge.h"

struct bench_rig {
	struct record rec;
	struct rec_bench *b;
	struct policy p;
};

static inline void bench_init(struct bench_rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	record__init(&rig->rec);
	assert_int_equal(record__add_bench(&rig->rec, "a", &rig->b), 0);
	rig->b->n = rig->b->k = rig->b->m = 1;
	/* cpu alone is judged unless a test gives the others back */
	rig->b->metric[METRIC_CPU_TOTAL].missing = REASON_ONE_SLICE;
	rig->b->metric[METRIC_INSTRUCTIONS].missing = REASON_NO_PMU;
	policy__init(&rig->p);
}

static inline void bench_plan(struct bench_rig *rig)
{
	assert_int_equal(policy__prepare(&rig->p), 0);
	judge_plan(rig->b, &rig->p);
}

static inline void bench_done(struct bench_rig *rig)
{
	policy__done(&rig->p);
	record__done(&rig->rec);
}

static inline struct rec_block *add_block(struct rec_bench *b, unsigned stage, unsigned slot,
					  double ratio)
{
	struct rec_block *blk;

	assert_int_equal(record__add_block(b, &blk), 0);
	assert_int_equal(rec_block__reserve(blk, 1), 0);
	blk->stage = stage;
	blk->slot = slot;
	blk->pairs_cnt = 1;
	blk->pairs[0].half[SIDE_BASELINE].value[METRIC_CPU] = 100;
	blk->pairs[0].half[SIDE_CANDIDATE].value[METRIC_CPU] = 100 * ratio;
	return blk;
}

static inline void set_peaks(struct rec_block *blk, double base, double cand)
{
	blk->peak_bytes[SIDE_BASELINE] = base;
	blk->peak_bytes[SIDE_CANDIDATE] = cand;
}

/* Blocks of one ratio until the stage is over, as the run loop would take them. */
static inline void fill_stage(struct bench_rig *rig, unsigned stage, double ratio)
{
	for (unsigned slot = 0; judge_wants(rig->b) == stage; slot++) {
		add_block(rig->b, stage, slot, ratio);
		assert_int_equal(judge_bench(rig->b, &rig->p), 0);
	}
}
