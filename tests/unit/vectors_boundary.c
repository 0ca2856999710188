/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include "stats/boundary.h"

static uint32_t slower[BOUNDARY_N_MAX], latch[BOUNDARY_N_MAX];
static double scratch[2 * (BOUNDARY_N_MAX + 2)];

static size_t read_looks(const struct vector *v, uint32_t *looks)
{
	const cJSON *look;
	size_t n = 0;

	cJSON_ArrayForEach(look, vector_item(v->in, "looks"))
		if (n < VECTOR_N_MAX)
			looks[n++] = (uint32_t)look->valueint;
	return n;
}

void check_h_gs_bounds(const struct vector *v)
{
	size_t n_max = vector_count(v->in, "n_max"), i = 0;
	double alpha = vector_get(v->in, "alpha"), rho = vector_get(v->in, "rho");
	uint32_t looks[VECTOR_N_MAX];
	size_t n_looks = read_looks(v, looks);
	struct operating at;
	const cJSON *want;

	if (vector_refused(v, n_looks > 0 ? boundary_compute_looks(n_max, alpha, rho, looks,
								   n_looks, slower, scratch)
					  : boundary_compute(n_max, alpha, rho, slower, scratch)))
		return;
	cJSON_ArrayForEach(want, vector_item(v->out, "reject_at"))
		vector_close(v, "reject_at", slower[i++], want->valuedouble, 0, 0);
	assert_int_equal(i, n_max);
	i = 0;
	cJSON_ArrayForEach(want, vector_item(v->out, "ranks"))
		vector_close(v, "rank", (double)boundary_rank(slower, ++i), want->valuedouble, 0,
			     0);
	assert_int_equal(i, n_max);
	assert_int_equal(boundary_operating(n_max, slower, NULL, 0.5, scratch, &at), STATS_OK);
	vector_close(v, "spent", at.slower, vector_get(v->out, "spent"), 1e-9, 0);
}

void check_h_gs_operating(const struct vector *v)
{
	size_t n_max = vector_count(v->in, "n_max");
	struct operating at;

	assert_int_equal(boundary_compute(n_max, vector_get(v->in, "alpha"),
					  vector_get(v->in, "rho"), slower, scratch),
			 STATS_OK);
	assert_int_equal(boundary_compute(n_max, vector_get(v->in, "beta"),
					  vector_get(v->in, "rho_beta"), latch, scratch),
			 STATS_OK);
	assert_int_equal(
		boundary_operating(n_max, slower, latch, vector_get(v->in, "p"), scratch, &at),
		STATS_OK);
	vector_close(v, "slower", at.slower, vector_get(v->out, "slower"), 1e-9, 1e-13);
	vector_close(v, "not_slower", at.not_slower, vector_get(v->out, "not_slower"), 1e-9, 1e-13);
	vector_close(v, "undecided", at.undecided, vector_get(v->out, "undecided"), 1e-9, 1e-13);
	vector_close(v, "blocks", at.expected_blocks, vector_get(v->out, "expected_blocks"), 1e-9,
		     1e-13);
}
