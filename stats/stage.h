/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The stage rule and the run rule: pure functions of the block values.
 * The unit is the block. Values and limit are on one monotone scale; joust passes ratios.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define STAGES_MAX 8 /* as many as a rule can ask for (duel.h) */

enum stage_verdict { STAGE_OPEN, STAGE_SLOWER, STAGE_FASTER, STAGE_SAME, STAGE_UNDECIDED };

struct stage_rule {
	size_t n_max;	   /* N */
	size_t n_min;	   /* no `same` before n_min blocks */
	const uint32_t *u; /* boundary of slower and faster (alpha .01, rho 2), n_max entries */
	const uint32_t *l; /* boundary of "not slower" (beta .05, rho .5), n_max entries */
};

struct stage_result {
	enum stage_verdict verdict; /* OPEN when the data end before the stage does */
	size_t blocks;		    /* n at the stop, or all given */
	size_t s, g, f;		    /* ratio > limit, ratio < 1/limit, ratio < limit */
	bool latched;		    /* "not slower" was reached */
	double median;		    /* of the first `blocks` values */
	double lo, hi; /* [x_(k_n), x_(n+1-k_n)], 1 - 2 alpha at all n; NaN: no bound yet */
};

/*
 * Walks r[0..n) block by block; the latch is updated before the verdict is tested.
 *   slower: S_n >= u_n.  faster: G_n >= u_n.  same: latched, n >= n_min, median >= 1/limit.
 *   At n_max: same if latched, else undecided. Ties count for neither side; n counts them.
 * `inverse_limit` is 1/limit for ratios, -limit for logs (the caller computes it once).
 * Errors: EMPTY (n_max 0), NONFINITE. n = 0 gives OPEN. n > n_max: the surplus is not looked at.
 * scratch: n_max doubles. O(n^2) at worst, in practice O(n log n) a look with a running order.
 */
enum stats_error stage_judge(const struct stage_rule *rule, const double *r, size_t n, double limit,
			     double inverse_limit, double *scratch, struct stage_result *ret);

/* Whether half the interval is at most `precision`, a ratio above 1; never without an interval. */
bool stage_is_precise(const struct stage_result *s, double precision);

/*
 * A precision floor: `s`, what stage_judge() said of positive ratios r[0..n), n <= n_max, goes on from
 * its end, verdict and counts kept, until it is precise; OPEN with all n where it never is. That its
 * interval holds at every n pays for the choice of this one. scratch: n doubles. O(n^2) at worst.
 */
void stage_until_precise(const struct stage_rule *rule, double precision, const double *r, size_t n,
			 double *scratch, struct stage_result *s);

enum run_verdict {
	RUN_OPEN,      /* the next stage is needed */
	RUN_REGRESSED, /* slower in every stage */
	RUN_SAME,      /* stage 1 same, or a confirmation said same or faster ("not confirmed") */
	RUN_FASTER,    /* stage 1 faster */
	RUN_UNDECIDED, /* stage 1 undecided, or a confirmation undecided ("suspected") */
};

/*
 * The run rule over the verdicts of the stages finished so far, stages_needed in all (3).
 * n = number of verdicts given; a verdict STAGE_OPEN ends the walk with RUN_OPEN.
 */
enum run_verdict run_judge(const enum stage_verdict *stages, size_t n, size_t stages_needed);
