/* SPDX-License-Identifier: BSD-2-Clause */
/* The same from within a worker: its benchmark fails when one led out. */
#include "escape.h"
#include "joust.h"

JOUST_BENCH(escape, "escape")
{
	size_t out = try_ways(NULL);

	if (out)
		joust_fail(b, "%zu ways led out", out);
	JOUST_LOOP(b)
		joust_keep(out);
}
