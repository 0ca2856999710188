/* SPDX-License-Identifier: BSD-2-Clause */
#include "boundary.h"

#include <math.h>
#include <stdbool.h>

/* What exact equality of the budget and a tail may lose to rounding. */
#define SLACK 1e-15

/* d[s] = P(S = s) and still running, for s in 0..n-1, becomes the same after one more block. */
static void advance(double *d, size_t n, double p)
{
	d[n] = 0;
	for (size_t s = n; s > 0; s--)
		d[s] = d[s] * (1 - p) + d[s - 1] * p;
	d[0] *= 1 - p;
}

/* Stops the paths with from <= s < to; returns their mass. */
static double stop_paths(double *d, size_t from, size_t to)
{
	double mass = 0;

	for (size_t s = to; s-- > from;) {
		mass += d[s];
		d[s] = 0;
	}
	return mass;
}

static size_t least_rejecting(const double *d, size_t n, double budget)
{
	double tail = 0;
	size_t u = n + 1;

	while (u > 0 && tail + d[u - 1] <= budget)
		tail += d[--u];
	return u;
}

static enum stats_error check_plan(size_t n_max, double alpha, double rho)
{
	if (n_max < 1 || n_max > BOUNDARY_N_MAX)
		return STATS_RANGE;
	if (!(alpha > 0 && alpha < 1) || !(rho > 0) || !isfinite(rho))
		return STATS_RANGE;
	return STATS_OK;
}

static bool strictly_rising(const uint32_t *looks, size_t n_looks, size_t n_max)
{
	for (size_t i = 0; i < n_looks; i++)
		if (looks[i] < 1 || looks[i] > n_max || (i > 0 && looks[i] <= looks[i - 1]))
			return false;
	return true;
}

enum stats_error boundary_compute_looks(size_t n_max, double alpha, double rho,
					const uint32_t *looks, size_t n_looks, uint32_t *reject_at,
					double *scratch)
{
	double spent = 0;
	size_t next = 0;

	if (check_plan(n_max, alpha, rho) || (looks && !strictly_rising(looks, n_looks, n_max)))
		return STATS_RANGE;
	scratch[0] = 1;
	for (size_t n = 1; n <= n_max; n++) {
		double budget = alpha * pow((double)n / (double)n_max, rho) - spent + SLACK;
		bool look = !looks || (next < n_looks && looks[next] == n);
		size_t u = n + 1;

		advance(scratch, n, 0.5);
		if (look) {
			u = least_rejecting(scratch, n, budget);
			spent += stop_paths(scratch, u, n + 1);
			next++;
		}
		reject_at[n - 1] = (uint32_t)u;
	}
	return STATS_OK;
}

enum stats_error boundary_compute(size_t n_max, double alpha, double rho, uint32_t *reject_at,
				  double *scratch)
{
	return boundary_compute_looks(n_max, alpha, rho, NULL, 0, reject_at, scratch);
}

size_t boundary_first(const uint32_t *reject_at, size_t n_max)
{
	for (size_t n = 1; n <= n_max; n++)
		if (boundary_rank(reject_at, n) >= 1)
			return n;
	return 0;
}

enum stats_error boundary_operating(size_t n_max, const uint32_t *u, const uint32_t *l, double p,
				    double *scratch, struct operating *ret)
{
	struct operating r = {0};

	if (n_max < 1 || n_max > BOUNDARY_N_MAX || !(p >= 0 && p <= 1))
		return STATS_RANGE;
	scratch[0] = 1;
	for (size_t n = 1; n <= n_max; n++) {
		double slower, not_slower = 0;

		advance(scratch, n, p);
		slower = stop_paths(scratch, u[n - 1], n + 1);
		if (l && l[n - 1] <= n)
			not_slower = stop_paths(scratch, 0, n - l[n - 1] + 1);
		r.slower += slower;
		r.not_slower += not_slower;
		r.expected_blocks += (double)n * (slower + not_slower);
	}
	r.undecided = stop_paths(scratch, 0, n_max + 1);
	r.expected_blocks += (double)n_max * r.undecided;
	*ret = r;
	return STATS_OK;
}

enum stats_error boundary_needed_p(size_t n_max, const uint32_t *u, const uint32_t *l, double power,
				   double *scratch, double *ret)
{
	struct operating at;
	double lo = 0, hi = 1;

	if (!(power > 0 && power < 1) || boundary_operating(n_max, u, l, hi, scratch, &at) ||
	    at.slower < power)
		return STATS_RANGE;
	while (hi - lo > 1e-9) {
		double mid = (lo + hi) / 2;

		(void)boundary_operating(n_max, u, l, mid, scratch, &at); /* checked above */
		if (at.slower >= power)
			hi = mid;
		else
			lo = mid;
	}
	*ret = hi;
	return STATS_OK;
}
