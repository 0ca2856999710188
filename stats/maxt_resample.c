/* SPDX-License-Identifier: BSD-2-Clause */
#include "maxt.h"

#include <string.h>
#include "lanes.h"
#include "maxt_terms.h"
#include "prng.h"

/* Resamples whose draws are made once for all tiles; draws and results stay in the first cache. */
#define BATCH 64
#define PARTS (TILE_COLUMNS / LANES)

_Static_assert(BATCH <= MAXT_SCRATCH(1), "scratch has room for the draws of a batch");

/* What of a stratum goes into theta* and SE*. */
struct stratum {
	size_t terms, drawn;
	lanes per_row, mean, variance; /* factors 1/n, 1/(2 n), 1/(4 n (n - 1)) */
};

struct task {
	struct stratum strata[2];
	const uint32_t *draws; /* where each term begins */
	size_t cnt;	       /* resamples */
};

struct sums {
	lanes x[PARTS], squares[PARTS];
};

/* Theta* and the square of SE*. */
struct moments_of_tile {
	lanes theta[PARTS], variance[PARTS];
};

static struct stratum stratum_of(size_t rows)
{
	double n = (double)rows, mean = 1 / (2 * n), variance = 1 / (4 * n * (n - 1));
	struct stratum s = {.terms = terms_of(rows), .drawn = drawn_terms(rows)};

	s.per_row = (lanes){1 / n, 1 / n};
	s.mean = (lanes){mean, mean};
	s.variance = (lanes){variance, variance};
	return s;
}

/* Unordered: a pair and its reverse are the same term. */
static uint32_t pair_term(uint32_t a, uint32_t b)
{
	uint32_t high = a > b ? a : b, low = a > b ? b : a;

	return high * (high + 1) / 2 + low;
}

static uint32_t *draw_stratum(uint64_t key, uint64_t counter, size_t rows, uint32_t *draws)
{
	size_t drawn = drawn_terms(rows), pairs = rows - drawn;

	prng_indices(key, counter, (uint32_t)rows, draws, rows);
	for (size_t i = 0; i < pairs; i++)
		draws[i] = TERM * pair_term(draws[2 * i], draws[2 * i + 1]);
	for (size_t i = pairs; i < drawn; i++)
		draws[i] = TERM * ((uint32_t)lone_terms(rows) + draws[i + pairs]);
	return draws + drawn;
}

static void draw_batch(const struct maxt_plan *plan, uint64_t key, size_t first, size_t cnt,
		       uint32_t *draws)
{
	for (size_t r = first; r < first + cnt; r++) {
		uint64_t counter = (uint64_t)r * plan->n;

		draws = draw_stratum(key, counter, plan->counts[0], draws);
		draws = draw_stratum(key, counter + plan->counts[0], plan->counts[1], draws);
	}
}

static inline __attribute__((always_inline)) struct sums
add_terms(const double *terms, const uint32_t *draws, size_t cnt)
{
	const lanes *term = (const lanes *)(terms + draws[0]);
	struct sums s;

	FOR_EACH_LANES(k, PARTS)
	{
		s.x[k] = term[k];
		s.squares[k] = term[PARTS + k];
	}
	for (size_t i = 1; i < cnt; i++) {
		term = (const lanes *)(terms + draws[i]);
		FOR_EACH_LANES(k, PARTS)
		{
			s.x[k] += term[k];
			s.squares[k] += term[PARTS + k];
		}
	}
	return s;
}

static inline __attribute__((always_inline)) void
add_stratum(const struct stratum *stratum, const struct sums *s, struct moments_of_tile *m)
{
	lanes zero = {0};

	FOR_EACH_LANES(k, PARTS)
	{
		lanes spread = s->squares[k] - s->x[k] * s->x[k] * stratum->per_row;

		m->theta[k] += s->x[k] * stratum->mean;
		m->variance[k] += lanes_max(spread, zero) * stratum->variance;
	}
}

