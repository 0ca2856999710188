/* SPDX-License-Identifier: BSD-2-Clause */
#include "sort.h"

#include <math.h>
#include <string.h>

static bool precedes(double a, double b)
{
	return a < b || (a == b && signbit(a) && !signbit(b));
}

static void sift_down(double *x, size_t root, size_t n)
{
	double v = x[root];
	size_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && precedes(x[child], x[child + 1]))
			child++;
		if (!precedes(v, x[child]))
			break;
		x[root] = x[child];
		root = child;
	}
	x[root] = v;
}

void sort_doubles(double *x, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(x, i, n);
	for (size_t last = n; last-- > 1;) {
		double top = x[0];

		x[0] = x[last];
		x[last] = top;
		sift_down(x, 0, last);
	}
}

void sort_insert(double *x, size_t n, double v)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (precedes(v, x[mid]))
			hi = mid;
		else
			lo = mid + 1;
	}
	memmove(x + lo + 1, x + lo, (n - lo) * sizeof(*x));
	x[lo] = v;
}

double sorted_median(const double *x, size_t n)
{
	double a = x[(n - 1) / 2], b = x[n / 2], sum = a + b;

	if (n % 2)
		return b;
	return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

bool all_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

static void swap_doubles(double *a, double *b)
{
	double held = *a;

	*a = *b;
	*b = held;
}

/* Hoare's partition about the middle of three; returns the last index of the lower part. */
static size_t partition(double *x, size_t n)
{
	size_t mid = (n - 1) / 2, i = 0, j = n - 1;
	double pivot;

	if (precedes(x[mid], x[0]))
		swap_doubles(&x[mid], &x[0]);
	if (precedes(x[n - 1], x[mid]))
		swap_doubles(&x[n - 1], &x[mid]);
	if (precedes(x[mid], x[0]))
		swap_doubles(&x[mid], &x[0]);
	pivot = x[mid];
	for (;; i++, j--) {
		while (precedes(x[i], pivot))
			i++;
		while (precedes(pivot, x[j]))
			j--;
		if (i >= j)
			return j;
		swap_doubles(&x[i], &x[j]);
	}
}

double select_double(double *x, size_t n, size_t k)
{
	while (n > 1) {
		size_t lower = partition(x, n) + 1;

		if (k < lower) {
			n = lower;
		} else {
			x += lower;
			n -= lower;
			k -= lower;
		}
	}
	return x[0];
}
