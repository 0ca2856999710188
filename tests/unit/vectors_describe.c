/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <float.h>
#include <math.h>
#include "stats/describe.h"
#include "stats/moments.h"
#include "stats/prng.h"
#include "stats/serial.h"

static double scratch[VECTOR_N_MAX];

static void check_member(const struct vector *v, const char *key, double got)
{
	vector_close(v, key, got, vector_get(v->out, key), 1e-12, 1e-15);
}

static void check_members(const struct vector *v, const struct description *d)
{
	check_member(v, "min", d->min);
	check_member(v, "max", d->max);
	check_member(v, "mean", d->mean);
	check_member(v, "sd", d->sd);
	check_member(v, "median", d->median);
	check_member(v, "p25", d->p25);
	check_member(v, "p75", d->p75);
	check_member(v, "p90", d->p90);
	check_member(v, "p99", d->p99);
	check_member(v, "p999", d->p999);
	check_member(v, "iqr", d->iqr);
	check_member(v, "mad", d->mad);
	check_member(v, "concentration", d->concentration);
	check_member(v, "outlier_max_ratio", d->outlier_max_ratio);
	vector_same_count(v, "outlier_count", d->outlier_count);
	vector_same_count(v, "n", d->n);
}

void check_g_describe(const struct vector *v)
{
	struct description d;
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	enum stats_error e = describe(x, n, scratch, &d);

	free(x);
	if (!vector_refused(v, e))
		check_members(v, &d);
}

void check_g_quantile(const struct vector *v)
{
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n), got = NAN;
	enum stats_error e = quantile_of(x, n, vector_get(v->in, "p"), scratch, &got);

	free(x);
	if (!vector_refused(v, e))
		vector_close(v, "q", got, vector_get(v->out, "q"), 1e-13, 0);
}
