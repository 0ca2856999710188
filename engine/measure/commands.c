/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <math.h>
#include <string.h>
#include "../host/ends.h"
#include "../util/clock.h"
#include "../../stats/median.h"
#include "start_detail.h"
#include "values.h"

#define LOOKS 3

static enum source_status end_of_child(struct rec_bench *b, struct rec_block *blk, enum side side,
				       const struct child *c)
{
	AUTO_FREE char *name = child_end_name(c->status);
	enum reason why = end_of(c);

	if (why == REASON_NONE)
		return SOURCE_OK;
	if ((why == REASON_KILLED_BY_SYSTEM || why == REASON_CGROUP_LOST) && blk)
		return real_lost(blk, side, why);
	real_keep_tail(b, c);
	rec_bench__fail_by(b, why, side, c->status ? name : NULL, child_exit_status(c->status));
	return SOURCE_FAILED;
}

static enum source_status not_started(const struct real_source *s, struct rec_bench *b,
				      struct rec_block *blk, const struct child_spec *spec,
				      enum side side, const struct child *c, int err)
{
	AUTO_FREE char *detail = start_detail(real_target_of(s, b)->program[side], c, err);
	enum reason why = end_of_start(spec, err);

	if (why == REASON_CPU_GONE && blk)
		return real_lost(blk, SIDE_CNT, why);
	if (why == REASON_CPU_GONE)
		rec_bench__fail(b, why, side, NULL);
	else
		rec_bench__fail_by(b, why, side, detail, -err);
	return SOURCE_FAILED;
}

/* Runs one fresh process to its end. */
static enum source_status run_child(struct real_source *s, struct rec_bench *b,
				    struct rec_block *blk, const struct child_spec *spec,
				    enum side side, struct child *c)
{
	struct real_bench *rb = real_bench_of(s, b);
	enum reason limit;
	int err = child__start(c, spec);

	if (err)
		return not_started(s, b, blk, spec, side, c, err);
	switch (child__wait(c, -1, clock_ns(CLOCK_MONOTONIC) + rb->timeout_ns, s->interrupt_fd)) {
	case CHILD_EXITED:
		return end_of_child(b, blk, side, c);
	case CHILD_INTERRUPTED:
		return SOURCE_INTERRUPTED;
	case CHILD_READABLE:
	case CHILD_TIMED_OUT:
	default:
		child__kill(c, false);
		limit = end_limit(c);
		rec_bench__fail(b, limit == REASON_NONE ? REASON_TIMEOUT : limit, side, NULL);
		return SOURCE_FAILED;
	}
}

static void fill_half(struct rec_half *h, const struct child *c)
{
	h->slices = 1;
	h->cpu_ns[0] = child_cpu_from_exec_ns(c);
	h->wall_ns[0] = (double)(c->exit_ns - c->exec_ns);
	values_from_slices(h, 1);
	h->value[METRIC_PAGE_FAULTS] = (double)(c->usage.ru_minflt + c->usage.ru_majflt);
	h->value[METRIC_VOLUNTARY_SWITCHES] = (double)c->usage.ru_nvcsw;
	h->value[METRIC_INVOLUNTARY_SWITCHES] = (double)c->usage.ru_nivcsw;
}

/* What was done to it by others, and what it lacks because nobody knows. */
static enum source_status fill_seen(struct real_source *s, struct rec_bench *b,
				    struct rec_block *blk, struct rec_half *h,
				    const struct child *c)
{
	struct frame_seen seen;
	uint64_t ended_cnt;

	if (watching__command_end(&s->watching, &c->usage, c->exit_ns, blk, &seen, &ended_cnt))
		return real_out_of_memory(s);
	half_check_unwaited(h, b, child_cpu_unwaited_ns(c), ended_cnt);
	half_fill_seen(h, &seen, 1, b);
	return SOURCE_OK;
}

/* Said before anything is measured, once for all commands. */
static void note_unwaited(struct real_source *s, const struct child *c)
{
	if (!s->unwaited_said && isnan(child_cpu_unwaited_ns(c))) {
		IGNORE_ERROR(record__note(
			s->rec, /* only a note */
			"work in processes that a command does not wait for is not seen here: "
			"that takes a cgroup of version 2; joust doctor says how"));
		s->unwaited_said = true;
	}
}

static enum source_status sample(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				 enum side side, const struct rec_coins *coins,
				 struct rec_half *ret)
{
	/* A peak is that of a leaf; for all else one leaf serves the whole block. */
	int err = b->metric[METRIC_PEAK_MEMORY].judged ? groups__renew(&s->groups, side, coins) : 0;
	struct child_spec spec = real_spec(s, b, side, coins);
	struct child c = {0};
	enum source_status status;

	if (err)
		return real_no_group(b, err);
	if (blk)
		spec.witness = watching__command(&s->watching, side);
	groups__command_begin(&s->groups);
	status = run_child(s, b, blk, &spec, side, &c);
	real_note_output(s, b, &c);
	if (status == SOURCE_OK) {
		fill_half(ret, &c);
		note_unwaited(s, &c);
	}
	if (status == SOURCE_OK && blk) {
		groups__command_end(&s->groups, side, c.usage.ru_maxrss, blk,
				    &b->metric[METRIC_PEAK_MEMORY].missing);
		status = fill_seen(s, b, blk, ret, &c);
	}
	if (blk && !blk->pid[side]) {
		blk->pid[side] = c.pid;
		blk->start_ns[side] = (double)(c.exec_ns - c.spawn_ns);
	}
	child__done(&c);
	return status;
}

