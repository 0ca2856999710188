/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <math.h>
#include "levels.h"
#include "../../stats/median.h"

/* ret[0..result): log ratios of the pairs in which `first` was measured first. */
static size_t pairs_begun_by(const struct evidence *e, enum side first, double *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cnt; i++)
		for (size_t k = 0; k < e->blk[i]->pairs_cnt; k++) {
			const struct rec_pair *p = &e->blk[i]->pairs[k];
			double base = p->half[SIDE_BASELINE].value[e->id];
			double cand = p->half[SIDE_CANDIDATE].value[e->id];

			if (p->first == first && base > 0 && cand > 0)
				ret[n++] = log(cand / base);
		}
	return n;
}

static bool arm(const struct evidence *e, enum side first, struct median_interval *ret)
{
	size_t n = pairs_begun_by(e, first, e->x);

	return median_interval(e->x, n, ORDER_CONFIDENCE, INTERVAL_TWO, e->scratch, ret) ==
	       STATS_OK;
}

struct estimate order_effect(const struct evidence *e)
{
	struct estimate none = {NAN, NAN, NAN};
	struct median_interval ended, begun;

	/* what the candidate ended was begun by the baseline */
	if (!arm(e, SIDE_BASELINE, &ended) || !arm(e, SIDE_CANDIDATE, &begun))
		return none;
	return (struct estimate){
		.value = (ended.median - begun.median) / 2,
		.lo = (ended.lo - begun.hi) / 2,
		.hi = (ended.hi - begun.lo) / 2,
	};
}
