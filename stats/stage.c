/* SPDX-License-Identifier: BSD-2-Clause */
#include "stage.h"

#include <math.h>
#include "boundary.h"
#include "sort.h"

static void count(struct stage_result *s, double r, double limit, double inverse_limit)
{
	s->s += r > limit;
	s->g += r < inverse_limit;
	s->f += r < limit;
	s->blocks++;
}

static enum stage_verdict look(const struct stage_rule *rule, const struct stage_result *s,
			       double inverse_limit)
{
	size_t n = s->blocks;

	if (s->s >= rule->u[n - 1])
		return STAGE_SLOWER;
	if (s->g >= rule->u[n - 1])
		return STAGE_FASTER;
	if (s->latched && n >= rule->n_min && s->median >= inverse_limit)
		return STAGE_SAME;
	if (n < rule->n_max)
		return STAGE_OPEN;
	return s->latched ? STAGE_SAME : STAGE_UNDECIDED;
}

static void set_interval(const struct stage_rule *rule, const double *sorted,
			 struct stage_result *s)
{
	size_t n = s->blocks, k = n ? boundary_rank(rule->u, n) : 0;

	if (k == 0 || 2 * k > n + 1) /* with alpha >= 1/2 the ranks could cross */
		return;
	s->lo = sorted[k - 1];
	s->hi = sorted[n - k];
}

enum stats_error stage_judge(const struct stage_rule *rule, const double *r, size_t n, double limit,
			     double inverse_limit, double *scratch, struct stage_result *ret)
{
	struct stage_result s = {.median = NAN, .lo = NAN, .hi = NAN};
	size_t given = n < rule->n_max ? n : rule->n_max;

	if (rule->n_max == 0)
		return STATS_EMPTY;
	if (!isfinite(limit) || !isfinite(inverse_limit) || !all_finite(r, given))
		return STATS_NONFINITE;
	while (s.verdict == STAGE_OPEN && s.blocks < given) {
		double value = r[s.blocks];

		sort_insert(scratch, s.blocks, value);
		count(&s, value, limit, inverse_limit);
		s.median = sorted_median(scratch, s.blocks);
		s.latched = s.latched || s.f >= rule->l[s.blocks - 1];
		s.verdict = look(rule, &s, inverse_limit);
	}
	set_interval(rule, scratch, &s);
	*ret = s;
	return STATS_OK;
}

enum run_verdict run_judge(const enum stage_verdict *stages, size_t n, size_t stages_needed)
{
	for (size_t i = 0; i < n && i < stages_needed; i++) {
		switch (stages[i]) {
		case STAGE_SLOWER:
			break;
		case STAGE_OPEN:
			return RUN_OPEN;
		case STAGE_SAME:
			return RUN_SAME;
		case STAGE_FASTER:
			/* a confirmation takes the suspicion back; it never asked for an improvement */
			return i == 0 ? RUN_FASTER : RUN_SAME;
		case STAGE_UNDECIDED:
		default:
			return RUN_UNDECIDED;
		}
	}
	return n >= stages_needed && stages_needed > 0 ? RUN_REGRESSED : RUN_OPEN;
}
