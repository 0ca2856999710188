/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <math.h>
#include <string.h>
#include "stats/duel.h"

static double scratch[VECTOR_N_MAX];

static const char *const verdicts[] = {"open", "slower", "faster", "same", "undecided"};

static const char *const results[] = {"open",	   "pass",	"cleared",
				      "undecided", "regressed", "regressed-any"};

void check_h_duel_measure(const struct vector *v)
{
	struct duel_measurement r;
	size_t n, n_looks, looks[VECTOR_N_MAX];
	double *x = vector_doubles(vector_item(v->in, "x"), &n);
	double *at = vector_doubles(vector_item(v->in, "looks"), &n_looks);
	enum stats_error e;

	for (size_t i = 0; i < n_looks; i++)
		looks[i] = (size_t)at[i];
	e = duel_measure(x, n, vector_get(v->in, "limit"), vector_get(v->in, "conf"), looks,
			 n_looks, scratch, &r);
	free(at);
	free(x);
	if (vector_refused(v, e))
		return;
	vector_same_text(v, "verdict", verdicts[r.verdict], vector_text(v->out, "verdict"));
	vector_same_count(v, "pairs", r.pairs);
	vector_close(v, "ratio", r.ratio, vector_get(v->out, "ratio"), 0, 0);
	vector_close(v, "lo", r.lo, vector_get(v->out, "lo"), 0, 0);
	vector_close(v, "hi", r.hi, vector_get(v->out, "hi"), 0, 0);
	vector_close(v, "attained", r.attained, vector_get(v->out, "attained"), 1e-12, 0);
}

static enum stage_verdict verdict_of(const char *name)
{
	for (size_t i = 0; i < 5; i++)
		if (strcmp(name, verdicts[i]) == 0)
			return (enum stage_verdict)i;
	fail_msg("no verdict is called %s", name);
	return STAGE_OPEN;
}

void check_h_duel_chain(const struct vector *v)
{
	const cJSON *rows = vector_item(v->in, "measurements"), *row, *cell;
	const cJSON *first = cJSON_GetArrayItem(rows, 0);
	size_t n = 0, metrics = (size_t)cJSON_GetArraySize(first), want = 0;
	enum stage_verdict cells[1024];
	struct duel_chain r;

	cJSON_ArrayForEach(row, rows) {
		assert_int_equal(cJSON_GetArraySize(row), metrics);
		cJSON_ArrayForEach(cell, first) {
			assert_true(n < sizeof(cells) / sizeof(*cells));
			cells[n++] = verdict_of(vector_text(row, cell->string));
		}
	}
	assert_int_equal(duel_chain(cells, n / metrics, metrics, &r), STATS_OK);
	vector_same_text(v, "result", results[r.result], vector_text(v->out, "result"));
	vector_same_count(v, "measurements", r.measurements);
	vector_same_count(v, "counted", r.counted);
	cJSON_ArrayForEach(row, vector_item(v->out, "metrics")) {
		size_t j = 0;

		cJSON_ArrayForEach(cell, first) {
			if (strcmp(cell->string, row->valuestring) == 0)
				want |= (size_t)1 << j;
			j++;
		}
	}
	assert_int_equal(r.metrics, want);
}
