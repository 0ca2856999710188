/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "stats/boundary.h"
#include "stats/prng.h"
#include "stats/stage.h"

static uint32_t slower[VECTOR_N_MAX], latch[VECTOR_N_MAX];
static double scratch[2 * (VECTOR_N_MAX + 2)];

static const char *const names[] = {"open", "slower", "faster", "same", "undecided"};

static struct stage_rule rule_of(size_t n_max, double alpha, double rho, double beta,
				 double rho_beta)
{
	struct stage_rule rule = {n_max, 0, slower, latch};

	assert_int_equal(boundary_compute(n_max, alpha, rho, slower, scratch), STATS_OK);
	assert_int_equal(boundary_compute(n_max, beta, rho_beta, latch, scratch), STATS_OK);
	rule.n_min = boundary_first(slower, n_max);
	return rule;
}

static struct stage_rule vector_rule(const struct vector *v)
{
	return rule_of(vector_count(v->in, "n_max"), vector_get(v->in, "alpha"),
		       vector_get(v->in, "rho"), vector_get(v->in, "beta"),
		       vector_get(v->in, "rho_beta"));
}

static struct stage_result judge(const struct stage_rule *rule, const double *r, size_t n,
				 double limit)
{
	struct stage_result s;

	assert_int_equal(stage_judge(rule, r, n, limit, 1 / limit, scratch, &s), STATS_OK);
	return s;
}

static void check_common(const struct vector *v, const struct stage_result *s)
{
	vector_same_count(v, "blocks", s->blocks);
	vector_same_count(v, "s", s->s);
	vector_same_count(v, "f", s->f);
	vector_close(v, "lo", s->lo, vector_get(v->out, "lo"), 0, 0);
	vector_close(v, "hi", s->hi, vector_get(v->out, "hi"), 0, 0);
}

/* This group is the stage without `faster` and without a least number of blocks, in logs. */
void check_h_stage(const struct vector *v)
{
	struct stage_rule rule = vector_rule(v);
	struct stage_result s;
	size_t n;
	double *y = vector_doubles(vector_item(v->in, "y"), &n);
	const char *want = vector_text(v->out, "verdict");

	rule.n_min = 1;
	assert_int_equal(
		stage_judge(&rule, y, n, vector_get(v->in, "log_limit"), -DBL_MAX, scratch, &s),
		STATS_OK);
	free(y);
	vector_same_text(v, "verdict", names[s.verdict],
			 strcmp(want, "not-slower") == 0 ? "same" : want);
	check_common(v, &s);
}

void check_h_stage_rule(const struct vector *v)
{
	struct stage_rule rule = vector_rule(v);
	struct stage_result s;
	size_t n;
	double *r = vector_doubles(vector_item(v->in, "r"), &n);

	s = judge(&rule, r, n, vector_get(v->in, "limit"));
	free(r);
	vector_same_text(v, "verdict", names[s.verdict], vector_text(v->out, "verdict"));
	check_common(v, &s);
	vector_same_count(v, "g", s.g);
	vector_close(v, "median", s.median, vector_get(v->out, "median"), 0, 0);
	assert_int_equal(s.latched, vector_flag(v->out, "latched"));
}
