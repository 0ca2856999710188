/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Percentile bootstrap of the median: `resamples` times n draws with
 * replacement, draw i of resample r being word r n + i of the stream; the interval is between the
 * type-7 percentiles (1 - conf)/2 and 1 - (1 - conf)/2 of the medians. Its coverage falls short for
 * small n (n = 7 at 95 %: 87.5 %): reported, never gated on. O(resamples n).
 */
#include <stddef.h>
#include <stdint.h>
#include "error.h"

struct bootstrap_interval {
	double median, lo, hi;
};

/*
 * 0 < conf < 1, resamples >= 1; key from prng_key(seed, "median-bootstrap..."). scratch:
 * 3 n + resamples doubles. Errors: EMPTY, NONFINITE, RANGE.
 */
enum stats_error bootstrap_median(const double *x, size_t n, double conf, size_t resamples,
				  uint64_t key, double *scratch, struct bootstrap_interval *ret);
