/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A whole run over the simulator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/measure/run.h"
#include "engine/measure/simulator.h"

struct rig {
	struct record rec;
	struct simulator sim;
	struct run_options opt;
	int result;
	bool borrowed; /* the policy belongs to the test */
};

/* A quiet benchmark of 1 us: .5 % a slice. */
#define QUIET(bench_name, true_ratio)                                                              \
	{                                                                                          \
		.name = (bench_name), .ns = 1000, .ratio = (true_ratio), .sample_sd = .005         \
	}

static inline void rig_init(struct rig *rig, uint64_t seed, const struct sim_bench *benches,
			    size_t cnt)
{
	struct rec_bench *b;

	memset(rig, 0, sizeof(*rig));
	record__init(&rig->rec);
	rig->rec.seed = seed;
	for (size_t i = 0; i < cnt; i++)
		assert_int_equal(record__add_bench(&rig->rec, benches[i].name, &b), 0);
	simulator__init(&rig->sim, seed, benches, cnt);
	policy__init(&rig->opt.policy);
	rig->opt.max_time_s = NAN;
}

/* One prepared policy for many runs: its boundaries cost more than a short run. */
static inline void rig_borrow(struct rig *rig, const struct policy *p)
{
	rig->opt.policy = *p;
	rig->borrowed = true;
}

static inline void rig_run(struct rig *rig)
{
	if (!rig->borrowed)
		assert_int_equal(policy__prepare(&rig->opt.policy), 0);
	rig->result = run_measure(&rig->rec, &rig->sim.source, &rig->opt);
	judge_run(&rig->rec);
	/* whatever happened: nothing stays open behind the seam */
	assert_int_equal(rig->sim.blocks, rig->sim.ends);
}

static inline void rig_done(struct rig *rig)
{
	if (!rig->borrowed)
		policy__done(&rig->opt.policy);
	record__done(&rig->rec);
}

static inline size_t rig_blocks(const struct rec_bench *b, unsigned stage)
{
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		n += b->blocks[i].stage == stage && b->blocks[i].lost == REASON_NONE;
	return n;
}
