/* SPDX-License-Identifier: BSD-2-Clause */
#include "groups.h"

#include <math.h>
#include "median.h"

static size_t members(const double *y, const size_t *group, size_t n, size_t which, double *ret)
{
	size_t cnt = 0;

	for (size_t i = 0; i < n; i++)
		if (group[i] == which)
			ret[cnt++] = y[i];
	return cnt;
}

enum stats_error groups_variance(const double *y, const size_t *group, size_t n, double variance,
				 double *scratch, double *ret)
{
	double *medians = scratch, *x = scratch + n, *sorted = scratch + 2 * n;
	double own = 0, spread;
	size_t groups = 0;
	enum stats_error e;

	for (size_t which = 0, left = n; left; which++) {
		size_t cnt = members(y, group, n, which, x);

		left -= cnt;
		if (cnt < GROUPS_VALUES_MIN)
			continue;
		e = median_of(x, cnt, sorted, &medians[groups]);
		if (e)
			return e;
		own += variance * M_PI / 2 / (double)cnt;
		groups++;
	}
	if (groups < GROUPS_LEAST)
		return STATS_RANGE;
	if (!isfinite(own)) /* of a NaN and 0 fmax would take the 0 */
		return STATS_NONFINITE;
	e = mad_of(medians, groups, sorted, &spread);
	if (!e)
		*ret = fmax(0, spread * spread - own / (double)groups);
	return e;
}
