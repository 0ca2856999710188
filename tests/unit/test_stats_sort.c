/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include "stats/prng.h"
#include "stats/sort.h"

#define SAMPLE 1024
#define N_MAX  30000

static double x[N_MAX], sorted[N_MAX];

/* Between which ranks of a sample the k-th of n values is looked for; false: not by a sample. */
static bool sample_ranks(size_t n, size_t k, size_t *ret_lo, size_t *ret_hi)
{
	double share = (double)k / (double)n, at = SAMPLE * share;
	double away = 3 * sqrt(at * (1 - share)) + 2;

	if (n < 8 * SAMPLE || at < away || at + away > SAMPLE - 1)
		return false;
	*ret_lo = (size_t)(at - away);
	*ret_hi = (size_t)(at + away);
	return true;
}

/* What select_near is to find, by counting; n and 0 where ranks k and k + 1 are not all there. */
static size_t near(size_t n, size_t k, size_t *ret_below)
{
	double sample[SAMPLE];
	size_t lo, hi, below = 0, within = 0;

	*ret_below = 0;
	if (!sample_ranks(n, k, &lo, &hi))
		return n;
	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = x[i * (n / SAMPLE)];
	sort_doubles(sample, SAMPLE);
	for (size_t i = 0; i < n; i++) {
		below += x[i] < sample[lo];
		within += x[i] >= sample[lo] && x[i] <= sample[hi];
	}
	if (k < below || k + 1 >= below + within)
		return n;
	*ret_below = below;
	return within;
}

static void check_near(size_t n, size_t k)
{
	size_t want_below, below = 7, want = near(n, k, &want_below);

	memcpy(sorted, x, n * sizeof(*x));
	sort_doubles(sorted, n);
	assert_int_equal(select_near(x, n, k, &below), want);
	assert_int_equal(below, want_below);
	sort_doubles(x, want); /* to the front come just the values of those ranks */
	assert_memory_equal(x, sorted + below, want * sizeof(*x));
	sort_doubles(x, n);
	assert_memory_equal(x, sorted, n * sizeof(*x));
}

/* At any rank, about the least size that is sampled, and with every remainder of eight. */
static void near_values_are_three_deviations_of_a_sample_apart(void **state)
{
	static const size_t sizes[] = {1, 5, 8190, 8191, 8192, 8193, 20006, 20015, 29996};

	(void)state;
	for (size_t i = 0; i < 9; i++)
		for (size_t part = 0; part < 64; part++) {
			size_t n = sizes[i];

			for (size_t j = 0; j < n; j++)
				x[j] = prng_double(part, j);
			check_near(n, part * (n - 1) / 63);
		}
}

/* Where near the ends sampling begins and ends. */
static void ranks_near_the_ends_are_not_sampled(void **state)
{
	const size_t n = 20480;
	size_t lo, hi, first = 0, last = n - 1, below;

	(void)state;
	while (!sample_ranks(n, first, &lo, &hi))
		first++;
	while (!sample_ranks(n, last, &lo, &hi))
		last--;
	assert_true(first > 0 && first < n / 2 && last > n / 2 && last < n - 1);
	for (size_t k = 0; k < 4; k++) {
		size_t at = k < 2 ? first - k : last + k - 2;

		for (size_t j = 0; j < n; j++)
			x[j] = (double)j;
		assert_int_equal(select_near(x, n, at, &below) < n, at >= first && at <= last);
	}
}

/* A sample of 0, 1, ...; of the rest so many below the bounds and so many within them. */
static void craft(size_t n, size_t lo, size_t hi, size_t below, size_t within)
{
	size_t stride = n / SAMPLE;

	below -= lo;
	within -= hi - lo + 1;
	for (size_t j = 0; j < n; j++)
		if (j % stride == 0) {
			x[j] = (double)(j / stride);
		} else if (below > 0) {
			x[j] = -1;
			below--;
		} else if (within > 0) {
			x[j] = (double)lo + 0.5;
			within--;
		} else {
			x[j] = n;
		}
}

/* A sample that misleads by a few ranks is noticed, and one that just does not is used. */
static void bounds_that_miss_a_rank_are_not_used(void **state)
{
	const size_t n = 8192, k = 4096, within = 200;
	size_t lo, hi, below;

	(void)state;
	assert_true(sample_ranks(n, k, &lo, &hi));
	for (size_t i = 0; i < 5; i++) {
		craft(n, lo, hi, k - 2 + i, within); /* k - 2 to k + 2 values below */
		check_near(n, k);
		craft(n, lo, hi, k - 2 + i, within);
		assert_int_equal(select_near(x, n, k, &below) < n, i <= 2);
		craft(n, lo, hi, k + i - within, within); /* k to k + 4 not above */
		check_near(n, k);
		craft(n, lo, hi, k + i - within, within);
		assert_int_equal(select_near(x, n, k, &below) < n, i >= 2);
	}
}

/* Few different values, both zeros among them: the order is total, whatever the algorithm. */
static void every_algorithm_has_the_same_order(void **state)
{
	static const double values[] = {-1, -0.0, 0.0, 1, INFINITY, -INFINITY};

	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		size_t n = 1 + i % 23, k = (size_t)prng_index(i, 99, n);
		double inserted[24], chosen;

		for (size_t j = 0; j < n; j++) {
			x[j] = values[prng_index(i, j, 6)];
			sort_insert(inserted, j, x[j]);
		}
		memcpy(sorted, x, n * sizeof(*x));
		sort_doubles(sorted, n);
		assert_memory_equal(inserted, sorted, n * sizeof(*x));
		chosen = select_double(x, n, k);
		assert_memory_equal(&chosen, &sorted[k], sizeof(chosen));
		assert_memory_equal(&x[k], &sorted[k], sizeof(chosen));
		sort_doubles(x, k);
		sort_doubles(x + k, n - k);
		assert_memory_equal(x, sorted, n * sizeof(*x));
	}
}

static void only_finite_values_are_finite(void **state)
{
	double v[] = {1, 2, NAN};

	(void)state;
	assert_true(all_finite(v, 2) && all_finite(v, 0) && !all_finite(v, 3));
	assert_true(!all_finite(v + 2, 1));
	v[2] = -INFINITY;
	assert_false(all_finite(v, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_values_are_three_deviations_of_a_sample_apart),
		cmocka_unit_test(ranks_near_the_ends_are_not_sampled),
		cmocka_unit_test(bounds_that_miss_a_rank_are_not_used),
		cmocka_unit_test(every_algorithm_has_the_same_order),
		cmocka_unit_test(only_finite_values_are_finite),
	};

	return cmocka_run_group_tests_name("stats/sort", tests, NULL, NULL);
}
