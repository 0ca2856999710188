/* SPDX-License-Identifier: BSD-2-Clause */
/* A precision floor: a verdict alone does not end a stage. */
#include "judge_parts.h"

#include <math.h>
#include <string.h>
#include "../../stats/boundary.h"
#include "../../stats/sort.h"

/* The interval that holds at all n together; false: none yet. scratch[0..n) is sorted. */
static bool interval(const struct stage_plan *plan, const double *sorted, size_t n, double *ret_lo,
		     double *ret_hi)
{
	size_t k = n ? boundary_rank(plan->u, n) : 0;

	if (k == 0 || 2 * k > n + 1)
		return false;
	*ret_lo = sorted[k - 1];
	*ret_hi = sorted[n - k];
	return true;
}

static bool is_precise(double lo, double hi, double precision)
{
	return log(hi / lo) / 2 <= log(precision);
}

bool is_imprecise(const struct stage_result *res, double precision)
{
	return !isnan(precision) && !is_precise(res->lo, res->hi, precision); /* so is NaN */
}

void demand_precision(const struct stage_plan *plan, double precision, const double *r, size_t n,
		      double *scratch, struct stage_result *res)
{
	size_t at = res->blocks;
	double lo, hi;

	if (res->verdict == STAGE_OPEN || at == 0)
		return;
	memcpy(scratch, r, at * sizeof(*r));
	sort_doubles(scratch, at);
	for (;; at++) {
		if (interval(plan, scratch, at, &lo, &hi) && is_precise(lo, hi, precision))
			break;
		if (at == n) {
			res->verdict = STAGE_OPEN;
			break;
		}
		sort_insert(scratch, at, r[at]);
	}
	res->blocks = at;
	res->median = sorted_median(scratch, at);
	if (interval(plan, scratch, at, &lo, &hi)) {
		res->lo = lo;
		res->hi = hi;
	}
}
