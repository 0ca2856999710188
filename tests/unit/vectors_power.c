/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/power.h"

void check_i_power_sign(const struct vector *v)
{
	struct sign_power r;

	if (vector_refused(v, power_sign(vector_count(v->in, "n"), vector_get(v->in, "alpha"),
					 vector_get(v->in, "power"), vector_get(v->in, "s"),
					 vector_get(v->in, "limit"), &r)))
		return;
	vector_same_count(v, "c", r.c);
	vector_close(v, "p", r.p, vector_get(v->out, "p"), 1e-8, 0);
	vector_close(v, "delta", r.delta, vector_get(v->out, "delta"), 1e-8, 0);
	vector_close(v, "mde", r.mde_ratio, vector_get(v->out, "mde_ratio"), 1e-8, 0);
	if (r.c > 0)
		vector_close(v, "attained", r.attained_alpha, vector_get(v->out, "attained_alpha"),
			     1e-8, 0);
}

void check_i_power_t(const struct vector *v)
{
	struct t_power r;

	if (vector_refused(v, power_t(vector_count(v->in, "n"), vector_get(v->in, "alpha"),
				      vector_get(v->in, "power"), vector_get(v->in, "s"),
				      vector_get(v->in, "limit"), &r)))
		return;
	vector_close(v, "exact", r.d_exact, vector_get(v->out, "d_exact"), 1e-6, 0);
	vector_close(v, "d", r.d_approx, vector_get(v->out, "d_approx"), 1e-9, 0);
	vector_close(v, "mde", r.mde_ratio_approx, vector_get(v->out, "mde_ratio_approx"), 1e-9, 0);
}
