/* SPDX-License-Identifier: BSD-2-Clause */
/* A benchmark enters the run, meets what its source says, and leaves it. */
#include "run_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "schedule.h"

#define COMMAND_LIMIT_LEAST 1.02 /* below it whole processes differ by themselves */

static void lane_end(struct lane *l)
{
	l->in = false;
	l->over = true;
}

void lane_ask_judge(struct runner *r, struct lane *l)
{
	int err = judge_bench(l->b, &r->opt->policy);

	if (err)
		run_stop(r, REASON_INTERRUPTED, err);
}

static void summarize(struct runner *r, struct lane *l)
{
	int err = judge_summary(l->b, &r->opt->policy);

	if (err)
		run_stop(r, REASON_INTERRUPTED, err);
}

static void close_judge(struct runner *r, struct lane *l, enum reason why)
{
	int err = judge_close(l->b, &r->opt->policy, why);

	if (err)
		run_stop(r, REASON_INTERRUPTED, err);
}

/* Ends a benchmark before it is settled. */
void lane_close(struct runner *r, struct lane *l, enum reason why)
{
	lane_end(l);
	if (r->opt->measure_only) {
		l->b->verdict = BENCH_UNDECIDED;
		l->b->reason = why;
		summarize(r, l);
		return;
	}
	close_judge(r, l, why);
}

/* What a status other than OK and LOST means for the benchmark and for the run. */
void lane_apply(struct runner *r, struct lane *l, enum source_status st)
{
	switch (st) {
	case SOURCE_OK:
	case SOURCE_LOST:
		return;
	case SOURCE_FAILED:
		/* the source has said why; this stands only if it forgot to */
		rec_bench__fail(l->b, REASON_START_FAILED, SIDE_CNT, NULL);
		break;
	case SOURCE_SKIPPED:
		l->b->verdict = BENCH_SKIPPED;
		break;
	case SOURCE_INTERRUPTED:
		run_stop(r, REASON_INTERRUPTED, -EINTR);
		return;
	case SOURCE_BROKEN:
		run_stop_broken(r, r->src->error);
		return;
	}
	lane_end(l);
	lane_ask_judge(r, l); /* takes back the numbers of what failed */
}

#define DIGEST_LEN 32 /* hexadecimal digits of what one process computed */

/* What was computed must not differ; a timing of two different things is none. */
static bool digests_differ(const struct rec_bench *b)
{
	const char *base = b->digest[SIDE_BASELINE], *cand = b->digest[SIDE_CANDIDATE];

	return base && cand && strcmp(base, cand) != 0;
}

/* "at size N: " where both sides gave a digest of each size, else nothing. */
static void name_size(const struct rec_bench *b, size_t i, char ret[static 48])
{
	size_t all = b->sizes_cnt * DIGEST_LEN;

	ret[0] = '\0';
	if (all && strlen(b->digest[SIDE_BASELINE]) == all &&
	    strlen(b->digest[SIDE_CANDIDATE]) == all)
		(void)snprintf(ret, 48, "at size %.0f: ", b->sizes[i]);
}

static void fail_digests(struct runner *r, struct lane *l)
{
	const char *base = l->b->digest[SIDE_BASELINE], *cand = l->b->digest[SIDE_CANDIDATE];
	char detail[160], size[48];
	size_t at = 0;

	while (base[at] && base[at] == cand[at])
		at++;
	at -= at % DIGEST_LEN; /* of several sizes the first that differs */
	name_size(l->b, at / DIGEST_LEN, size);
	(void)snprintf(detail, sizeof(detail), "%sbaseline %.*s, candidate %.*s", size, DIGEST_LEN,
		       base[at] ? base + at : "none", DIGEST_LEN, cand[at] ? cand + at : "none");
	rec_bench__fail(l->b, REASON_DIGEST_DIFFERS, SIDE_CNT, detail);
	lane_apply(r, l, SOURCE_FAILED);
}

bool lane_check_digests(struct runner *r, struct lane *l)
{
	if (!digests_differ(l->b))
		return true;
	fail_digests(r, l);
	return false;
}

