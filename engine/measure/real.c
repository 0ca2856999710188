/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../host/canary.h"
#include "../host/cpus.h"
#include "../host/emptywindow.h"
#include "../host/hostinfo.h"
#include "../project/dirs.h"
#include "../util/clock.h"
#include "../util/files.h"
#include "schedule.h"

#define SLEPT_TOLERANCE_NS 1000000 /* the two clocks are read one after the other */

static struct real_source *real(struct source *s)
{
	return (struct real_source *)s; /* `source` is its first member */
}

struct real_bench *real_bench_of(struct real_source *s, const struct rec_bench *b)
{
	return &s->benches[b - s->rec->benches];
}

const struct target *real_target_of(const struct real_source *s, const struct rec_bench *b)
{
	return &s->targets->items[b - s->rec->benches];
}

void real_case_name(const struct real_source *s, const struct rec_bench *b,
		    char ret[static PROTOCOL_NAME_MAX])
{
	/* it has come in a frame, so that it fits */
	if (b->sizes_cnt)
		(void)snprintf(ret, PROTOCOL_NAME_MAX, "%s" PROTOCOL_SIZE "%.0f", b->name,
			       b->sizes[s->size]);
	else
		(void)snprintf(ret, PROTOCOL_NAME_MAX, "%s", b->name);
}

struct rec_window real_window(const struct real_source *s, const struct rec_bench *b)
{
	if (b->sizes_cnt && b->window[s->size].n)
		return b->window[s->size];
	return (struct rec_window){.n = b->n, .k = b->k, .slice_ns = b->slice_ns};
}

struct child_spec real_spec(struct real_source *s, const struct rec_bench *b, enum side side,
			    const struct rec_coins *coins)
{
	struct real_bench *rb = &s->benches[b - s->rec->benches];
	struct child_spec spec = {
		.argv = (const char *const *)real_target_of(s, b)->argv.items,
		.envp = (const char *const *)rb->env.items,
		.cpus = &rb->cpus,
		.protocol_fd = -1,
		.output_fd = -1,
		.stdout_null = b->kind == BENCH_COMMAND,
		.leaf = groups_leaf(&s->groups, side),
	};

	inside_apply(&rb->inside[side], s->sandbox, slots_path(rb->slots, side, coins->slot0),
		     &spec);
	return spec;
}

enum source_status real_lost(struct rec_block *blk, enum side side, enum reason why)
{
	blk->lost = why;
	blk->lost_side = side;
	return SOURCE_LOST;
}

/* Only where the group above it has gone somebody removed it. */
enum source_status real_no_group(struct rec_bench *b, int err)
{
	AUTO_FREE char *text = NULL;

	if (err == -ENOENT || err == -ENODEV) {
		rec_bench__fail(b, REASON_CGROUP_LOST, SIDE_CNT, strerror(-err));
		return SOURCE_FAILED;
	}
	if (asprintf(&text, "its control group cannot be made: %s", strerror(-err)) < 0)
		text = NULL;
	rec_bench__fail(b, REASON_START_FAILED, SIDE_CNT, text ? text : strerror(-err));
	return SOURCE_FAILED;
}

void real_keep_tail(struct rec_bench *b, const struct child *c)
{
	if (!b->stderr_tail)
		b->stderr_tail = kept_text(&c->output);
}

static enum source_status broken(struct real_source *s, const char *what, int err)
{
	if (!s->source.error[0])
		(void)snprintf(s->source.error, sizeof(s->source.error), "%s: %s", what,
			       strerror(-err));
	return SOURCE_BROKEN;
}

enum source_status real_out_of_memory(struct real_source *s)
{
	return broken(s, "cannot record", -ENOMEM);
}

void real_note_output(struct real_source *s, const struct rec_bench *b, const struct child *c)
{
	if (kept_lost(&c->output))
		IGNORE_ERROR(record__note(
			s->rec, /* only a note */
			"\"%s\": %s: of %llu KiB of output the first and the last %d are kept",
			b->name, reason_get(REASON_OUTPUT_TRUNCATED)->name,
			(unsigned long long)c->output.total / 1024, KEPT_BYTES / 1024));
}

