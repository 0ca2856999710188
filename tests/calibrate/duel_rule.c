/* SPDX-License-Identifier: BSD-2-Clause */
#include "duel_rule.h"

#include <math.h>
#include <stdlib.h>
#include "stats/duel.h"
#include "stats/prng.h"

#define PAIRS	     60
#define LOOKS	     6
#define MEASUREMENTS (1 + DUEL_CONFIRMATIONS + DUEL_REPLACEMENTS_MAX)

static const size_t looks[LOOKS] = {10, 20, 30, 40, 50, 60};

/* Pairs are drawn look by look: most measurements end early. */
static void measure(struct noise_stage *noise, double limit, struct duel_measurement *ret)
{
	double values[PAIRS], scratch[PAIRS];
	size_t n = 0;

	for (size_t i = 0; i < LOOKS; i++) {
		for (; n < looks[i]; n++)
			values[n] = noise_block(noise);
		if (duel_measure(values, n, limit, .99, looks, LOOKS, scratch, ret) != STATS_OK)
			abort();
		if (ret->verdict != STAGE_OPEN)
			return;
	}
}

void duel_run(const struct noise *model, double ratio, double limit, size_t processes, uint64_t key,
	      struct duel_outcome *ret)
{
	enum stage_verdict verdicts[MEASUREMENTS];
	struct duel_chain chain = {.result = DUEL_OPEN};

	*ret = (struct duel_outcome){0};
	for (size_t i = 0; i < MEASUREMENTS && chain.result == DUEL_OPEN; i++) {
		struct noise_stage noise;
		struct duel_measurement m;

		noise_stage__init(&noise, model, prng_u64(key, i), 1, log(ratio), processes);
		measure(&noise, limit, &m);
		verdicts[i] = m.verdict;
		ret->pairs += m.pairs;
		if (duel_chain(verdicts, i + 1, 1, &chain) != STATS_OK)
			abort();
	}
	ret->first_slower = verdicts[0] == STAGE_SLOWER;
	ret->regressed = chain.result == DUEL_REGRESSED;
}
