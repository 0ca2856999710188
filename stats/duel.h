/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The rule of an earlier tool, for users who compare: a fixed-n interval
 * looked at several times, and a chain of whole measurements. Its interval is not corrected for
 * the looks: .88 % instead of .5 % a side.
 */
#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "stage.h"

#define DUEL_METRICS_MAX      64
#define DUEL_CONFIRMATIONS    3
#define DUEL_REPLACEMENTS_MAX 3

struct duel_measurement {
	enum stage_verdict verdict; /* OPEN when the data end before it settles or the last look */
	size_t pairs;		    /* of the last look taken; 0: none */
	double ratio, lo, hi, attained; /* NaN where there is none */
};

/*
 * Looks at the first looks[i] ratios: slower lo > limit, faster hi < 1/limit, same hi <= limit.
 * looks strictly rising from 1, limit >= 1, conf in (0, 1). scratch: n doubles.
 * Errors: EMPTY, NONFINITE, NONPOSITIVE, MARGIN, RANGE. O(n log n) a look.
 */
enum stats_error duel_measure(const double *ratios, size_t n, double limit, double conf,
			      const size_t *looks, size_t n_looks, double *scratch,
			      struct duel_measurement *ret);

enum duel_result {
	DUEL_OPEN,	    /* one more measurement is needed */
	DUEL_PASS,	    /* nothing slower at first */
	DUEL_CLEARED,	    /* a confirmation did not find it again */
	DUEL_UNDECIDED,	    /* replacements used up */
	DUEL_REGRESSED,	    /* one metric slower in all four */
	DUEL_REGRESSED_ANY, /* some metric slower and none same or faster, in all five */
};

struct duel_chain {
	enum duel_result result;
	size_t measurements, counted; /* looked at; of these not replaced */
	uint64_t metrics;	      /* bit j: metric j regressed */
};

/*
 * verdicts[i * n_metrics + j]: metric j of measurement i. A confirmation whose metrics are all
 * undecided is replaced. 1 <= n_metrics <= DUEL_METRICS_MAX, else RANGE. O(n n_metrics).
 */
enum stats_error duel_chain(const enum stage_verdict *verdicts, size_t n, size_t n_metrics,
			    struct duel_chain *ret);
