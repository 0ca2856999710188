/* SPDX-License-Identifier: BSD-2-Clause */
#include "simulator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../../stats/prng.h"
#include "sim_counters.h"
#include "values.h"

#define SIM_AT_OPEN	(UINT_MAX - 3) /* in place of a pair */
#define SLICE_NS	100e3
#define START_NS	1e6
#define DRIFT_BLOCKS	120
#define RARE_EVERY	10
#define LEVEL_SLICE	31 /* not a slice: draws of the process itself */
#define WANDER_SLICE	30 /* of what the ratio does from block to block */
#define LAYOUT_SLICE	29 /* of the link of a side */
#define WANDER_BACK	40 /* terms of the moving average that stands for AR(1) */
#define WANDER_RHO	.68
#define DRAWS_PER_SLICE 8

/* Where a draw stands; every field has its own bits of the counter. */
struct place {
	uint64_t key;
	const struct rec_block *blk;
	enum side side;
	size_t pair, slice;
	unsigned again; /* how often the pair was rejected before */
};

enum draw {
	DRAW_NORMAL,
	DRAW_NORMAL_ANGLE,
	DRAW_SPIKE,
	DRAW_SPIKE_SIZE,
	DRAW_MODE,
	DRAW_STUDENT,
	DRAW_DISTURBED
};

static double uniform(const struct place *p, enum draw what)
{
	uint64_t c = p->blk->stage | (uint64_t)p->again << 4;

	c = c << 12 | (p->blk->slot & 0xfff);
	c = c << 8 | (p->blk->attempt & 0xff);
	c = c << 1 | (p->side == SIDE_CANDIDATE);
	c = c << 6 | (p->pair & 0x3f);
	c = c << 5 | (p->slice & 0x1f);
	/* the middle of its 2^-53 cell: a logarithm must not meet 0 */
	return prng_double(p->key, c * DRAWS_PER_SLICE + what) + 0x1p-54;
}

/* Box and Muller 1958. */
static double normal(const struct place *p)
{
	double radius = sqrt(-2 * log(uniform(p, DRAW_NORMAL)));

	return radius * cos(2 * M_PI * uniform(p, DRAW_NORMAL_ANGLE));
}

static uint64_t bench_key(const struct simulator *sim, const char *name)
{
	char label[sizeof("sim/") + 256];

	(void)snprintf(label, sizeof(label), "sim/%s", name);
	return prng_key(sim->seed, label);
}

static const struct sim_bench *script(const struct simulator *sim, const char *name)
{
	for (size_t i = 0; i < sim->benches_cnt; i++)
		if (strcmp(sim->benches[i].name, name) == 0)
			return &sim->benches[i];
	return NULL;
}

static bool fits(unsigned wanted, unsigned is)
{
	return wanted == UINT_MAX || wanted == is;
}

static bool fits_stage(const struct sim_fault *f, const struct rec_block *at, bool opening)
{
	if (opening || f->stage == 0)
		return opening && f->stage == 0;
	return fits(f->stage, at->stage ? at->stage : SIM_PLANNING);
}

static const struct sim_fault *find_fault(const struct simulator *sim, const char *name,
					  const struct rec_block *at, unsigned pair)
{
	bool opening = pair == SIM_AT_OPEN;

	for (size_t i = 0; i < sim->faults_cnt; i++) {
		const struct sim_fault *f = &sim->faults[i];
		bool any_pair = f->pair == UINT_MAX && pair < SIM_AT_END;

		if (f->bench && strcmp(f->bench, name) != 0)
			continue;
		if (!fits_stage(f, at, opening))
			continue;
		if (!fits(f->attempt, at->attempt))
			continue;
		if (opening || (fits(f->slot, at->slot) && (any_pair || f->pair == pair)))
			return f;
	}
	return NULL;
}

/* Does to the benchmark and the block what the contract of a source asks for. */
static enum source_status apply_fault(struct simulator *sim, struct rec_bench *b,
				      struct rec_block *blk, const struct sim_fault *f)
{
	if (!f)
		return SOURCE_OK;
	switch (f->status) {
	case SOURCE_LOST:
		blk->lost = f->reason;
		blk->lost_side = f->side;
		break;
	case SOURCE_FAILED:
		rec_bench__fail(b, f->reason, f->side, f->detail);
		break;
	case SOURCE_SKIPPED:
		b->reason = f->reason;
		b->reason_side = f->side;
		free(b->detail);
		b->detail = f->detail ? strdup(f->detail) : NULL;
		break;
	case SOURCE_BROKEN:
		(void)snprintf(sim->source.error, sizeof(sim->source.error), "%s",
			       f->detail ? f->detail : "scripted fault");
		break;
	case SOURCE_OK:
	case SOURCE_INTERRUPTED:
		break;
	}
	return f->status;
}

