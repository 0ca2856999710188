/* SPDX-License-Identifier: BSD-2-Clause */
/* All benchmarks together: a shift too small for any of them, judged round by round. */
#include "judge_parts.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "levels.h"
#include "../../stats/across.h"
#include "../../stats/median.h"
#include "../../stats/power.h"
#include "../../stats/sort.h"

/* The block values of one stage: of[member * rounds + round], NaN where there is none. */
struct board {
	size_t members, rounds;
	double *of;
	double *z; /* one a round that has enough of them */
	size_t z_cnt;
	size_t *round_of; /* of each z */
	double *a, *b, *scratch;
};

static bool is_member(const struct rec_bench *b)
{
	return !b->sizes_cnt && b->verdict != BENCH_ERROR && b->verdict != BENCH_SKIPPED &&
	       is_judged(&b->metric[METRIC_CPU]);
}

static size_t count_members(const struct record *rec)
{
	size_t n = 0;

	for (size_t i = 0; i < rec->benches_cnt; i++)
		n += is_member(&rec->benches[i]);
	return n;
}

/* A quarter of the margin of the benchmark in the middle. */
static double limit_across(const struct record *rec, double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < rec->benches_cnt; i++)
		if (is_member(&rec->benches[i]))
			scratch[n++] = rec->benches[i].metric[METRIC_CPU].limit;
	sort_doubles(scratch, n);
	return n ? 1 + (scratch[(n - 1) / 2] - 1) / 4 : 1;
}

static void fill_member(struct board *bd, size_t member, const struct rec_bench *b, unsigned stage)
{
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];

		if (blk->stage == stage && blk->lost == REASON_NONE && blk->round < bd->rounds)
			bd->of[member * bd->rounds + blk->round] =
				judge_block_ratio(blk, METRIC_CPU);
	}
}

static void fill_z(struct board *bd)
{
	for (size_t round = 0; round < bd->rounds; round++) {
		size_t n = 0;

		for (size_t i = 0; i < bd->members; i++) {
			double r = bd->of[i * bd->rounds + round];

			if (isfinite(r))
				bd->a[n++] = r;
		}
		/* too few benchmarks have a block of this round: it is passed over */
		if (across_block(bd->a, n, bd->scratch, &bd->z[bd->z_cnt]) == STATS_OK)
			bd->round_of[bd->z_cnt++] = round;
	}
}

static void fill_board(struct board *bd, const struct record *rec, unsigned stage)
{
	size_t member = 0;

	for (size_t i = 0; i < bd->members * bd->rounds; i++)
		bd->of[i] = NAN;
	for (size_t i = 0; i < rec->benches_cnt; i++)
		if (is_member(&rec->benches[i]))
			fill_member(bd, member++, &rec->benches[i], stage);
	bd->z_cnt = 0;
	fill_z(bd);
}

/* Median of a member over the rounds up to the one of z[cnt - 1]. */
static double member_median(const struct board *bd, size_t member, size_t cnt)
{
	size_t n = 0;

	for (size_t round = 0; round <= bd->round_of[cnt - 1]; round++) {
		double r = bd->of[member * bd->rounds + round];

		if (isfinite(r))
			bd->a[n++] = r;
	}
	return median_or_nan(bd->a, n, bd->scratch);
}

static bool benchmarks_agree(const struct board *bd, size_t cnt, double limit)
{
	struct median_interval in;
	size_t n = 0;

	for (size_t i = 0; i < bd->members; i++) {
		double median = member_median(bd, i, cnt);

		if (isfinite(median))
			bd->b[n++] = median;
	}
	return median_interval(bd->b, n, ACROSS_CONFIDENCE, INTERVAL_TWO, bd->scratch, &in) ==
		       STATS_OK &&
	       in.lo > limit; /* NaN: too few */
}

/*
 * The stage rule on z, and where that says slower the benchmarks must agree: at once or at a later
 * round, for the boundary has been crossed by then.
 */
static int judge_stage(const struct board *bd, const struct stage_plan *plan, double limit,
		       struct stage_result *ret)
{
	struct stage_rule rule = {plan->n_max, plan->n_min, plan->u, plan->l};

	if (stage_judge(&rule, bd->z, bd->z_cnt, limit, 1 / limit, bd->scratch, ret) != STATS_OK)
		return -EINVAL;
	if (ret->verdict == STAGE_SLOWER) {
		size_t n = ret->blocks;

		while (n < bd->z_cnt && n < rule.n_max && !benchmarks_agree(bd, n, limit))
			n++;
		if (!benchmarks_agree(bd, n, limit))
			ret->verdict = STAGE_OPEN;
	}
	if (ret->verdict == STAGE_OPEN && bd->rounds >= rule.n_max && bd->z_cnt >= rule.n_max)
		ret->verdict = STAGE_UNDECIDED;
	return 0;
}

