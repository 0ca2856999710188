/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Benchmarks with sizes (statistics.md 6e): 24 blocks a stage, judged once by simultaneous intervals
 * of the ratio at the largest size, the change of slope and the candidate's growth from size to size.
 */
#include "inspect.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../stats/maxt.h"
#include "../../stats/scaling.h"

#define GROWTH_LIMIT 2.5 /* a doubling of the size may cost so much more */

/* One stage: a row for each block. */
struct rows {
	size_t n, k; /* blocks, sizes */
	double *time[SIDE_CNT];
	unsigned char *strata; /* the side that went first more often */
};

/* The pairs of one size as a block of their own. */
static struct rec_block at_size(const struct rec_bench *b, const struct rec_block *blk, size_t size)
{
	struct rec_block part = *blk;

	part.pairs = blk->pairs + size * b->m;
	part.pairs_cnt = b->m;
	return part;
}

/* The candidate's time is the baseline's times the ratio of the block, so that pairs stay paired. */
static bool fill_row(const struct rec_bench *b, const struct rec_block *blk, struct rows *rows)
{
	for (size_t i = 0; i < rows->k; i++) {
		struct rec_block part = at_size(b, blk, i);
		double base = block_median(&part, METRIC_CPU, SIDE_BASELINE);
		double ratio = judge_block_ratio(&part, METRIC_CPU);

		if (!isfinite(base) || !isfinite(ratio))
			return false;
		rows->time[SIDE_BASELINE][rows->n * rows->k + i] = base;
		rows->time[SIDE_CANDIDATE][rows->n * rows->k + i] = base * ratio;
	}
	rows->strata[rows->n++] = blk->coins.majority == SIDE_CANDIDATE;
	return true;
}

static void fill_rows(const struct rec_bench *b, const struct view *v, struct rows *rows)
{
	for (size_t i = 0; i < v->cnt && rows->n < v->plan->n_max; i++)
		if (v->blk[i]->pairs_cnt == b->m * b->sizes_cnt)
			(void)fill_row(b, v->blk[i],
				       rows); /* a block without a value is passed over */
}

/* What a set of columns needs: freed by whoever asked. */
struct columns {
	double *values, *buffer;
	size_t cnt;
	struct maxt_plan plan;
	struct maxt_bounds bounds[2 * SIZES_MAX];
};

static void columns_done(struct columns *c)
{
	free(c->values);
	free(c->buffer);
}

static int columns_init(struct columns *c, size_t n, size_t cnt)
{
	*c = (struct columns){.cnt = cnt};
	c->values = calloc(n * cnt, sizeof(*c->values));
	c->buffer = calloc(MAXT_BUFFER(n, cnt), sizeof(*c->buffer));
	return c->values && c->buffer ? 0 : -ENOMEM;
}

static int bound(const struct rows *rows, uint64_t key, struct columns *c)
{
	AUTO_FREE double *largest = calloc(SIZED_RESAMPLES, sizeof(*largest));
	AUTO_FREE double *each = calloc(SIZED_RESAMPLES * c->cnt, sizeof(*each));
	AUTO_FREE uint32_t *scratch = calloc(MAXT_SCRATCH(rows->n), sizeof(*scratch));
	double crit;

	if (!largest || !each || !scratch)
		return -ENOMEM;
	if (maxt_prepare(c->values, rows->strata, rows->n, c->cnt, c->buffer, &c->plan))
		return -EINVAL;
	(void)maxt_resample(&c->plan, key, SIZED_RESAMPLES, 0, SIZED_RESAMPLES, largest, each,
			    scratch);
	if (maxt_critical(largest, SIZED_RESAMPLES, SIZED_CONFIDENCE, &crit) ||
	    maxt_intervals(&c->plan, crit, SIZED_RESAMPLES, each, SIZED_ALPHA, 0, c->cnt,
			   c->bounds))
		return -EINVAL;
	return 0;
}

/* A growth that the baseline has beyond the limit already is not the candidate's fault. */
static int growth_margins(const struct rec_bench *b, const struct rows *rows, uint64_t key,
			  double *margins)
{
	double scratch[2 * SIZES_MAX];
	CLEANUP(columns_done) struct columns c;
	int err = columns_init(&c, rows->n, rows->k);

	if (!err && scaling_side_columns(b->sizes, rows->k, rows->time[SIDE_BASELINE], rows->n,
					 scratch, c.values))
		err = -EINVAL;
	if (!err)
		err = bound(rows, key, &c);
	for (size_t i = 0; i + 1 < rows->k && !err; i++)
		margins[i] = c.bounds[i + 1].lo < log(GROWTH_LIMIT) ? log(GROWTH_LIMIT) : NAN;
	return err;
}

static size_t largest_size(const struct rec_bench *b)
{
	size_t largest = 0;

	for (size_t i = 0; i < b->sizes_cnt; i++)
		if (b->sizes[i] > b->sizes[largest])
			largest = i;
	return largest;
}

/* Gated: time at the largest size, the change of slope, growths. */
static int set_margins(const struct rec_bench *b, const struct rows *rows, uint64_t key,
		       double *margins)
{
	size_t k = rows->k;

	for (size_t i = 0; i < k; i++)
		margins[i] = NAN;
	margins[largest_size(b)] = log(b->metric[METRIC_CPU].limit);
	if (scaling_slope_limit(b->metric[METRIC_CPU].limit, &margins[k]))
		return -EINVAL;
	return growth_margins(b, rows, key, margins + k + 1);
}

