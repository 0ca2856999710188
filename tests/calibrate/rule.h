/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The rule of three stages over simulated blocks: the kernels of stats/ and nothing of the engine. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "noise.h"
#include "stats/stage.h"

#define RULE_STAGES 3
#define RULE_N_MAX  120

/* Not to be copied: `rule` points into the object itself. */
struct stage_boundary {
	uint32_t u[RULE_N_MAX], l[RULE_N_MAX];
	struct stage_rule rule;
};

struct three_stages {
	struct stage_boundary first, later; /* N = 60; 120 */
	double limit, inverse_limit;
	size_t m; /* pairs a block */
	size_t stages_needed;
};

enum rule_form {
	RULE_WHOLE, /* as joust judges */
	RULE_PLAIN, /* no `faster`, and no least number of blocks: tables 5 and 6 */
};

void three_stages__init(struct three_stages *r, enum rule_form form, double limit, size_t m);

struct outcome {
	enum run_verdict verdict;
	struct stage_result first, shown; /* of stage 1 and of the last stage run */
	uint64_t blocks;		  /* of all stages */
};

/* Judges one stage on fresh blocks; r receives its values (n_max of them fit). */
void stage_run(const struct three_stages *r, const struct stage_boundary *stage,
	       struct noise_stage *noise, double *values, struct stage_result *ret);

/* Stage after stage, each with a key of its own made from `key`. */
void three_stages_run(const struct three_stages *r, const struct noise *model, double ratio,
		      uint64_t key, struct outcome *ret);
