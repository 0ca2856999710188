/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/beta.h"

void check_j_betainc(const struct vector *v)
{
	double got = NAN;

	assert_int_equal(beta_inc(vector_get(v->in, "x"), vector_get(v->in, "a"),
				  vector_get(v->in, "b"), &got),
			 STATS_OK);
	vector_close(v, "i", got, vector_get(v->out, "i"), 1e-10, 0);
}
