/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/evalue.h"

void check_h_evalue(const struct vector *v)
{
	double got = NAN;

	if (!vector_refused(v, evalue_log(vector_count(v->in, "s"), vector_count(v->in, "n"),
					  vector_get(v->in, "a"), vector_get(v->in, "b"), &got)))
		vector_close(v, "log_e", got, vector_get(v->out, "log_e"), 1e-9, 1e-9);
}

void check_h_conf_sequence(const struct vector *v)
{
	const cJSON *want;
	size_t n = 0;

	cJSON_ArrayForEach(want, vector_item(v->out, "ranks")) {
		size_t rank = 0;

		assert_int_equal(evalue_rank(++n, vector_get(v->in, "alpha"),
					     vector_get(v->in, "a"), vector_get(v->in, "b"), &rank),
				 STATS_OK);
		vector_close(v, "rank", (double)rank, want->valuedouble, 0, 0);
	}
	assert_int_equal(n, vector_count(v->in, "n_max"));
}