static void conclude(struct rec_across *a)
{
	enum stage_verdict v[CONFIRMED_STAGES];
	static const struct {
		enum verdict verdict;
		enum reason why;
	} said[] = {
		[RUN_OPEN] = {VERDICT_NONE, REASON_NONE},
		[RUN_REGRESSED] = {VERDICT_SLOWER, REASON_NONE},
		[RUN_SAME] = {VERDICT_SAME, REASON_NONE},
		[RUN_FASTER] = {VERDICT_FASTER, REASON_NONE},
		[RUN_UNDECIDED] = {VERDICT_UNDECIDED, REASON_NEAR_LIMIT},
	};
	enum run_verdict run;

	for (size_t i = 0; i < a->stages_cnt; i++)
		v[i] = a->stage[i].verdict;
	run = run_judge(v, a->stages_cnt, CONFIRMED_STAGES);
	a->verdict = said[run].verdict;
	a->reason = said[run].why;
	if (a->verdict == VERDICT_UNDECIDED && a->stages_cnt > 1)
		a->reason = REASON_SUSPECTED;
}

static double detectable(const struct board *bd, const struct stage_plan *plan, size_t n,
			 double limit)
{
	double s;

	memcpy(bd->a, bd->z, n * sizeof(*bd->a));
	if (log_spread(bd->a, n, bd->scratch, &s) != STATS_OK)
		return NAN;
	return limit * exp(plan->detect_sigmas * s);
}

static int judge_stages(struct record *rec, const struct policy *p, struct board *bd)
{
	struct rec_across *a = &rec->across;
	int err = 0;

	for (unsigned i = 0; i < CONFIRMED_STAGES; i++) {
		const struct stage_plan *plan;

		err = policy_plan(p, policy_blocks(p, i + 1), &plan);
		if (err)
			return err;
		fill_board(bd, rec, i + 1);
		if (bd->z_cnt == 0)
			break;
		err = judge_stage(bd, plan, a->limit, &a->stage[i]);
		if (err)
			return err;
		a->stages_cnt = i + 1;
		a->detectable = detectable(bd, plan, a->stage[i].blocks, a->limit);
		if (a->stage[i].verdict != STAGE_SLOWER)
			break;
	}
	conclude(a);
	return 0;
}

static size_t rounds_measured(const struct record *rec)
{
	size_t rounds = 1;

	for (size_t i = 0; i < rec->benches_cnt; i++)
		for (size_t k = 0; k < rec->benches[i].blocks_cnt; k++)
			if (rec->benches[i].blocks[k].round >= rounds)
				rounds = rec->benches[i].blocks[k].round + 1;
	return rounds;
}

int judge_across(struct record *rec, const struct policy *p)
{
	struct board bd = {.members = count_members(rec), .rounds = rounds_measured(rec)};
	size_t most = bd.members + bd.rounds + policy_blocks(p, 2) + 1;
	AUTO_FREE double *of = calloc(bd.members * bd.rounds + 1, sizeof(*of));
	AUTO_FREE double *room = calloc(4 * most, sizeof(*room));
	AUTO_FREE size_t *round_of = calloc(most, sizeof(*round_of));

	rec->across = (struct rec_across){.benches = bd.members, .limit = NAN, .detectable = NAN};
	if (!of || !room || !round_of)
		return -ENOMEM;
	bd.of = of;
	bd.round_of = round_of;
	bd.z = room;
	bd.a = room + most;
	bd.b = room + 2 * most;
	bd.scratch = room + 3 * most;
	rec->across.limit = limit_across(rec, bd.scratch);
	/* at limit 1 there is no margin to take a quarter of */
	rec->across.judged = bd.members >= ACROSS_BENCHMARKS_MIN && rec->across.limit > 1;
	return rec->across.judged ? judge_stages(rec, p, &bd) : 0;
}

unsigned judge_across_wants(const struct record *rec)
{
	const struct rec_across *a = &rec->across;

	if (!a->judged || a->verdict != VERDICT_NONE)
		return 0;
	if (a->stages_cnt == 0)
		return 1;
	return (unsigned)a->stages_cnt + (a->stage[a->stages_cnt - 1].verdict != STAGE_OPEN);
}

bool judge_feeds_across(const struct rec_bench *b)
{
	return is_member(b);
}

void judge_across_close(struct record *rec, enum reason why)
{
	struct rec_across *a = &rec->across;

	if (!a->judged || a->verdict != VERDICT_NONE)
		return;
	a->verdict = VERDICT_UNDECIDED;
	a->reason = why;
}
