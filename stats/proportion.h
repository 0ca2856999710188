/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Upper bound of a binomial probability (Clopper and Pearson 1934): the p at which so few as x of n
 * would come with probability 1 - conf, P(X <= x) = 1 - I_p(x + 1, n - x). Covers at least conf.
 * x = n: 1. x = 0: 1 - (1 - conf)^(1/n). By bisection to 1e-15.
 */
#include <stddef.h>
#include "error.h"

/* x <= n, n >= 1, conf in (0, 1); else RANGE. */
enum stats_error proportion_upper(size_t x, size_t n, double conf, double *ret);
