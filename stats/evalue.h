/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Evidence that may be looked at at any time and extended at will. With a
 * Beta(a, b) prior on p, cut to p > 1/2, after s blocks of n above the limit:
 *   E = 2^n [B(s+a, n-s+b) I_{1/2}(n-s+b, s+a)] / [B(a, b) I_{1/2}(b, a)].
 * For p <= 1/2, P(E >= 1/alpha at any n) <= alpha. E of independent runs multiply; of dependent
 * metrics they are averaged. joust uses a = 4, b = 2. Ville
 * 1939; Howard, Ramdas, McAuliffe, Sekhon 2021.
 */
#include <stddef.h>
#include "error.h"

/* Natural logarithm of E; s <= n, a and b positive and finite; else RANGE. O(sqrt(n)). */
enum stats_error evalue_log(size_t s, size_t n, double a, double b, double *ret);

/*
 * Rank of the interval [x_(k), x_(n+1-k)] that holds at all n together with 1 - 2 alpha:
 * k = n + 1 - min{s: E >= 1/alpha}; 0 = no bound yet. 0 < alpha < 1; else RANGE. O(sqrt(n) log n).
 */
enum stats_error evalue_rank(size_t n, double alpha, double a, double b, size_t *ret);