enum source_status real_fail(struct rec_bench *b, struct rec_block *blk, enum side side,
			     enum worker_result result, const struct worker *w)
{
	switch (result) {
	case WORKER_OK:
		return SOURCE_OK;
	case WORKER_INTERRUPTED:
		return SOURCE_INTERRUPTED;
	case WORKER_LOST:
		if (blk)
			return real_lost(blk, side, w->reason);
		break;
	case WORKER_SKIPPED:
		b->verdict = BENCH_SKIPPED;
		b->reason = REASON_SKIPPED;
		b->reason_side = side;
		free(b->detail);
		b->detail = w->detail ? strdup(w->detail) : NULL;
		return SOURCE_SKIPPED;
	case WORKER_FAILED:
		break;
	}
	real_keep_tail(b, &w->child);
	rec_bench__fail_by(b, w->reason, side, w->detail, w->code);
	return SOURCE_FAILED;
}

/* Whether the host slept or the CPU went away since the block began. */
static enum source_status host_check(struct real_source *s, const struct rec_bench *b,
				     struct rec_block *blk)
{
	if (clock_slept_ns() - s->slept_ns > SLEPT_TOLERANCE_NS)
		return real_lost(blk, SIDE_CNT, REASON_SUSPENDED);
	if (!cpus_present(&real_bench_of(s, b)->cpus))
		return real_lost(blk, SIDE_CNT, REASON_CPU_GONE);
	return SOURCE_OK;
}

/* One fresh copy for looking at the benchmark, before stage 1 makes its own. */
static int prepare(struct real_source *s, struct rec_bench *b, struct real_bench *rb)
{
	double timeout = real_target_of(s, b)->timeout_s;
	int err = nuisance_choose_cpus(s, b);

	if (!isnan(s->source.options.timeout_s))
		timeout = s->source.options.timeout_s;
	rb->timeout_ns = (uint64_t)((isnan(timeout) ? TIMEOUT_LEAST_S : timeout) * 1e9);
	if (!err)
		err = target_environment(s->config, b->kind == BENCH_FUNCTION, &rb->env);
	if (!err)
		err = environment_add_padding(&rb->env);
	if (!err)
		err = links_find(s, b);
	for (int i = 0; i < SIDE_CNT && !err; i++)
		err = inside__init(&rb->inside[i], &s->versions->tree[i],
				   real_target_of(s, b)->program[i], s->config, s->sandbox);
	if (!err)
		err = slots__renew(rb->slots, SIDE_BASELINE);
	if (!err)
		err = nuisance_use_cpus(s, &rb->cpus);
	return err;
}

/* What it takes to start a program could not be had. A full disk is no fault of the program. */
static enum source_status not_prepared(const struct real_source *s, struct rec_bench *b, int err)
{
	bool full = err == -ENOSPC || err == -EDQUOT;
	AUTO_FREE char *detail = NULL;

	if (full && asprintf(&detail, "%s, where copies of it are made: %s", s->program_dir,
			     strerror(-err)) < 0)
		detail = NULL; /* less is said */
	rec_bench__fail(b, REASON_START_FAILED, SIDE_CNT,
			detail ? detail : files_copy_strerror(err));
	return SOURCE_FAILED;
}

/* A default timeout follows the sample: max(60 s, 20 samples). */
static void widen_timeout(const struct real_source *s, const struct rec_bench *b,
			  struct real_bench *rb)
{
	double sample_ns = rb->sample_wall_ns;
	bool given = !isnan(s->source.options.timeout_s) || !isnan(real_target_of(s, b)->timeout_s);

	if (!given && 20 * sample_ns > (double)rb->timeout_ns)
		rb->timeout_ns = (uint64_t)(20 * sample_ns);
}

/* Which of its sizes it was that failed or was skipped: the benchmark's name alone does not say. */
static enum source_status with_size(const struct real_source *s, struct rec_bench *b,
				    enum source_status status)
{
	char *said;

	if (!b->sizes_cnt || (status != SOURCE_FAILED && status != SOURCE_SKIPPED))
		return status;
	if (asprintf(&said, "at size %.0f%s%s", b->sizes[s->size], b->detail ? ": " : "",
		     b->detail ? b->detail : "") < 0)
		return status; /* less is said */
	free(b->detail);
	b->detail = said;
	return status;
}

