/* SPDX-License-Identifier: BSD-2-Clause */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include "../util/clock.h"
#include "run_notes.h"
#include "run_parts.h"
#include "schedule.h"

double run_now_ns(const struct runner *r)
{
	if (r->src->ops->now)
		return r->src->ops->now(r->src);
	return (double)clock_ns(CLOCK_MONOTONIC);
}

double run_elapsed_s(const struct runner *r)
{
	return (run_now_ns(r) - r->start_ns) / 1e9;
}

void run_stop(struct runner *r, enum reason why, int err)
{
	if (r->stop == REASON_NONE)
		r->stop = why;
	if (!r->err)
		r->err = err;
}

/* No reason of the table fits a broken engine better; the message says what happened. */
void run_stop_broken(struct runner *r, const char *why)
{
	if (r->stop == REASON_NONE && !r->rec->message)
		r->rec->message = strdup(why); /* without memory the error number stands alone */
	run_stop(r, REASON_INTERRUPTED, -EIO);
}

bool run_interrupted(const struct runner *r)
{
	return r->opt->interrupted && r->opt->interrupted(r->opt->arg);
}

static void check_interrupted(struct runner *r)
{
	if (run_interrupted(r))
		run_stop(r, REASON_INTERRUPTED, -EINTR);
}

static void open_all(struct runner *r)
{
	for (size_t i = 0; i < r->cnt; i++) {
		struct lane *l = &r->lanes[i];

		l->b = &r->rec->benches[i];
		l->over = l->b->verdict != BENCH_OPEN;
		check_interrupted(r);
		if (!l->over && r->stop == REASON_NONE)
			lane_open(r, l);
	}
}

static bool takes_turn(const struct runner *r, const struct lane *l)
{
	return l->in && l->turn == r->turn;
}

static bool any_in(const struct runner *r)
{
	for (size_t i = 0; i < r->cnt; i++)
		if (takes_turn(r, &r->lanes[i]))
			return true;
	return false;
}

static void run_round(struct runner *r)
{
	schedule_round(r->rec->seed, r->stage, r->round, r->cnt, r->order);
	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++) {
		struct lane *l = &r->lanes[r->order[i]];

		if (!takes_turn(r, l))
			continue;
		check_interrupted(r);
		if (r->stop == REASON_NONE)
			lane_take_block(r, l);
	}
}

static void judge_all(struct runner *r)
{
	int err = judge_across(r->rec, &r->opt->policy);

	if (err)
		run_stop(r, REASON_INTERRUPTED, err);
}

/* After a round: who feeds it goes on, or stops. */
static void ask_across(struct runner *r)
{
	if (r->opt->measure_only || r->stop != REASON_NONE)
		return;
	judge_all(r);
	for (size_t i = 0; i < r->cnt && !r->opt->exhaust; i++) {
		struct lane *l = &r->lanes[i];

		l->in = l->in && !l->over && lane_wants_more(r, l);
	}
}

static bool time_is_over(const struct runner *r)
{
	return !isnan(r->opt->max_time_s) && run_elapsed_s(r) >= r->opt->max_time_s;
}

/* One round of stage 1 at least: something to show. */
static void check_time(struct runner *r)
{
	if ((r->stage > 1 || (r->stage == 1 && r->round > 0)) && time_is_over(r))
		run_stop(r, REASON_OUT_OF_TIME, 0);
}

static size_t count_in(const struct runner *r)
{
	size_t in = 0;

	for (size_t i = 0; i < r->cnt; i++)
		in += r->lanes[i].in;
	return in;
}

/* How many of those that are in ended their last stage before lane k did. */
static size_t ended_before(const struct runner *r, size_t k)
{
	double at = r->lanes[k].last_ns;
	size_t before = 0;

	for (size_t i = 0; i < r->cnt; i++) {
		const struct lane *l = &r->lanes[i];

		before += l->in && (l->last_ns < at || (i < k && l->last_ns == at));
	}
	return before;
}

/*
 * A measurement is one turn of all. A confirmation has two, of half of the benchmarks each, and those
 * whose last stage ended first go first: so the stages of a benchmark never follow each other at once
 * where there is another benchmark to put between them.
 */
static unsigned deal_turns(struct runner *r)
{
	/* what all say together is said of one round of all, and then all lie between the stages */
	bool apart = r->stage > 1 && judge_across_wants(r->rec) != r->stage;
	size_t in = count_in(r);

	for (size_t i = 0; i < r->cnt; i++)
		if (r->lanes[i].in)
			r->lanes[i].turn = apart && ended_before(r, i) >= (in + 1) / 2;
	return apart && in > 1 ? 2 : 1;
}

static void run_stage(struct runner *r)
{
	unsigned turns;

	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++)
		lane_enter_stage(r, &r->lanes[i]);
	turns = deal_turns(r);
	r->round = 0;
	for (r->turn = 0; r->turn < turns; r->turn++) {
		for (; r->stop == REASON_NONE && any_in(r); r->round++) {
			check_time(r);
			run_round(r);
			ask_across(r);
		}
	}
}

/* As long as there is time: what is judged comes first. */
static void run_planning(struct runner *r)
{
	r->stage = 0;
	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++)
		lane_enter_stage(r, &r->lanes[i]);
	for (r->round = 0; r->stop == REASON_NONE && any_in(r) && !time_is_over(r); r->round++)
		run_round(r);
	for (size_t i = 0; i < r->cnt && r->stop == REASON_NONE; i++)
		lane_plan_by_blocks(r, &r->lanes[i]);
}

static void run_all(struct runner *r)
{
	unsigned stages = r->opt->measure_only ? 1 : STAGES_MAX;

	open_all(r);
	if (r->opt->plan_blocks)
		run_planning(r);
	ask_across(r); /* whether there are enough benchmarks */
	for (r->stage = 1; r->stage <= stages && r->stop == REASON_NONE; r->stage++)
		run_stage(r);
	for (size_t i = 0; i < r->cnt; i++)
		lane_finish(r, &r->lanes[i]);
	if (!r->opt->measure_only)
		judge_all(r);
	judge_across_close(r->rec, r->stop == REASON_NONE ? REASON_NOT_MEASURED : r->stop);
	run_note_gaps(r->rec);
	run_note_loader(r->rec);
	run_note_digests(r->rec);
	if (r->stop == REASON_OUT_OF_TIME)
		run_note_time(r->rec, r->opt->max_time_s);
}

static int say_gate(struct record *rec, gate_rules rules)
{
	char text[GATE_TEXT_MAX];

	if (!rules || rec->gate)
		return 0;
	gate_describe(rules, text);
	rec->gate = strdup(text);
	return rec->gate ? 0 : -ENOMEM;
}

int run_measure(struct record *rec, struct source *src, const struct run_options *opt)
{
	AUTO_FREE struct lane *lanes = calloc(rec->benches_cnt + 1, sizeof(*lanes));
	AUTO_FREE uint32_t *order = calloc(rec->benches_cnt + 1, sizeof(*order));
	struct runner r = {
		.rec = rec,
		.src = src,
		.opt = opt,
		.gate = {.rules = opt->gate},
		.lanes = lanes,
		.cnt = rec->benches_cnt,
		.order = order,
	};

	if (!lanes || !order || say_gate(rec, opt->gate) != 0)
		return -ENOMEM;
	policy_record(&opt->policy, rec);
	src->options.canaries = opt->gate & 1u << GATE_CANARY;
	r.start_ns = run_now_ns(&r);
	run_all(&r);
	return r.err;
}
