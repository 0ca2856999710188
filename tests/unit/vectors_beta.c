/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/beta.h"

void check_j_betainc(const struct vector *v)
{
	double got = NAN;

	if (!vector_refused(v, beta_inc(vector_get(v->in, "x"), vector_get(v->in, "a"),
					vector_get(v->in, "b"), &got)))
		vector_close(v, "i", got, vector_get(v->out, "i"), 1e-10, 0);
}
