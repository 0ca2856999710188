/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/prng.h"
#include "stats/tost.h"

static const char *const verdicts[] = {"inconclusive", "slower", "faster"};

static void check_member(const struct vector *v, const char *key, double got)
{
	vector_close(v, key, got, vector_get(v->out, key), 1e-9, 0);
}

static void check_p(const struct vector *v, const char *key, double got)
{
	vector_close(v, key, got, vector_get(v->out, key), 1e-8, 1e-300);
}

static void check_members(const struct vector *v, const struct tost *r)
{
	check_member(v, "sd", r->sd);
	check_member(v, "se", r->se);
	check_member(v, "t1", r->t1);
	check_member(v, "t2", r->t2);
	check_p(v, "p1", r->p1);
	check_p(v, "p2", r->p2);
	check_p(v, "p", r->p);
	check_member(v, "lo", r->lo);
	check_member(v, "hi", r->hi);
	check_member(v, "sup_lo", r->sup_lo);
	check_member(v, "sup_hi", r->sup_hi);
	check_member(v, "ratio", exp(r->mean));
	check_member(v, "ratio_lo", exp(r->lo));
	check_member(v, "ratio_hi", exp(r->hi));
	assert_int_equal(r->equivalent, vector_flag(v->out, "equivalent"));
	vector_same_text(v, "superiority", verdicts[r->superiority],
			 vector_text(v->out, "superiority"));
}

void check_d_tost(const struct vector *v)
{
	struct tost r;
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	enum stats_error e =
		tost_judge(x, n, vector_get(v->in, "margin"), vector_get(v->in, "alpha"), &r);

	free(x);
	if (vector_refused(v, e))
		return;
	vector_same_count(v, "n", r.n);
	check_member(v, "mean", r.mean);
	assert_int_equal(r.withheld, vector_flag(v->out, "withheld"));
	if (!r.withheld)
		check_members(v, &r);
}