static enum source_status fault_at(struct simulator *sim, struct rec_bench *b,
				   struct rec_block *blk, unsigned pair)
{
	return apply_fault(sim, b, blk, find_fault(sim, b->name, blk, pair));
}

static bool is_counted(const struct sim_bench *sb)
{
	return sb->instructions[SIDE_BASELINE] > 0;
}

static void plan(const struct simulator *sim, const struct sim_bench *sb, struct rec_bench *b)
{
	b->n = sb->ns < SLICE_NS ? (uint64_t)(SLICE_NS / sb->ns) : 1;
	b->k = sim->k;
	b->m = sim->source.options.pairs ? sim->source.options.pairs : sim->m;
	b->slice_ns = (double)b->n * sb->ns;
	b->sizes_cnt = sb->sizes_cnt;
	memcpy(b->sizes, sb->sizes, sizeof(b->sizes));
	for (size_t i = 0; sb->blocks_max && i < STAGES_MAX; i++)
		b->blocks_max[i] = sb->blocks_max;
	if (is_counted(sb)) {
		sim_counters_plan(b);
		return;
	}
	b->metric[METRIC_INSTRUCTIONS].missing = REASON_NO_PMU;
	b->metric[METRIC_CYCLES].missing = REASON_NO_PMU;
	if (!(sb->shows & 1u << GATE_WAITING))
		b->metric[METRIC_WAITING].missing = REASON_NO_BPF;
	if (b->k < 2)
		b->metric[METRIC_CPU_TOTAL].missing = REASON_ONE_SLICE;
}

static enum source_status out_of_memory(struct simulator *sim)
{
	(void)snprintf(sim->source.error, sizeof(sim->source.error), "no memory");
	return SOURCE_BROKEN;
}

static enum source_status set_digests(struct simulator *sim, struct rec_bench *b,
				      const char *const digest[static SIDE_CNT])
{
	for (size_t side = 0; side < SIDE_CNT; side++) {
		if (!digest[side])
			continue;
		free(b->digest[side]);
		b->digest[side] = strdup(digest[side]);
		if (!b->digest[side])
			return out_of_memory(sim);
	}
	return SOURCE_OK;
}

static enum source_status sim_open(struct source *s, struct rec_bench *b)
{
	struct simulator *sim = (struct simulator *)s;
	const struct sim_bench *sb = script(sim, b->name);
	struct rec_block opening = {.attempt = (unsigned)sim->opens++};
	enum source_status st;

	if (!sb) {
		(void)snprintf(s->error, sizeof(s->error), "no script for '%s'", b->name);
		return SOURCE_BROKEN;
	}
	st = fault_at(sim, b, &opening, SIM_AT_OPEN);
	if (st != SOURCE_OK)
		return st;
	plan(sim, sb, b);
	return set_digests(sim, b, sb->digest);
}

static enum source_status sim_stage(struct source *s, struct rec_bench *b, unsigned stage)
{
	struct simulator *sim = (struct simulator *)s;

	(void)b;
	(void)stage;
	sim->stages++;
	return SOURCE_OK;
}

static double process_level(const struct sim_bench *sb, const struct place *at)
{
	struct rec_block reused = {.stage = at->blk->stage};
	struct place again = *at;
	const struct place *p = sb->processes ? &again : at;
	double mode;

	again.blk = &reused;
	reused.slot = sb->processes ? at->blk->slot % sb->processes : 0;
	mode = uniform(p, DRAW_MODE) < 0.5 ? -sb->process_mode : sb->process_mode;

	return (sb->process_sd > 0 ? sb->process_sd * normal(p) : 0) + mode;
}

/* What a link of a side costs: the same wherever it is used. */
static double layout_level(const struct sim_bench *sb, const struct place *at)
{
	struct rec_block anywhere = {.slot = at->blk->layout};
	struct place p = {
		.key = at->key, .blk = &anywhere, .side = at->side, .slice = LAYOUT_SLICE};

	return sb->layout_sd > 0 ? sb->layout_sd * normal(&p) : 0;
}

/* Of every benchmark in the round. */
static double shared_shift(const struct simulator *sim, const struct rec_block *at)
{
	struct rec_block anywhere = {.stage = at->stage, .slot = at->round};
	struct place p = {.blk = &anywhere};

	if (!(sim->shift_sd > 0))
		return 0;
	p.key = prng_key(sim->seed, "sim");
	return sim->shift_sd * normal(&p);
}

