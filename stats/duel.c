/* SPDX-License-Identifier: BSD-2-Clause */
#include "duel.h"

#include <math.h>
#include <stdbool.h>
#include "median.h"
#include "sort.h"

static enum stats_error check(const double *ratios, size_t n, double limit, const size_t *looks,
			      size_t n_looks)
{
	if (n == 0)
		return STATS_EMPTY;
	if (!all_finite(ratios, n))
		return STATS_NONFINITE;
	for (size_t i = 0; i < n; i++)
		if (ratios[i] <= 0)
			return STATS_NONPOSITIVE;
	if (!(limit >= 1) || !isfinite(limit))
		return STATS_MARGIN;
	for (size_t i = 0; i < n_looks; i++)
		if (looks[i] < 1 || (i > 0 && looks[i] <= looks[i - 1]))
			return STATS_RANGE;
	return n_looks > 0 ? STATS_OK : STATS_RANGE;
}

/* A withheld interval is NaN and settles nothing. */
static enum stage_verdict compare(const struct median_interval *interval, double limit)
{
	if (interval->lo > limit)
		return STAGE_SLOWER;
	if (interval->hi < 1 / limit)
		return STAGE_FASTER;
	return interval->hi <= limit ? STAGE_SAME : STAGE_OPEN;
}

enum stats_error duel_measure(const double *ratios, size_t n, double limit, double conf,
			      const size_t *looks, size_t n_looks, double *scratch,
			      struct duel_measurement *ret)
{
	struct duel_measurement r = {STAGE_OPEN, 0, NAN, NAN, NAN, NAN};
	enum stats_error e = check(ratios, n, limit, looks, n_looks);

	if (!e && !(conf > 0 && conf < 1))
		e = STATS_RANGE;
	if (e)
		return e;
	for (size_t i = 0; i < n_looks && looks[i] <= n && r.verdict == STAGE_OPEN; i++) {
		struct median_interval at;

		(void)median_interval(ratios, looks[i], conf, INTERVAL_TWO, scratch,
				      &at); /* checked */
		r.pairs = looks[i];
		r.ratio = at.median;
		r.lo = at.lo;
		r.hi = at.hi;
		r.attained = at.attained;
		r.verdict = compare(&at, limit);
	}
	if (r.verdict == STAGE_OPEN && r.pairs == looks[n_looks - 1])
		r.verdict = STAGE_UNDECIDED;
	*ret = r;
	return STATS_OK;
}

struct tally {
	uint64_t slower;
	bool all_undecided;
	bool any; /* some metric slower, none same or faster */
};

static struct tally tally_of(const enum stage_verdict *verdicts, size_t n_metrics)
{
	struct tally t = {0, true, true};

	for (size_t j = 0; j < n_metrics; j++) {
		if (verdicts[j] == STAGE_SLOWER)
			t.slower |= (uint64_t)1 << j;
		if (verdicts[j] != STAGE_UNDECIDED)
			t.all_undecided = false;
		if (verdicts[j] == STAGE_SAME || verdicts[j] == STAGE_FASTER)
			t.any = false;
	}
	t.any = t.any && t.slower;
	return t;
}

static enum duel_result settle(const struct duel_chain *r, bool any)
{
	if (!r->metrics && !any)
		return r->counted == 1 ? DUEL_PASS : DUEL_CLEARED;
	if (r->metrics && r->counted > DUEL_CONFIRMATIONS)
		return DUEL_REGRESSED;
	/* any metric may be the slower one, which takes one measurement more to make up for */
	if (any && r->counted > DUEL_CONFIRMATIONS + 1)
		return DUEL_REGRESSED_ANY;
	return DUEL_OPEN;
}

enum stats_error duel_chain(const enum stage_verdict *verdicts, size_t n, size_t n_metrics,
			    struct duel_chain *ret)
{
	struct duel_chain r = {DUEL_OPEN, 0, 0, UINT64_MAX};
	bool any = true;

	if (n_metrics < 1 || n_metrics > DUEL_METRICS_MAX)
		return STATS_RANGE;
	for (size_t i = 0; i < n && r.result == DUEL_OPEN; i++) {
		struct tally t = tally_of(verdicts + i * n_metrics, n_metrics);

		r.measurements++;
		if (i > 0 && t.all_undecided) {
			if (r.measurements - r.counted > DUEL_REPLACEMENTS_MAX)
				r.result = DUEL_UNDECIDED;
			continue;
		}
		r.counted++;
		r.metrics &= t.slower;
		any = any && t.any;
		r.result = settle(&r, any);
	}
	if (r.result != DUEL_REGRESSED)
		r.metrics = 0;
	*ret = r;
	return STATS_OK;
}
