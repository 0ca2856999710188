/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/prng.h"
#include "stats/trend.h"

static double scratch[2 * VECTOR_N_MAX];

static const char *const methods[] = {"none", "exact", "normal"};

static const char *const verdicts[] = {"unknown", "no-trend-detected", "trend"};

static void check_members(const struct vector *v, const struct trend *r)
{
	vector_close(v, "s", r->s, vector_get(v->out, "s"), 0, 0);
	vector_close(v, "tau", r->tau, vector_get(v->out, "tau"), 1e-10, 0);
	vector_close(v, "var_s", r->var_s, vector_get(v->out, "var_s"), 1e-10, 0);
	vector_close(v, "z", r->z, vector_get(v->out, "z"), 1e-10, 0);
	vector_close(v, "p", r->p, vector_get(v->out, "p"), 1e-8, 0);
	vector_close(v, "drift", r->drift, vector_get(v->out, "drift"), 1e-10, 0);
	vector_same_text(v, "method", methods[r->method], vector_text(v->out, "method"));
	vector_same_text(v, "trend", verdicts[r->verdict], vector_text(v->out, "trend"));
	vector_same_count(v, "n", r->n);
}

void check_f_kendall(const struct vector *v)
{
	struct trend r;
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	enum stats_error e = trend_test(x, n, vector_get(v->in, "alpha"),
					vector_get(v->in, "min_drift"), scratch, &r);

	free(x);
	if (!vector_refused(v, e))
		check_members(v, &r);
}
