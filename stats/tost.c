/* SPDX-License-Identifier: BSD-2-Clause */
#include "tost.h"

#include <math.h>
#include "moments.h"
#include "sort.h"
#include "student.h"

static enum stats_error check(const double *x, size_t n, double margin, double alpha)
{
	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(x, n))
		return STATS_NONFINITE;
	if (!(margin > 1) || !isfinite(margin))
		return STATS_MARGIN;
	return alpha > 0 && alpha < 0.5 ? STATS_OK : STATS_RANGE;
}

static double upper_p(double distance, double se, double df)
{
	if (se > 0)
		return student_cdf(-distance / se, df);
	return distance > 0 ? 0 : distance < 0 ? 1 : 0.5;
}

static double half_width(double confidence, double se, double df)
{
	double t;

	(void)student_quantile(0.5 + confidence / 2, df, &t); /* the caller has checked alpha */
	return se > 0 ? t * se : 0;
}

static void set_tests(struct tost *r, double limit, double df)
{
	r->t1 = r->se > 0 ? (r->mean + limit) / r->se : NAN;
	r->t2 = r->se > 0 ? (r->mean - limit) / r->se : NAN;
	r->p1 = upper_p(r->mean + limit, r->se, df);
	r->p2 = upper_p(limit - r->mean, r->se, df);
	r->p = fmax(r->p1, r->p2);
}

static void set_intervals(struct tost *r, double limit, double alpha, double df)
{
	double half = half_width(1 - 2 * alpha, r->se, df);

	r->lo = r->mean - half;
	r->hi = r->mean + half;
	r->equivalent = -limit <= r->lo && r->hi <= limit;
	half = half_width(1 - alpha, r->se, df);
	r->sup_lo = r->mean - half;
	r->sup_hi = r->mean + half;
	if (r->sup_lo > 0)
		r->superiority = SUPERIORITY_SLOWER;
	else if (r->sup_hi < 0)
		r->superiority = SUPERIORITY_FASTER;
}

enum stats_error tost_judge(const double *x, size_t n, double margin, double alpha,
			    struct tost *ret)
{
	struct tost r = {.n = n, .withheld = n < 2};
	enum stats_error e = check(x, n, margin, alpha);
	double limit = log(margin);
	struct moments m;

	if (e)
		return e;
	m = moments_of(x, n);
	r.mean = m.mean;
	r.sd = m.sd;
	if (!r.withheld) {
		r.se = m.sd / sqrt((double)n);
		set_tests(&r, limit, (double)(n - 1));
		set_intervals(&r, limit, alpha, (double)(n - 1));
	}
	*ret = r;
	return STATS_OK;
}
