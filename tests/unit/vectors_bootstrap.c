/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/bootstrap.h"
#include "stats/prng.h"

#define RESAMPLES_MAX 100000

static double scratch[VECTOR_N_MAX + RESAMPLES_MAX];

/* The quantile of the exact distribution lies where any seed must. */
static void check_ideal(const struct vector *v, const char *lo, const char *ideal, const char *hi)
{
	double at = vector_get(v->out, ideal);

	assert_true(vector_get(v->out, lo) <= at && at <= vector_get(v->out, hi));
}

static void check_spec(const struct vector *v, const double *x, size_t n)
{
	const cJSON *spec = vector_item(v->out, "spec_prng");
	uint64_t key = prng_key(vector_u64(vector_item(spec, "seed")), vector_text(spec, "label"));
	struct bootstrap_interval r;

	assert_int_equal(bootstrap_median(x, n, vector_get(v->in, "conf"),
					  vector_count(v->in, "resamples"), key, scratch, &r),
			 STATS_OK);
	check_ideal(v, "lo_min", "lo_ideal", "lo_max");
	check_ideal(v, "hi_min", "hi_ideal", "hi_max");
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

void check_b_bootstrap_median(const struct vector *v)
{
	size_t n;
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	struct bootstrap_interval r = {.median = 7};

	assert_true(vector_count(v->in, "resamples") <= RESAMPLES_MAX);
	if (v->error) {
		(void)vector_refused(v, bootstrap_median(x, n, vector_get(v->in, "conf"),
							 vector_count(v->in, "resamples"), 1,
							 scratch, &r));
		assert_true(r.median == 7);
	} else {
		check_spec(v, x, n);
		check_any_seed(v, x, n);
	}
	free(x);
}
