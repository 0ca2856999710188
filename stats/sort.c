/* SPDX-License-Identifier: BSD-2-Clause */
#include "sort.h"

#include <math.h>
#include <string.h>
#include "lanes.h"

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

static void put_in_order(double *a, double *b)
{
	if (precedes(*b, *a))
		swap_doubles(a, b);
}

/* Hoare's partition about the middle of three; returns the last index of the lower part. */
static size_t partition(double *x, size_t n)
{
	size_t mid = (n - 1) / 2, i = 0, j = n - 1;
	double pivot;

	put_in_order(&x[0], &x[mid]);
	put_in_order(&x[mid], &x[n - 1]);
	put_in_order(&x[0], &x[mid]);
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

#define SAMPLE	   1024
#define SAMPLED_AT 8 /* times SAMPLE */

/*
 * Bounds between which ranks k and k + 1 are: those of a sample of every so many-th value, three
 * standard deviations of the sample's rank apart from it.
 */
static bool sample_bounds(const double *x, size_t n, size_t k, double *ret_lo, double *ret_hi)
{
	double sample[SAMPLE], share = (double)k / (double)n;
	double at = share * SAMPLE, away = 3 * sqrt(SAMPLE * share * (1 - share)) + 2;
	size_t lo, hi;

	if (at - away < 0 || at + away > SAMPLE - 1)
		return false;
	lo = (size_t)(at - away);
	hi = (size_t)(at + away);
	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = x[i * (n / SAMPLE)];
	*ret_lo = select_double(sample, SAMPLE, lo);
	*ret_hi = select_double(sample + lo, SAMPLE - lo, hi - lo);
	return true;
}

/* Whether any of x[0..8) is within [lo, hi]; adds to `below` those less than lo. */
static inline __attribute__((always_inline)) bool any_between(const double *x, lanes lo, lanes hi,
							      lane_masks *below)
{
	const loose_lanes *v = (const loose_lanes *)x;
	lane_masks any = {0};

	FOR_EACH_LANES(i, 8 / LANES)
	{
		lane_masks less = v[i] < lo;

		*below -= less;
		any |= ~less & (v[i] <= hi);
	}
	return any[0] | any[1];
}

/* Moves the values within [lo, hi] to the front; their number. */
static size_t gather_between(double *x, size_t n, double lo, double hi, size_t *ret_below)
{
	lanes los = {lo, lo}, his = {hi, hi};
	lane_masks below = {0};
	size_t kept = 0, i = 0, tail = 0;

	for (; i + 8 <= n; i += 8)
		if (any_between(x + i, los, his, &below))
			for (size_t j = i; j < i + 8; j++)
				if (x[j] >= lo && x[j] <= hi)
					swap_doubles(&x[kept++], &x[j]);
	for (; i < n; i++) {
		tail += x[i] < lo;
		if (x[i] >= lo && x[i] <= hi)
			swap_doubles(&x[kept++], &x[i]);
	}
	*ret_below = (size_t)(below[0] + below[1]) + tail;
	return kept;
}

size_t select_near(double *x, size_t n, size_t k, size_t *ret_below)
{
	double lo, hi;
	size_t kept;

	*ret_below = 0;
	if (n < SAMPLED_AT * SAMPLE || !sample_bounds(x, n, k, &lo, &hi))
		return n;
	kept = gather_between(x, n, lo, hi, ret_below);
	if (k >= *ret_below && k + 1 < *ret_below + kept)
		return kept;
	*ret_below = 0;
	return n;
}
