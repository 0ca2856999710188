/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Regularized incomplete beta function I_x(a, b), by the continued fraction of DLMF 8.17.22 with
 * the leading factor in Loader's form (2000, "Fast and accurate computation of binomial
 * probabilities"), which keeps 12 digits where differences of lgamma would lose them.
 * O(sqrt(max(a, b))).
 */
#include "error.h"

/* 0 <= x <= 1, a and b positive and finite; else RANGE. */
enum stats_error beta_inc(double x, double a, double b, double *ret);

/* The same where the caller knows y = 1 - x better than the subtraction would; arguments unchecked. */
double beta_inc_xy(double x, double y, double a, double b);

/* x^a y^b / B(a, b); arguments unchecked, x and y positive. */
double beta_kernel_xy(double x, double y, double a, double b);

/* Logarithm of the integral of t^(a-1) (1-t)^(b-1) from 0 to x, which never underflows. As above. */
double beta_log_lower_xy(double x, double y, double a, double b);