/* AR(1) as what it is made of, so that every block knows its value without those before it. */
static double wander(const struct sim_bench *sb, const struct place *at)
{
	struct rec_block before = {.stage = at->blk->stage};
	struct place p = {.key = at->key, .blk = &before, .slice = WANDER_SLICE};
	double rho = sb->wander_rho > 0 ? sb->wander_rho : WANDER_RHO;
	double sum = 0, weight = sb->wander_sd * sqrt(1 - rho * rho);

	for (unsigned i = 0; sb->wander_sd > 0 && i < WANDER_BACK; i++) {
		before.slot = 4095 - WANDER_BACK + at->blk->slot - i;
		sum += weight * normal(&p);
		weight *= rho;
	}
	return sum;
}

static enum source_status sim_block(struct source *s, struct rec_bench *b, struct rec_block *blk)
{
	struct simulator *sim = (struct simulator *)s;
	const struct sim_bench *sb = script(sim, b->name);
	struct place p = {.key = bench_key(sim, b->name), .blk = blk, .slice = LEVEL_SLICE};

	sim->blocks++;
	blk->layout = sb->layouts ? blk->slot % sb->layouts : 0;
	for (p.side = 0; p.side < SIDE_CNT; p.side++) {
		sim->process_level[p.side] = process_level(sb, &p) + layout_level(sb, &p);
		if (p.side == SIDE_CANDIDATE)
			sim->process_level[p.side] += wander(sb, &p) + shared_shift(sim, blk);
		blk->start_ns[p.side] = START_NS;
		sim->clock_ns += START_NS;
	}
	return fault_at(sim, b, blk, SIM_AT_BLOCK);
}

static double true_ratio(const struct sim_bench *sb, const struct place *p)
{
	double here = p->blk->stage ? sb->stage_ratio[p->blk->stage - 1] : 0;

	if (p->side == SIDE_BASELINE)
		return 1;
	return here > 0 ? here : sb->ratio;
}

static double size_factor(const struct sim_bench *sb, const struct place *p, size_t m)
{
	if (!sb->sizes_cnt)
		return 1;
	return pow(sb->sizes[p->pair / m] / sb->sizes[0], sb->exponent[p->side]);
}

/* Factors of what is common to all slices of a half. */
static double half_level(const struct simulator *sim, const struct sim_bench *sb,
			 const struct place *p, size_t m, bool second)
{
	double progress = (double)p->blk->slot / DRIFT_BLOCKS;

	return sb->ns * true_ratio(sb, p) * size_factor(sb, p, m) *
	       exp(sim->process_level[p->side]) * (1 + sb->drift * progress) *
	       (second ? 1 + sb->second_half : 1);
}

/* With 2 degrees of freedom the distribution function has an inverse in plain terms. */
static double student2(const struct place *p)
{
	double u = uniform(p, DRAW_STUDENT);

	return (2 * u - 1) / sqrt(2 * u * (1 - u));
}

static double slice_noise(const struct sim_bench *sb, const struct place *p)
{
	double y = sb->sample_sd > 0 ? sb->sample_sd * normal(p) : 0;

	if (sb->t2 > 0)
		y += sb->t2 * student2(p);
	if (sb->spike_p > 0 && uniform(p, DRAW_SPIKE) < sb->spike_p)
		y -= sb->spike_mean * log(uniform(p, DRAW_SPIKE_SIZE));
	return y == 0 ? 1 : exp(y);
}

static bool is_rare(const struct rec_bench *b, const struct place *p)
{
	size_t index = (p->blk->slot * b->m + p->pair) * b->k + p->slice;

	return p->side == SIDE_CANDIDATE && index % RARE_EVERY == 0;
}

/* 0 at the first slice of a worker, 1 at its last. */
static double age(const struct rec_bench *b, const struct place *p)
{
	return (double)(p->pair * b->k + p->slice) / (double)(b->m * b->k - 1);
}

#define DISTURBED_SLICE 28 /* not a slice: what happened to the half */
#define CANARY_NS	45e3

/* What tells of it, by the rules of a gate. The canary is the pair's, the rest the half's. */
static void show_disturbance(const struct sim_bench *sb, const struct rec_bench *b,
			     struct rec_pair *pair, enum side side, bool disturbed)
{
	struct rec_half *h = &pair->half[side];
	double iterations = (double)(b->n * b->k);
	gate_rules shown = disturbed ? sb->shows : 0;