static enum source_status real_open(struct source *src, struct rec_bench *b)
{
	struct real_source *s = real(src);
	struct real_bench *rb = real_bench_of(s, b);
	enum source_status status;
	int err = prepare(s, b, rb);

	if (err)
		return not_prepared(s, b, err);
	err = groups__renew_both(&s->groups, &(struct rec_coins){0});
	if (err)
		return real_no_group(b, err);
	status = b->kind == BENCH_FUNCTION ? with_size(s, b, function_open(s, b))
					   : command_open(s, b);
	if (status == SOURCE_FAILED)
		real_blame(s, b, &(struct rec_coins){0});
	if (status != SOURCE_OK)
		return status;
	if (s->source.options.pairs)
		b->m = s->source.options.pairs;
	half_fix_missing(b, &s->tiers, s->rec->host.interference);
	widen_timeout(s, b, rb);
	return SOURCE_OK;
}

static enum source_status real_stage(struct source *src, struct rec_bench *b, unsigned stage)
{
	struct real_source *s = real(src);
	enum side first = schedule_coins(s->rec->seed, b->name, stage, 0, b->m).slot0;
	int err = links_renew(real_bench_of(s, b), first);

	if (!err && stage > 1)
		err = nuisance_other_cpus(s, b);
	if (!err)
		return SOURCE_OK;
	return not_prepared(s, b, err);
}

static enum source_status real_block(struct source *src, struct rec_bench *b, struct rec_block *blk)
{
	struct real_source *s = real(src);
	struct real_bench *rb = real_bench_of(s, b);
	int err = nuisance_use_cpus(s, &rb->cpus);

	if (err == -EINVAL) /* sched_setaffinity(2): none of them may be used any more */
		return real_lost(blk, SIDE_CNT, REASON_CPU_GONE);
	if (err)
		return broken(s, "cannot use the chosen CPU", err);
	blk->cpu = cpus_first(&rb->cpus);
	blk->environment_bytes = environment_resize(
		&rb->env, schedule_environment(s->rec->seed, b->name, blk->stage, blk->slot));
	blk->layout = links_layout(rb, blk);
	rb->slots = &rb->links[blk->layout];
	if (slots_per_block(rb->slots))
		err = slots__renew(rb->slots, blk->coins.slot0);
	if (err)
		return not_prepared(s, b, err);
	for (int side = 0; side < SIDE_CNT; side++)
		blk->inode[side] = slots_stat(rb->slots, (enum side)side, blk->coins.slot0)->st_ino;
	err = groups__renew_both(&s->groups, &blk->coins);
	if (err)
		return real_no_group(b, err);
	s->complete = false;
	s->slept_ns = clock_slept_ns();
	return b->kind == BENCH_FUNCTION ? with_size(s, b, function_block(s, b, blk)) : SOURCE_OK;
}

static enum source_status measure_pair(struct real_source *s, struct rec_bench *b,
				       struct rec_block *blk, size_t i)
{
	struct rec_pair *pair = &blk->pairs[i];
	enum source_status status;

	if (s->source.options.canaries)
		pair->canary_ns[0] = canary_ns(s->canary_turns);
	status = b->kind == BENCH_FUNCTION ? with_size(s, b, function_pair(s, b, blk, i))
					   : command_pair(s, b, blk, i);
	if (s->source.options.canaries)
		pair->canary_ns[1] = canary_ns(s->canary_turns);
	return status == SOURCE_OK ? host_check(s, b, blk) : status;
}

static enum source_status real_pair(struct source *src, struct rec_bench *b, struct rec_block *blk,
				    size_t i)
{
	struct real_source *s = real(src);
	enum source_status status;

	if (isnan(blk->canary_ns[0])) {
		watching__cpu_before(&s->watching, blk);
		blk->canary_ns[0] = canary_ns(s->canary_turns);
	}
	status = measure_pair(s, b, blk, i);
	s->complete = status == SOURCE_OK && i + 1 == rec_bench__pairs(b);
	if (s->complete) {
		blk->canary_ns[1] = canary_ns(s->canary_turns);
		watching__cpu_after(&s->watching, blk);
	}
	return status;
}

static enum source_status real_end(struct source *src, struct rec_bench *b, struct rec_block *blk)
{
	enum source_status status =
		b->kind == BENCH_FUNCTION ? with_size(real(src), b, function_end(real(src), b, blk))
					  : SOURCE_OK;

