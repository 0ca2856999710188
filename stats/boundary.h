/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The exact group-sequential boundary of the sign test, looked at after every
 * observation, and its operating characteristic.
 *   A_n = alpha (n/N)^rho is the error that may be spent by look n. u_n is the least u with
 *   sum_{s>=u} d(s) <= A_n - spent, d the mass of S_n over paths that have not stopped (p = 1/2).
 * Valid for independent blocks, every p <= 1/2, at any stopping time; ties only lower the error.
 * Lan, DeMets 1983 (spending an error), exact instead of by a Brownian motion.
 */
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define BOUNDARY_N_MAX 4096

/*
 * Fills reject_at[i] for look i+1 (i = 0..n_max-1): reject when at least so many successes;
 * i+2 (one more than possible) means that the look cannot reject.
 * 1 <= n_max <= BOUNDARY_N_MAX, 0 < alpha < 1, rho > 0; else RANGE.
 * scratch: n_max + 2 doubles. O(n_max^2).
 */
enum stats_error boundary_compute(size_t n_max, double alpha, double rho, uint32_t *reject_at,
				  double *scratch);

/* The same looked at after looks[0..n_looks) only, strictly rising within 1..n_max; else RANGE. */
enum stats_error boundary_compute_looks(size_t n_max, double alpha, double rho,
					const uint32_t *looks, size_t n_looks, uint32_t *reject_at,
					double *scratch);

/* Rank k_n of look n (1-based): the interval is [x_(k), x_(n+1-k)]; 0 = no bound yet. */
static inline size_t boundary_rank(const uint32_t *reject_at, size_t n)
{
	return n + 1 - reject_at[n - 1];
}

/* First look with a rank >= 1; 0 when none has. O(n_max). */
size_t boundary_first(const uint32_t *reject_at, size_t n_max);

struct operating {
	double slower, not_slower, undecided; /* probabilities, sum 1 */
	double expected_blocks;
};

/*
 * Exact operating characteristic of one stage without ties: `u` says slower, `l` latches not
 * slower (successes of the complement), the stage ends at the first of both or at n_max.
 * With `l` NULL nothing latches. p = P(ratio > limit) in [0, 1], else RANGE. O(n_max^2).
 * scratch: 2 (n_max + 2) doubles.
 */
enum stats_error boundary_operating(size_t n_max, const uint32_t *u, const uint32_t *l, double p,
				    double *scratch, struct operating *ret);

/*
 * Smallest p at which one stage says slower with probability `power` (by bisection to 1e-9).
 * With `l` NULL the latch is ignored. Errors: RANGE. scratch: 2 (n_max + 2) doubles. About 30 times
 * boundary_operating.
 */
enum stats_error boundary_needed_p(size_t n_max, const uint32_t *u, const uint32_t *l, double power,
				   double *scratch, double *ret);
