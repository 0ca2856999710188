/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include "stats/bootstrap.h"
#include "stats/prng.h"

#define RESAMPLES 2000

static double scratch[RESAMPLES + 3000];

static void check_spec(const struct vector *v, const double *x, size_t n)
{
	const cJSON *spec = vector_item(v->out, "spec_prng");
	uint64_t key = prng_key(vector_u64(vector_item(spec, "seed")), vector_text(spec, "label"));
	struct bootstrap_interval r;

	assert_int_equal(bootstrap_median(x, n, vector_get(v->in, "conf"),
					  vector_count(v->in, "resamples"), key, scratch, &r),
			 STATS_OK);
	vector_close(v, "median", r.median, vector_get(v->out, "median"), 1e-12, 0);
	vector_close(v, "lo", r.lo, vector_get(spec, "lo"), 1e-12, 0);
	vector_close(v, "hi", r.hi, vector_get(spec, "hi"), 1e-12, 0);
}

static void check_any_seed(const struct vector *v, const double *x, size_t n)
{
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct bootstrap_interval r;

		assert_int_equal(bootstrap_median(x, n, vector_get(v->in, "conf"),
						  vector_count(v->in, "resamples"),
						  prng_key(seed, "any"), scratch, &r),
				 STATS_OK);
		assert_true(r.lo >= vector_get(v->out, "lo_min"));
		assert_true(r.lo <= vector_get(v->out, "lo_max"));
		assert_true(r.hi >= vector_get(v->out, "hi_min"));
		assert_true(r.hi <= vector_get(v->out, "hi_max"));
	}
}

static void check_bootstrap(const struct vector *v)
{
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	struct bootstrap_interval r = {.median = 7};

	if (v->error) {
		vector_same_text(v, "error",
				 stats_error_name(bootstrap_median(x, n, vector_get(v->in, "conf"),
								   10, 1, scratch, &r)),
				 v->error);
		assert_true(r.median == 7);
	} else {
		check_spec(v, x, n);
		check_any_seed(v, x, n);
	}
	free(x);
}

static void intervals_match_the_vectors(void **state)
{
	(void)state;
	vectors_each("b_bootstrap_median", check_bootstrap);
}

static void scale_and_reflection_carry_over(void **state)
{
	double x[15], y[15];
	struct bootstrap_interval a, b;

	(void)state;
	for (size_t i = 0; i < 15; i++) {
		x[i] = prng_double(1, i);
		y[i] = -4 * x[i];
	}
	assert_int_equal(bootstrap_median(x, 15, 0.9, 500, 3, scratch, &a), STATS_OK);
	assert_int_equal(bootstrap_median(y, 15, 0.9, 500, 3, scratch, &b), STATS_OK);
	assert_true(b.median == -4 * a.median);
	assert_true(fabs(b.lo + 4 * a.hi) < 1e-15 && fabs(b.hi + 4 * a.lo) < 1e-15);
}

static void probabilities_outside_the_domain_are_refused(void **state)
{
	double x[] = {1, 2};
	struct bootstrap_interval r = {.median = 7};

	(void)state;
	assert_int_equal(bootstrap_median(x, 2, 0, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, 1, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, NAN, 10, 1, scratch, &r), STATS_RANGE);
	assert_int_equal(bootstrap_median(x, 2, 0.9, 0, 1, scratch, &r), STATS_RANGE);
	assert_true(r.median == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_match_the_vectors),
		cmocka_unit_test(scale_and_reflection_carry_over),
		cmocka_unit_test(probabilities_outside_the_domain_are_refused),
	};

	return cmocka_run_group_tests_name("stats/bootstrap", tests, NULL, NULL);
}
