/* SPDX-License-Identifier: BSD-2-Clause */
#include "alarms.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../report/grow.h"
#include "../../stats/median.h"

static struct alarm_bench *find_bench(struct alarms *a, const char *name)
{
	for (size_t i = 0; i < a->benches_cnt; i++)
		if (!strcmp(a->benches[i].name, name))
			return &a->benches[i];
	return NULL;
}

static struct alarm_bench *bench_of(struct alarms *a, const char *name)
{
	struct alarm_bench *grown, *b = find_bench(a, name);

	if (b)
		return b;
	grown = grow_by_one(a->benches, a->benches_cnt, sizeof(*grown));
	if (!grown)
		return NULL;
	a->benches = grown;
	b = &grown[a->benches_cnt];
	*b = (struct alarm_bench){.name = strdup(name)};
	if (!b->name)
		return NULL;
	a->benches_cnt++;
	return b;
}

static double cpu_of(const struct rec_pair *p, enum side side)
{
	return p->half[side].value[METRIC_CPU];
}

/* Log ratios of the first `cnt` pairs of a block, by side and by place. */
static void log_ratios(const struct rec_block *blk, size_t cnt, double *by_side, double *by_place)
{
	for (size_t i = 0; i < cnt; i++) {
		const struct rec_pair *p = &blk->pairs[i];

		by_side[i] = log(cpu_of(p, SIDE_CANDIDATE) / cpu_of(p, SIDE_BASELINE));
		by_place[i] = p->first == SIDE_BASELINE ? by_side[i] : -by_side[i];
	}
}

