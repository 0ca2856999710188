/* SPDX-License-Identifier: BSD-2-Clause */
#include "proportion.h"
#include "beta.h"

#define STEPS 60 /* halvings of [0, 1] */

enum stats_error proportion_upper(size_t x, size_t n, double conf, double *ret)
{
	double lo = 0, hi = 1;

	if (n < 1 || x > n || !(conf > 0 && conf < 1))
		return STATS_RANGE;
	for (int i = 0; i < STEPS && x < n; i++) {
		double p = (lo + hi) / 2, more;
		enum stats_error err = beta_inc(p, (double)x + 1, (double)(n - x), &more);

		if (err != STATS_OK)
			return err;
		if (more < conf)
			lo = p;
		else
			hi = p;
	}
	*ret = hi;
	return STATS_OK;
}
