/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/normal.h"

void check_j_pnorm(const struct vector *v)
{
	double x = vector_get(v->in, "x");

	vector_close(v, "cdf", normal_cdf(x), vector_get(v->out, "cdf"), 1e-11, 0);
	vector_close(v, "sf", normal_cdf(-x), vector_get(v->out, "sf"), 1e-11, 0);
}

void check_j_qnorm(const struct vector *v)
{
	double got = 7;
	enum stats_error e = normal_quantile(vector_get(v->in, "p"), &got);

	vector_same_text(v, "error", stats_error_name(e), v->error ? v->error : "ok");
	vector_close(v, "q", got, v->error ? 7 : vector_get(v->out, "q"), 1e-12, 1e-15);
}
