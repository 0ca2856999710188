/* SPDX-License-Identifier: BSD-2-Clause */
#include "values.h"

#include <math.h>
#include "../../stats/median.h"

static double slices_median(const double *x, size_t k)
{
	double scratch[SLICES_MAX], median;

	return median_of(x, k, scratch, &median) == STATS_OK ? median : NAN;
}

static double slices_total(const double *x, size_t k)
{
	double sum = 0;

	if (k < 2)
		return NAN;
	for (size_t i = 0; i < k; i++)
		sum += x[i];
	return sum;
}

void values_from_slices(struct rec_half *h, uint64_t n)
{
	size_t k = h->slices < SLICES_MAX ? h->slices : SLICES_MAX;
	double per = (double)n;

	h->value[METRIC_CPU] = slices_median(h->cpu_ns, k) / per;
	h->value[METRIC_WALL] = slices_median(h->wall_ns, k) / per;
	h->value[METRIC_CPU_TOTAL] = slices_total(h->cpu_ns, k) / (per * (double)k);
}
