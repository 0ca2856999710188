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

static double layout_median(const struct evidence *e, unsigned layout)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cnt; i++)
		if (e->blk[i]->layout == layout)
			e->x[n++] = judge_block_ratio(e->blk[i], e->id);
	return median_or_nan(e->x, n, e->scratch);
}

bool layouts_agree(const struct evidence *e)
{
	for (size_t i = 0; i < e->cnt; i++)
		if (is_first(e, i) && !(layout_median(e, e->blk[i]->layout) > e->m->limit))
			return false;
	return true;
}
