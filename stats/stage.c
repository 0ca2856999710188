/* SPDX-License-Identifier: BSD-2-Clause */
#include "stage.h"

#include <math.h>
#include <string.h>
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

/* False, and nothing set: there is no bound yet. */
static bool set_interval(const struct stage_rule *rule, const double *sorted,
			 struct stage_result *s)
{
	size_t n = s->blocks, k = n ? boundary_rank(rule->u, n) : 0;

	if (k == 0 || 2 * k > n + 1) /* with alpha >= 1/2 the ranks could cross */
		return false;
	s->lo = sorted[k - 1];
	s->hi = sorted[n - k];
	return true;
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
	(void)set_interval(rule, scratch, &s); /* NaN says the same */
	*ret = s;
	return STATS_OK;
}

bool stage_is_precise(const struct stage_result *s, double precision)
{
	return log(s->hi / s->lo) / 2 <= log(precision);
}

void stage_until_precise(const struct stage_rule *rule, double precision, const double *r, size_t n,
			 double *scratch, struct stage_result *s)
{
	if (s->verdict == STAGE_OPEN || s->blocks == 0)
		return;
	memcpy(scratch, r, s->blocks * sizeof(*r));
	sort_doubles(scratch, s->blocks);
	while (!set_interval(rule, scratch, s) || !stage_is_precise(s, precision)) {
		if (s->blocks == n) {
			s->verdict = STAGE_OPEN;
			break;
		}
		sort_insert(scratch, s->blocks, r[s->blocks]);
		s->blocks++;
	}
	s->median = sorted_median(scratch, s->blocks);
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