static void warn_of_limit(struct runner *r, const struct rec_bench *b)
{
	const struct rec_metric *cpu = &b->metric[METRIC_CPU];

	if (b->kind == BENCH_COMMAND && cpu->judged && cpu->limit < COMMAND_LIMIT_LEAST)
		IGNORE_ERROR(record__note(
			r->rec, /* a note that does not fit in memory is no reason to stop */
			"\"%s\": the limit %g is below %g, which is about as much as two processes "
			"of "
			"the same program differ; a function benchmark can tell more",
			b->name, cpu->limit, COMMAND_LIMIT_LEAST));
}

/* A rule that has nothing to look at lets everything pass, which must not look like quiet. */
static void warn_of_blind_gate(struct runner *r, const struct rec_bench *b)
{
	enum gate_rule blind = gate_blind_to(r->opt->gate, b);

	if (b->sizes_cnt && r->opt->gate)
		IGNORE_ERROR(record__note(r->rec, /* only a note */
					  "\"%s\": has sizes, for which there is no gate",
					  b->name));
	else if (blind < GATE_RULES)
		IGNORE_ERROR(record__note(r->rec, /* only a note */
					  "\"%s\": the gate's rule \"%s\" has nothing to look at",
					  b->name, gate_rule_name(blind)));
}

/*
 * How many blocks sizes need is no matter of taste: their bounds hold for that number. What asks for
 * more blocks until it is content has none to ask for.
 */
static void warn_of_unasked_sizes(struct runner *r, const struct rec_bench *b)
{
	const struct policy *p = &r->opt->policy;

	if (b->sizes_cnt && (p->blocks_max || p->blocks_min))
		IGNORE_ERROR(record__note(
			r->rec, /* only a note */
			"\"%s\": has sizes, which take %zu blocks in every stage, whatever "
			"--blocks, --min-blocks and --max-blocks say",
			b->name, b->blocks_max[0]));
	if (b->sizes_cnt && (!isnan(p->prove_same) || !isnan(b->precision)))
		IGNORE_ERROR(record__note(r->rec, /* only a note */
					  "\"%s\": has sizes, of which neither --prove-same nor "
					  "precision asks anything",
					  b->name));
}

static void plan(struct runner *r, struct lane *l)
{
	struct rec_bench *b = l->b;

	judge_plan(b, &r->opt->policy);
	l->planned = true;
	b->sized_key = schedule_resamples(r->rec->seed, b->name);
	for (enum metric_id id = 0; r->opt->measure_only && id < METRIC_CNT; id++)
		b->metric[id].judged = false;
	warn_of_limit(r, b);
	warn_of_blind_gate(r, b);
	warn_of_unasked_sizes(r, b);
}

static bool plan_possible(const struct rec_bench *b)
{
	return b->m % 2 == 1 && b->m <= PAIRS_MAX && b->n >= 1 && b->k >= 1 && b->k <= SLICES_MAX;
}

void lane_open(struct runner *r, struct lane *l)
{
	enum source_status st = SOURCE_LOST;

	for (unsigned i = 0; i <= OPENS_LOST && st == SOURCE_LOST; i++)
		st = r->src->ops->open(r->src, l->b);
	l->opened = st == SOURCE_OK;
	lane_apply(r, l, st);
	if (st == SOURCE_OK && !plan_possible(l->b))
		run_stop_broken(r, "the source made a plan that cannot be scheduled");
	if (st != SOURCE_OK && st != SOURCE_LOST)
		return;
	plan(r, l);
	if (st == SOURCE_LOST)
		lane_close(r, l, REASON_TOO_MANY_LOST);
	else
		(void)lane_check_digests(r, l); /* it has ended the benchmark if they differ */
}

void lane_finish(struct runner *r, struct lane *l)
{
	if (l->opened)
		r->src->ops->close(r->src, l->b);
	if (l->over)
		return;
	if (!l->planned)
		plan(r, l);
	if (r->opt->measure_only) {
		summarize(r, l);
		return;
	}
	lane_ask_judge(r, l);
	if (l->b->verdict == BENCH_OPEN)
		close_judge(r, l, r->stop == REASON_NONE ? REASON_NOT_MEASURED : r->stop);
}