enum source_status command_pair(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				size_t i)
{
	struct rec_pair *pair = &blk->pairs[i];
	enum side order[SIDE_CNT] = {pair->first, !pair->first};

	for (int j = 0; j < SIDE_CNT; j++) {
		enum source_status status =
			sample(s, b, blk, order[j], &blk->coins, &pair->half[order[j]]);

		if (status != SOURCE_OK)
			return status;
	}
	return SOURCE_OK;
}

/* --- before the first block --- */

/*
 * The program told to stop when its libraries are mapped and relocated (ld.so(8):
 * LD_TRACE_LOADED_OBJECTS, LD_WARN, LD_BIND_NOW); it prints what it mapped. False when that failed.
 */
static bool trace_loader(struct real_source *s, struct rec_bench *b, enum side side,
			 struct child *ret)
{
	static const struct rec_coins coins = {.slot0 = SIDE_BASELINE};
	static const char *const env[] = {"LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=1", "LD_BIND_NOW=1",
					  NULL};
	struct child_spec spec = real_spec(s, b, side, &coins);
	const struct real_bench *rb = real_bench_of(s, b);
	uint64_t deadline = clock_ns(CLOCK_MONOTONIC) + rb->timeout_ns;

	spec.envp = env;
	spec.stdout_null = false;
	return elf_is_dynamic(slots_path(rb->slots, side, coins.slot0)) &&
	       !child__start(ret, &spec) &&
	       child__wait(ret, -1, deadline, s->interrupt_fd) == CHILD_EXITED && !ret->status;
}

/* NaN for static programs and scripts. */
static double loader_cost_ns(struct real_source *s, struct rec_bench *b)
{
	double cost = NAN;

	for (int i = 0; i < LOOKS; i++) {
		struct child c = {0};

		if (trace_loader(s, b, SIDE_BASELINE, &c))
			cost = fmin(cost, child_cpu_from_exec_ns(&c));
		child__done(&c);
	}
	return cost;
}

/* Own-build check: a command cannot be stopped to be looked at, so its loader is asked. */
static enum source_status check_libraries(struct real_source *s, struct rec_bench *b,
					  enum side side)
{
	AUTO_FREE char *listing = NULL;
	AUTO_FREE char *foreign = NULL;
	enum reason why = REASON_NONE;
	struct child c = {0};

	if (trace_loader(s, b, side, &c))
		listing = kept_text(&c.output);
	if (listing)
		why = identity_check_listing(listing, strlen(listing), &s->versions->tree[side],
					     &s->versions->tree[!side], &foreign);
	child__done(&c);
	if (why == REASON_NONE)
		return SOURCE_OK;
	rec_bench__fail(b, why, side, foreign);
	return SOURCE_FAILED;
}

static enum source_status look(struct real_source *s, struct rec_bench *b, double *ret_cpu_ns,
			       double *ret_wall_ns)
{
	static const struct rec_coins coins = {.slot0 = SIDE_BASELINE};
	double cpu[LOOKS], wall[LOOKS], scratch[LOOKS];
	size_t cnt = 0;

	for (; cnt < LOOKS; cnt++) {
		struct rec_half h;
		enum source_status status = sample(s, b, NULL, SIDE_BASELINE, &coins, &h);

		if (status != SOURCE_OK)
			return status;
		cpu[cnt] = h.cpu_ns[0];
		wall[cnt] = h.wall_ns[0];
		if (wall[cnt] > 1e9)
			break; /* a long command needs no second look */
	}
	cnt = cnt < LOOKS ? cnt + 1 : LOOKS;
	if (median_of(cpu, cnt, scratch, ret_cpu_ns) || median_of(wall, cnt, scratch, ret_wall_ns))
		return SOURCE_FAILED;
	return SOURCE_OK;
}

enum source_status command_open(struct real_source *s, struct rec_bench *b)
{
	double cpu_ns = 0, wall_ns = 0;
	enum source_status status = look(s, b, &cpu_ns, &wall_ns);
	size_t few;

	for (int side = 0; side < SIDE_CNT && status == SOURCE_OK; side++)
		status = check_libraries(s, b, (enum side)side);
	if (status != SOURCE_OK)
		return status;
	if (cpu_ns <= 0) {
		rec_bench__fail(b, REASON_BAD_SAMPLE, SIDE_BASELINE, "no CPU time at all");
		return SOURCE_FAILED;
	}
	few = plan_blocks(2 * wall_ns);
	b->n = 1;
	b->k = 1;
	b->slice_ns = cpu_ns;
	real_bench_of(s, b)->sample_wall_ns = wall_ns;
	b->m = few ? 1 : plan_command_pairs(cpu_ns);
	for (size_t i = 0; i < STAGES_MAX; i++)
		b->blocks_max[i] = few;
	b->loader_share = loader_cost_ns(s, b) / cpu_ns;
	return SOURCE_OK;
}
