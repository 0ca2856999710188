/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "error.h"

/*
 * P(T > t), T = (Z + shift) / S noncentral t: Z standard normal, S = sqrt(chi-square_df / df).
 * It is the mean of Phi(shift - t S); by the trapezoidal rule over log S, where the density of S is
 * analytic and falls off fast, so that the rule converges geometrically. t and shift finite, df
 * positive and finite; else RANGE. About 12 digits to |shift| = 1000, 7 beyond;
 * O(sqrt(df) + min(|shift|, 1000)) evaluations.
 */
enum stats_error noncentral_upper(double t, double df, double shift, double *ret);

/* The shift for which it is p, 0 < p < 1; else RANGE. Bisection, about 50 times the above. */
enum stats_error noncentral_shift(double t, double df, double p, double *ret);
