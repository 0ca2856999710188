/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * How much of a spread comes from what some of the values have in common: the variance between the
 * groups' medians, less what the values account for by themselves, a median of n normals varying by
 * pi / 2n of their variance. Groups of fewer than four values are passed over.
 */
#include <stddef.h>
#include "error.h"

#define GROUPS_LEAST	  3
#define GROUPS_VALUES_MIN 4

/*
 * y[0..n): values, y[i] of group[i]; numbers of groups that nobody is in cost a pass each. `variance`:
 * of the values. *ret is at least 0. scratch: 3 n doubles. Errors: RANGE (fewer than GROUPS_LEAST
 * groups count), NONFINITE. O(groups n).
 */
enum stats_error groups_variance(const double *y, const size_t *group, size_t n, double variance,
				 double *scratch, double *ret);