static int add_within(struct alarm_bench *b, double value)
{
	double *grown = grow_by_one(b->within, b->within_cnt, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	b->within = grown;
	grown[b->within_cnt++] = value;
	return 0;
}

static int add_block(struct alarm_bench *b, const struct rec_block *blk, size_t run,
		     enum alarm_kind kind)
{
	double y[PAIRS_MAX], place[PAIRS_MAX], scratch[PAIRS_MAX];
	struct alarm_block *grown, new = {.run = run, .layout = blk->layout, .kind = kind};
	size_t n;

	new.y = log(judge_block_ratio(blk, METRIC_CPU));
	if (!isfinite(new.y))
		return 0;				/* no value in it */
	n = blk->pairs_cnt - (blk->pairs_cnt % 2 == 0); /* as they are judged: each has one */
	log_ratios(blk, n, y, place);
	if (median_of(place, n, scratch, &new.by_place))
		return 0;
	grown = grow_by_one(b->blocks, b->blocks_cnt, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	b->blocks = grown;
	grown[b->blocks_cnt++] = new;
	for (size_t i = 1; i < n; i++)
		if (add_within(b, (y[i] - y[i - 1]) / M_SQRT2))
			return -ENOMEM;
	return 0;
}

/*
 * Stage 1 of a benchmark, once: its metrics are read off the same blocks, and one of them does not try
 * anew what another has tried. An alarm of any is one. Without an alarm it counts when all are through;
 * who was left behind (`not-followed`) was so by an alarm.
 */
static void count_stage(struct alarms *a, struct alarm_bench *b, const struct rec_bench *from,
			enum alarm_kind kind)
{
	size_t through = 0, all = 0;
	bool slower = false;

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		const struct rec_metric *m = &from->metric[id];

		if (metric_get(id)->kind != METRIC_TIMED || !m->judged || m->missing != REASON_NONE)
			continue;
		all++;
		through += m->stages_cnt && m->stage[0].verdict != STAGE_OPEN;
		slower = slower || (m->stages_cnt && m->stage[0].verdict == STAGE_SLOWER);
	}
	if (!slower && (!all || through < all))
		return;
	b->stages++;
	b->slower += slower;
	a->stages[kind]++;
	a->slower[kind] += slower;
}

static int add_time(struct alarm_times *t, double s)
{
	double *grown = grow_by_one(t->s, t->cnt, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	t->s = grown;
	grown[t->cnt++] = s;
	return 0;
}

static void count_found(struct alarm_bench *b, const struct rec_bench *from)
{
	b->runs++;
	b->regressed += from->verdict == BENCH_REGRESSED;
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		b->found[id] += from->metric[id].verdict == VERDICT_SLOWER;
}

/* Why judged metrics have no verdict, `missing` of them: why they have no value. False: of none. */
static bool count_why(struct alarm_bench *b, const struct rec_bench *from, bool missing)
{
	bool found = false;

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		const struct rec_metric *m = &from->metric[id];
		bool counts = missing ? m->missing != REASON_NONE : m->verdict == VERDICT_UNDECIDED;

		if (!m->judged || !counts)
			continue;
		b->why[id][missing ? m->missing : m->reason]++;
		found = true;
	}
	return found;
}

/* Of an undecided benchmark every metric that is undecided; else what kept each from being judged. */
static void count_undecided(struct alarm_bench *b, const struct rec_bench *from)
{
	if (from->verdict != BENCH_UNDECIDED)
		return;
	b->undecided++;
	if (!count_why(b, from, false) && !count_why(b, from, true))
		b->why_all[from->reason]++;
}

static int add_bench(struct alarms *a, const struct rec_bench *from, size_t run,
		     enum alarm_kind kind)
{
	struct alarm_bench *b = bench_of(a, from->name);
	size_t taken = 0;
	int err = b ? 0 : -ENOMEM;

	for (size_t i = 0; i < from->blocks_cnt && !err; i++) {
		const struct rec_block *blk = &from->blocks[i];

		/* later stages are chosen by what stage 1 said */
		if (blk->stage != 1 || blk->lost != REASON_NONE)
			continue;
		if (!from->sizes_cnt) /* a block of several sizes has no value */
			err = add_block(b, blk, run, kind);
		taken++;
	}
	if (err)
		return err;
	b->m = from->m;
	b->limit = from->metric[METRIC_CPU].limit;
	b->n_max = from->blocks_max[0];
	memcpy(b->n_confirm, from->blocks_max + 1, (STAGES_MAX - 1) * sizeof(*b->n_confirm));
	a->exhausted = a->exhausted && taken == b->n_max;
	count_found(b, from);
	count_undecided(b, from);
	count_stage(a, b, from, kind);
	return add_time(&a->times[from->verdict], from->seconds);
}

static bool measured(const struct rec_bench *b)
{
	return b->verdict != BENCH_ERROR && b->verdict != BENCH_SKIPPED && b->blocks_cnt;
}

int alarms__add(struct alarms *a, const struct record *rec, enum alarm_kind kind)
{
	size_t run = a->runs[ALARM_SAME] + a->runs[ALARM_RELINKED] + a->runs[ALARM_REBUILT];
	int err = 0;

	if (!run)
		a->exhausted = true;
	for (size_t i = 0; i < rec->benches_cnt && !err; i++)
		if (measured(&rec->benches[i]))
			err = add_bench(a, &rec->benches[i], run, kind);
	a->runs[kind]++;
	a->failing[kind] += rec->status == STATUS_FAILED;
	return err ? err : add_time(&a->whole, rec->seconds);
}

void alarms__done(struct alarms *a)
{
	for (size_t i = 0; i < a->benches_cnt; i++) {
		free(a->benches[i].name);
		free(a->benches[i].blocks);
		free(a->benches[i].within);
	}
	for (size_t i = 0; i <= BENCH_SAME; i++)
		free(a->times[i].s);
	free(a->whole.s);
	free(a->benches);
	*a = (struct alarms){0};
}

static void count_sign(struct alarm_signs *s, double y)
{
	s->above += y > 0;
	s->cnt += y != 0;
}

void alarm_signs_of(const struct alarms *a, struct alarm_signs *ret_sides,
		    struct alarm_signs *ret_places)
{
	struct alarm_signs sides = {0}, places = {0};

	for (size_t i = 0; i < a->benches_cnt; i++) {
		const struct alarm_bench *b = &a->benches[i];

		for (size_t j = 0; j < b->blocks_cnt; j++) {
			if (b->blocks[j].kind == ALARM_SAME) /* the coins promise it of these */
				count_sign(&sides, b->blocks[j].y);
			count_sign(&places, b->blocks[j].by_place);
		}
	}
	sides.tolerance = COINS_SIGMAS / sqrt(4.0 * (double)sides.cnt);
	places.tolerance = COINS_SIGMAS / sqrt(4.0 * (double)places.cnt);
	*ret_sides = sides;
	*ret_places = places;
}

const char *alarm_kind_name(enum alarm_kind k)
{
	static const char *const names[] = {[ALARM_SAME] = "same binary",
					    [ALARM_RELINKED] = "relinked",
					    [ALARM_REBUILT] = "rebuilt"};

	return names[k];
}

const char *noise_name(enum noise n)
{
	static const char *const names[] = {[NOISE_SAMPLES] = "samples",
					    [NOISE_PROCESSES] = "processes",
					    [NOISE_LAYOUTS] = "layouts",
					    [NOISE_RUNS] = "runs"};

	return names[n];
}