/* T of TILE_COLUMNS columns to t[column * BATCH]; the largest |T|, or `largest`. */
static inline __attribute__((always_inline)) double studentize(const struct moments_of_tile *m,
							       const struct tile_rules *rules,
							       lane_masks vanished[static PARTS],
							       double largest, double *t)
{
	const lanes *limit = (const lanes *)rules->limit, *instead = (const lanes *)rules->instead;
	lanes most = {largest, largest};

	FOR_EACH_LANES(k, PARTS)
	{
		lane_masks stays = m->variance[k] > limit[k];
		lanes square = lanes_where(stays, m->variance[k], instead[k]);
		lanes value = m->theta[k] / lanes_sqrt(square);

		vanished[k] += 1 + stays;
		most = lanes_max(lanes_abs(value), most);
		t[(LANES * k) * BATCH] = value[0];
		t[(LANES * k + 1) * BATCH] = value[1];
	}
	return most[0] > most[1] ? most[0] : most[1];
}

/* One tile of every resample of the batch: m[i] and t[column * BATCH + i]. */
static void resample_tile(const struct task *task, const double *tile,
			  lane_masks vanished[static PARTS], double *m, double *t)
{
	const struct stratum *a = &task->strata[0], *b = &task->strata[1];
	const double *terms[2] = {tile + TERM, tile + TERM + a->terms * TERM};
	const uint32_t *draws = task->draws;

	for (size_t i = 0; i < task->cnt; i++, draws += a->drawn + b->drawn) {
		struct moments_of_tile moments = {0};
		struct sums s = add_terms(terms[0], draws, a->drawn);

		add_stratum(a, &s, &moments);
		s = add_terms(terms[1], draws + a->drawn, b->drawn);
		add_stratum(b, &s, &moments);
		m[i] = studentize(&moments, (const struct tile_rules *)tile, vanished, m[i], t + i);
	}
}

/* Of columns that have a spread. */
static size_t sum_vanished(const struct maxt_plan *plan, size_t first,
			   const lane_masks vanished[static PARTS])
{
	size_t sum = 0;

	for (size_t k = 0; k < TILE_COLUMNS && first + k < plan->columns; k++)
		if (plan->se[first + k] > 0)
			sum += (size_t)vanished[k / LANES][k % LANES];
	return sum;
}

/* All columns of one batch; t points to its first resample. */
static size_t resample_batch(const struct maxt_plan *plan, const struct task *task,
			     size_t resamples, double *m, double *t)
{
	size_t fallbacks = 0;
	double values[TILE_COLUMNS * BATCH];

	memset(m, 0, task->cnt * sizeof(*m));
	for (size_t j = 0; j < plan->columns; j += TILE_COLUMNS) {
		lane_masks vanished[PARTS] = {{0}};

		resample_tile(task, plan->terms + j / TILE_COLUMNS * tile_doubles(plan->counts),
			      vanished, m, values);
		fallbacks += sum_vanished(plan, j, vanished);
		for (size_t k = 0; t && k < TILE_COLUMNS && j + k < plan->columns; k++)
			memcpy(t + (j + k) * resamples, values + k * BATCH, task->cnt * sizeof(*t));
	}
	return fallbacks;
}

size_t maxt_resample(const struct maxt_plan *plan, uint64_t key, size_t resamples, size_t first,
		     size_t last, double *m, double *t, uint32_t *scratch)
{
	struct task task = {
		.strata = {stratum_of(plan->counts[0]), stratum_of(plan->counts[1])},
		.draws = scratch,
	};
	size_t fallbacks = 0;

	for (size_t r = first; r < last; r += task.cnt) {
		task.cnt = last - r < BATCH ? last - r : BATCH;
		draw_batch(plan, key, r, task.cnt, scratch);
		fallbacks += resample_batch(plan, &task, resamples, m + r, t ? t + r : NULL);
	}
	return fallbacks;
}
