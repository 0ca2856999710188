/* SPDX-License-Identifier: BSD-2-Clause */
#include "moments.h"

#include <math.h>

/* Halves keep the difference of two finite doubles finite. */
static double half_difference(double a, double b)
{
	return a / 2 - b / 2;
}

static double largest_difference(const double *x, size_t n)
{
	double largest = 0;

	for (size_t i = 1; i < n; i++)
		largest = fmax(largest, fabs(half_difference(x[i], x[0])));
	return largest;
}

struct moments moments_of(const double *x, size_t n)
{
	struct moments m = {x[0], n > 1 ? 0 : NAN};
	double scale = largest_difference(x, n), mean = 0, squares = 0;

	if (scale == 0)
		return m;
	for (size_t i = 0; i < n; i++)
		mean += half_difference(x[i], x[0]) / scale;
	mean /= (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = half_difference(x[i], x[0]) / scale - mean;

		squares += d * d;
	}
	m.mean = 2 * (x[0] / 2 + scale * mean);
	m.sd = 2 * (scale * sqrt(squares / (double)(n - 1)));
	return m;
}