static void note_endpoints(struct rec_bench *b, const struct columns *c, const double *margins)
{
	for (size_t i = 0; i < c->cnt; i++)
		b->endpoint[i] = (struct rec_endpoint){
			.estimate = c->plan.estimate[i],
			.lo = c->bounds[i].lo,
			.hi = c->bounds[i].hi,
			.upper = c->bounds[i].upper,
			.margin = margins[i],
		};
}

static enum stage_verdict verdict_of(enum maxt_verdict v)
{
	switch (v) {
	case MAXT_REGRESSION:
		return STAGE_SLOWER;
	case MAXT_PASS:
		return STAGE_SAME;
	case MAXT_UNDECIDED:
		break;
	}
	return STAGE_UNDECIDED;
}

static int judge_rows(struct rec_bench *b, const struct rows *rows, uint64_t key,
		      struct stage_result *ret)
{
	double scratch[3 * SIZES_MAX], margins[2 * SIZES_MAX];
	CLEANUP(columns_done) struct columns c;
	int err = columns_init(&c, rows->n, 2 * rows->k);

	if (!err && scaling_columns(b->sizes, rows->k, rows->time[SIDE_BASELINE],
				    rows->time[SIDE_CANDIDATE], rows->n, scratch, c.values))
		err = -EINVAL;
	if (!err)
		err = bound(rows, key, &c);
	if (!err)
		err = set_margins(b, rows, key, margins);
	if (err)
		return err;
	note_endpoints(b, &c, margins);
	ret->verdict = verdict_of(maxt_judge(&c.plan, c.bounds, margins, INFINITY));
	for (size_t i = 0; i < rows->k; i++) {
		if (isnan(margins[i]))
			continue; /* shown is the largest size */
		ret->median = exp(b->endpoint[i].estimate);
		ret->lo = exp(b->endpoint[i].lo);
		ret->hi = exp(b->endpoint[i].hi);
	}
	return 0;
}

static int judge_stage(const struct judge *j, size_t i, struct stage_result *ret)
{
	const struct view *v = &j->stage[i];
	size_t n = v->plan->n_max, k = j->b->sizes_cnt;
	AUTO_FREE double *times = calloc(SIDE_CNT * n * k, sizeof(*times));
	AUTO_FREE unsigned char *strata = calloc(n, 1);
	struct rows rows = {.k = k, .time = {times, times + n * k}, .strata = strata};

	*ret = (struct stage_result){.median = NAN, .lo = NAN, .hi = NAN};
	if (!times || !strata)
		return -ENOMEM;
	fill_rows(j->b, v, &rows);
	ret->blocks = rows.n;
	if (rows.n < n) {
		ret->verdict = v->cnt < n ? STAGE_OPEN : STAGE_UNDECIDED;
		return 0;
	}
	return judge_rows(j->b, &rows, j->b->sized_key + i, ret);
}

/* The judged blocks, of which each is its pairs of the largest size. */
static size_t blocks_of_largest(const struct judge *j, struct rec_block *parts,
				const struct rec_block **blk)
{
	const struct rec_bench *b = j->b;
	const struct rec_metric *m = &b->metric[METRIC_CPU];
	size_t n = 0;

	for (size_t i = 0; i < m->stages_cnt; i++)
		for (size_t k = 0; k < j->stage[i].cnt && k < j->stage[i].plan->n_max; k++) {
			if (j->stage[i].blk[k]->pairs_cnt != b->m * b->sizes_cnt)
				continue;
			parts[n] = at_size(b, j->stage[i].blk[k], largest_size(b));
			blk[n] = &parts[n];
			n++;
		}
	return n;
}

static bool largest_is_slower(const struct rec_bench *b)
{
	const struct rec_endpoint *e = &b->endpoint[largest_size(b)];

	return e->lo > e->margin;
}

/* A slope or a growth is no matter of where code lies; time at the largest size may be. */
static int judge_layouts(const struct judge *j, struct rec_metric *m)
{
	size_t cnt = j->b->blocks_cnt + 1;
	AUTO_FREE struct rec_block *parts = calloc(cnt, sizeof(*parts));
	AUTO_FREE const struct rec_block **blk = calloc(cnt, sizeof(*blk));
	AUTO_FREE double *x = calloc(2 * cnt, sizeof(*x));
	struct evidence e = {.j = j, .b = j->b, .id = METRIC_CPU, .m = m, .blk = blk, .x = x};

	if (!parts || !blk || !x)
		return -ENOMEM;
	e.scratch = x + cnt;
	e.cnt = blocks_of_largest(j, parts, blk);
	m->layouts = layouts_seen(&e);
	if (m->verdict != VERDICT_SLOWER || !largest_is_slower(j->b) || layouts_agree(&e))
		return 0;
	m->verdict = VERDICT_UNDECIDED;
	m->reason = REASON_LAYOUT;
	return 0;
}

int judge_sized(const struct judge *j)
{
	struct rec_metric *m = &j->b->metric[METRIC_CPU];

	for (size_t i = 0; i < CONFIRMED_STAGES && j->stage[i].cnt > 0; i++) {
		int err = judge_stage(j, i, &m->stage[i]);

		if (err)
			return err;
		m->stages_cnt = i + 1;
		if (m->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	judge_conclude(j, m);
	return m->verdict == VERDICT_NONE ? 0 : judge_layouts(j, m);
}