	h->value[METRIC_INVOLUNTARY_SWITCHES] = shown & 1u << GATE_SWITCHES ? 1 / iterations : 0;
	if (sb->shows &
	    1u << GATE_WAITING) /* else it has nothing to do with it, and is not known */
		h->value[METRIC_WAITING] =
			disturbed ? sb->disturbance * b->slice_ns * (double)b->k / iterations : 0;
	if (shown & 1u << GATE_CANARY)
		pair->canary_ns[1] = 2 * CANARY_NS;
}

static bool is_disturbed(const struct sim_bench *sb, const struct place *at)
{
	struct place p = *at;

	p.slice = DISTURBED_SLICE;
	return sb->disturbed_p[p.side] > 0 && uniform(&p, DRAW_DISTURBED) < sb->disturbed_p[p.side];
}

static void simulate_half(struct simulator *sim, const struct sim_bench *sb,
			  const struct rec_bench *b, struct place *p, struct rec_pair *pair)
{
	struct rec_half *h = &pair->half[p->side];
	bool disturbed = is_disturbed(sb, p), second = p->side != pair->first;
	double level = half_level(sim, sb, p, b->m, second) * (double)b->n *
		       (disturbed ? 1 + sb->disturbance : 1);

	h->slices = b->k;
	for (p->slice = 0; p->slice < b->k; p->slice++) {
		double ns = level * slice_noise(sb, p);

		if (sb->warming > 0)
			ns *= 1 + sb->warming * age(b, p);
		if (sb->rare_cost != 0 && is_rare(b, p))
			ns *= 1 + sb->rare_cost;
		if (sim->whole_ns)
			ns = rint(ns);
		h->cpu_ns[p->slice] = h->wall_ns[p->slice] = ns;
		sim->clock_ns += ns;
	}
	values_from_slices(h, b->n);
	h->value[METRIC_PAGE_FAULTS] = sb->page_faults[p->side];
	h->value[METRIC_VOLUNTARY_SWITCHES] = 0;
	show_disturbance(sb, b, pair, p->side, disturbed);
}

static unsigned times_rejected(const struct rec_block *blk, size_t pair)
{
	unsigned n = 0;

	for (size_t i = 0; i < blk->rejected_cnt; i++)
		n += blk->rejected[i].pair == pair;
	return n;
}

static enum source_status sim_pair(struct source *s, struct rec_bench *b, struct rec_block *blk,
				   size_t i)
{
	struct simulator *sim = (struct simulator *)s;
	const struct sim_bench *sb = script(sim, b->name);
	struct rec_pair *pair = &blk->pairs[i];
	struct place p = {.key = bench_key(sim, b->name),
			  .blk = blk,
			  .pair = i,
			  .again = times_rejected(blk, i)};
	enum source_status st = fault_at(sim, b, blk, (unsigned)i);

	sim->pairs++;
	if (st != SOURCE_OK)
		return st;
	if (s->options.canaries)
		pair->canary_ns[0] = pair->canary_ns[1] = CANARY_NS;
	for (p.side = 0; p.side < SIDE_CNT; p.side++) {
		simulate_half(sim, sb, b, &p, pair);
		if (is_counted(sb) && sim_counters_fill(sim, sb, b, blk, i, p.side) != 0)
			return out_of_memory(sim);
	}
	return SOURCE_OK;
}

static enum source_status sim_end(struct source *s, struct rec_bench *b, struct rec_block *blk)
{
	struct simulator *sim = (struct simulator *)s;
	enum source_status st = set_digests(sim, b, script(sim, b->name)->late_digest);

	sim->ends++;
	return st == SOURCE_OK ? fault_at(sim, b, blk, SIM_AT_END) : st;
}

static void sim_close(struct source *s, struct rec_bench *b)
{
	(void)b;
	((struct simulator *)s)->closes++;
}

static double sim_now(struct source *s)
{
	return ((struct simulator *)s)->clock_ns;
}

void simulator__init(struct simulator *sim, uint64_t seed, const struct sim_bench *benches,
		     size_t benches_cnt)
{
	static const struct source_ops ops = {
		.open = sim_open,
		.stage = sim_stage,
		.block = sim_block,
		.pair = sim_pair,
		.end = sim_end,
		.close = sim_close,
		.now = sim_now,
	};

	*sim = (struct simulator){
		.source = {.ops = &ops, .options = {.warmup_s = NAN, .timeout_s = NAN}},
		.seed = seed,
		.benches = benches,
		.benches_cnt = benches_cnt,
		.k = 5,
		.m = 3,
	};
}
