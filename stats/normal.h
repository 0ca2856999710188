/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "error.h"

/* Standard normal distribution function, by erfc. */
double normal_cdf(double x);

/* Its quantile: Wichura 1988, algorithm AS241 (PPND16), polished by one Newton step. p in (0,1). */
enum stats_error normal_quantile(double p, double *ret);
