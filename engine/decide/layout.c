/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspect.h"

#include <math.h>

/* Whether block i is the first of its layout. */
static bool is_first(const struct evidence *e, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (e->blk[k]->layout == e->blk[i]->layout)
			return false;
	return true;
}

size_t layouts_seen(const struct evidence *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cnt; i++)
		n += is_first(e, i);
	return n;
}

/* Whether the median of metric `id` over the blocks of this layout is above its limit. */
static bool is_above(const struct evidence *e, enum metric_id id, unsigned layout)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cnt; i++) {
		double r = e->blk[i]->layout == layout ? judge_block_ratio(e->blk[i], id) : NAN;

		if (isfinite(r))
			e->x[n++] = r;
	}
	return median_or_nan(e->x, n, e->scratch) > e->b->metric[id].limit;
}

bool layouts_agree(const struct evidence *e)
{
	for (size_t i = 0; i < e->cnt; i++)
		if (is_first(e, i) && !is_above(e, e->id, e->blk[i]->layout))
			return false;
	return true;
}

bool layouts_agree_by_any(const struct evidence *e, const bool by[static METRIC_CNT])
{
	for (size_t i = 0; i < e->cnt; i++) {
		bool above = !is_first(e, i);

		for (enum metric_id id = 0; id < METRIC_CNT && !above; id++)
			above = by[id] && is_above(e, id, e->blk[i]->layout);
		if (!above)
			return false;
	}
	return true;
}
