/* SPDX-License-Identifier: BSD-2-Clause */
/* --prove-same: `same` is a claim then, not the lack of one. */
#include "judge_parts.h"

#include <math.h>
#include "levels.h"
#include "../../stats/tost.h"

void demand_equivalence(struct rec_metric *m, double margin, const double *r, size_t n,
			double *logs)
{
	struct tost t;

	m->equivalence.margin = margin;
	for (size_t i = 0; i < n; i++)
		logs[i] = log(r[i]);
	if (tost_judge(logs, n, margin, EQUAL_ALPHA, &t) == STATS_OK && !t.withheld) {
		m->equivalence.p = t.p;
		m->equivalence.lo = exp(t.lo);
		m->equivalence.hi = exp(t.hi);
		m->equivalence.shown = t.equivalent;
	}
	if (m->verdict != VERDICT_SAME || m->equivalence.shown)
		return;
	m->verdict = VERDICT_UNDECIDED;
	m->reason = REASON_NOT_PROVEN;
	m->not_confirmed = false;
}
