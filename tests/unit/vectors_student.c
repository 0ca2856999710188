/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/normal.h"
#include "stats/student.h"

void check_j_pt(const struct vector *v)
{
	double t = vector_get(v->in, "t"), df = vector_get(v->in, "df");

	vector_close(v, "cdf", student_cdf(t, df), vector_get(v->out, "cdf"), 1e-10, 0);
	vector_close(v, "sf", student_cdf(-t, df), vector_get(v->out, "sf"), 1e-10, 0);
}

void check_j_qt(const struct vector *v)
{
	double got = NAN;
	enum stats_error e =
		student_quantile(vector_get(v->in, "p"), vector_get(v->in, "df"), &got);

	if (!vector_refused(v, e))
		vector_close(v, "q", got, vector_get(v->out, "q"), 1e-9, 0);
}
