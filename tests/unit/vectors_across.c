/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/across.h"
#include "stats/prng.h"

static double scratch[VECTOR_N_MAX];

static const char *const verdicts[] = {"too-few", "slower", "faster", "same", "undecided"};

void check_h_across(const struct vector *v)
{
	struct across r;
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "ratios"), &n);
	enum stats_error e =
		across_judge(x, n, vector_get(v->in, "margin"), vector_get(v->in, "conf"),
			     vector_count(v->in, "min_benchmarks"), scratch, &r);

	free(x);
	if (vector_refused(v, e))
		return;
	vector_same_text(v, "verdict", verdicts[r.verdict], vector_text(v->out, "verdict"));
	vector_close(v, "limit", r.limit, vector_get(v->out, "limit"), 0, 0);
	vector_close(v, "ratio", r.ratio, vector_get(v->out, "ratio"), 0, 0);
	vector_close(v, "lo", r.lo, vector_get(v->out, "lo"), 0, 0);
	vector_close(v, "hi", r.hi, vector_get(v->out, "hi"), 0, 0);
}