	groups_peak_both_or_none(blk);
	real_blame(real(src), b, &blk->coins);
	return status;
}

static void real_bench__done(struct real_bench *rb)
{
	links_done(rb);
	words__done(&rb->env);
	for (int side = 0; side < SIDE_CNT; side++)
		inside__done(&rb->inside[side]);
}

static void real_close(struct source *src, struct rec_bench *b)
{
	struct real_bench *rb = real_bench_of(real(src), b);

	real_bench__done(rb);
}

static const struct source_ops ops = {
	.open = real_open,
	.stage = real_stage,
	.block = real_block,
	.pair = real_pair,
	.end = real_end,
	.close = real_close,
};

static int make_program_dir(struct real_source *s)
{
	struct problem why = {0};
	AUTO_FREE char *cache = NULL;
	int err = dirs_cache(&cache, &why);

	if (!err && asprintf(&s->program_dir, "%s/programs", cache) < 0)
		err = -ENOMEM;
	if (!err)
		err = dirs_hold(s->program_dir, &s->program_dir_fd);
	problem__done(&why);
	return err;
}

/* What can be counted, on the CPU that is measured on. */
static void know_host(struct real_source *s)
{
	struct rec_host *h = &s->rec->host;
	struct empty_window empty;

	perf_tiers_probe("", &s->cpus, &s->tiers);
	h->hw_missing = s->tiers.hw;
	h->sw_missing = s->tiers.sw;
	h->user_read = s->tiers.user_read;
	empty_window_measure(&s->tiers, &empty);
	h->empty_cpu_ns = empty.cpu_ns;
	h->empty_wall_ns = empty.wall_ns;
	h->empty_instructions = empty.instructions;
	s->canary_turns = canary_turns();
	watching__open(&s->watching, s->rec);
}

int real_source__init(struct real_source *s, struct record *rec, const struct config *config,
		      const struct versions *versions, const struct targets *targets,
		      struct cgroup *cgroup, struct sandbox *sandbox, int interrupt_fd)
{
	int err;

	*s = (struct real_source){
		.source = {.ops = &ops, .options = {.warmup_s = NAN, .timeout_s = NAN}},
		.rec = rec,
		.config = config,
		.versions = versions,
		.targets = targets,
		.sandbox = sandbox,
		.interrupt_fd = interrupt_fd,
		.program_dir_fd = -1,
	};
	groups__init(&s->groups, cgroup, &config->limits);
	s->benches = calloc(rec->benches_cnt, sizeof(*s->benches));
	err = s->benches ? make_program_dir(s) : -ENOMEM;
	if (!err)
		err = cpus_choose(1, &s->cpus);
	if (!err)
		err = cpus_pin(&s->cpus, &s->old_cpus);
	if (err) {
		(void)broken(s, "cannot prepare this host for measuring", err);
		real_source__done(s);
		return err;
	}
	host_describe_cpu(&rec->host, "", cpus_first(&s->cpus));
	know_host(s);
	return 0;
}

int real_source__count(struct real_source *s, const struct perf_names *events)
{
	for (size_t i = 0; i < events->cnt; i++) {
		enum reason why = perf_explain("", perf_name_probe(&events->item[i]), 0);
		int err = record__add_event(s->rec, events->item[i].name);

		if (err)
			return err;
		s->rec->events[i].missing = why;
		if (why != REASON_NONE)
			continue;
		s->events.spec[s->events.cnt] = events->item[i].spec;
		s->events.index[s->events.cnt++] = i;
	}
	return 0;
}

void real_source__done(struct real_source *s)
{
	for (int side = 0; side < SIDE_CNT; side++)
		worker__done(&s->worker[side]);
	watching__close(&s->watching);
	groups__done(&s->groups);
	for (size_t i = 0; s->benches && i < s->rec->benches_cnt; i++) {
		real_bench__done(&s->benches[i]);
	}
	function_forget_digests(s);
	free(s->benches);
	free(s->program_dir);
	cleanup_fd(&s->program_dir_fd);
	s->benches = NULL;
	s->program_dir = NULL;
	s->program_dir_fd = -1;
	if (CPU_COUNT(&s->old_cpus))
		IGNORE_ERROR(cpus_pin(&s->old_cpus, NULL)); /* the CPUs may have gone */
}
