/* SPDX-License-Identifier: BSD-2-Clause */
#include "rule.h"

#include <math.h>
#include <stdlib.h>
#include "stats/boundary.h"
#include "stats/prng.h"

/* The kernels refuse only what these programs never give; a refusal would make every row void. */
static void must(enum stats_error e)
{
	if (e != STATS_OK)
		abort();
}

static void boundary_init(struct stage_boundary *b, size_t n_max, enum rule_form form)
{
	double scratch[RULE_N_MAX + 2];

	must(boundary_compute(n_max, 0.01, 2, b->u, scratch));
	must(boundary_compute(n_max, 0.05, 0.5, b->l, scratch));
	b->rule = (struct stage_rule){n_max, 1, b->u, b->l};
	if (form == RULE_WHOLE)
		b->rule.n_min = boundary_first(b->u, n_max);
}

void three_stages__init(struct three_stages *r, enum rule_form form, double limit, size_t m)
{
	boundary_init(&r->first, RULE_N_MAX / 2, form);
	boundary_init(&r->later, RULE_N_MAX, form);
	r->limit = limit;
	r->inverse_limit = form == RULE_WHOLE ? 1 / limit : 0; /* no ratio is below 0 */
	r->m = m;
	r->stages_needed = RULE_STAGES;
}

/* Most stages end early: blocks are drawn when the kernel asks for more. */
void stage_run(const struct three_stages *r, const struct stage_boundary *stage,
	       struct noise_stage *noise, double *values, struct stage_result *ret)
{
	size_t n_max = stage->rule.n_max, n = 0;
	double scratch[RULE_N_MAX];

	for (size_t want = 16;; want *= 2) {
		for (; n < want && n < n_max; n++)
			values[n] = noise_block(noise);
		must(stage_judge(&stage->rule, values, n, r->limit, r->inverse_limit, scratch,
				 ret));
		if (ret->verdict != STAGE_OPEN)
			return;
	}
}

void three_stages_run(const struct three_stages *r, const struct noise *model, double ratio,
		      uint64_t key, struct outcome *ret)
{
	enum stage_verdict verdicts[STAGES_MAX];
	double values[RULE_N_MAX];
	struct noise_stage noise;

	ret->blocks = 0;
	ret->verdict = RUN_OPEN;
	for (size_t i = 0; ret->verdict == RUN_OPEN; i++) {
		noise_stage__init(&noise, model, prng_u64(key, i), r->m, log(ratio), 0);
		stage_run(r, i == 0 ? &r->first : &r->later, &noise, values, &ret->shown);
		if (i == 0)
			ret->first = ret->shown;
		ret->blocks += ret->shown.blocks;
		verdicts[i] = ret->shown.verdict;
		ret->verdict = run_judge(verdicts, i + 1, r->stages_needed);
	}
}
