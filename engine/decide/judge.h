/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Policy over stats/: which metrics are judged against which limits, in which stages, and what a
 * benchmark and a run are called in the end. A pure function of the record's blocks: `joust analyze`
 * and the run loop call the same one.
 */
#include <stdbool.h>
#include "blocks.h"
#include "../../report/record.h"

/* Boundaries for one N. */
struct stage_plan {
	size_t n_max;
	double alpha;
	size_t n_min;	      /* first look with an interval; n_max when there is none */
	uint32_t *u, *l;      /* alpha, rho 2; beta .05, rho .5 */
	double detect_sigmas; /* z with: limit exp(z s) is seen with 80 % power; NaN: never */
};

/* No `same` before so many blocks, when the benchmark or a flag asks for `least`. */
static inline size_t stage_plan_min(const struct stage_plan *sp, size_t least)
{
	size_t n = least > sp->n_min ? least : sp->n_min;

	return n < sp->n_max ? n : sp->n_max;
}

struct plan_cache;

struct policy {
	enum judge_rule rule;
	double alpha; /* .01, one-sided, per stage */
	size_t blocks_max,
		blocks_min; /* --max-blocks (stage 1; twice that later), --min-blocks; 0: default */
	bool fixed_blocks;  /* --blocks N: blocks_max is N, and no `same` before N */
	double limit[METRIC_CNT]; /* --limit; NaN: the benchmark's or the table's */
	double peak_least; /* bytes that a peak must be above besides its ratio; NaN: as above */
	/*
	 * --prove-same as a ratio: a stage then has exactly N blocks unless it ends otherwise, and
	 * `same` must be shown by two one-sided tests at .05. NaN: not asked for.
	 */
	double prove_same;
	bool judge[METRIC_CNT]; /* --judge */
	/* Plans by N, made when first asked for, also through a const policy: one thread at a time. */
	struct plan_cache *plans;
};

/* Fills the defaults (60, 120, 120 blocks; alpha .01). */
void policy__init(struct policy *p);
/*
 * Checks the numbers and computes the boundaries. -EINVAL: a number outside its range (alpha in
 * (0, .5), --max-blocks 9..2047 and enough for alpha, --min-blocks at most that, limits >= 1 for
 * ratios and >= 0 for differences); -ENOMEM.
 */
int policy__prepare(struct policy *p) MUST_CHECK;
void policy__done(struct policy *p);

/* Fills rec->judging; the other way round a policy that is not prepared yet. */
void policy_record(const struct policy *p, struct record *rec);
void policy__of_record(struct policy *ret, const struct record *rec);

/* N of stage 1..3 as the policy has it, whatever a benchmark costs. */
size_t policy_blocks(const struct policy *p, unsigned stage);

/* Stages that its rule may ask for: 4, or by the rule of duel STAGES_MAX measurements. */
size_t policy_stages(const struct policy *p);

/*
 * The plan for N = n_max; it lives as long as the policy. Needs policy__prepare. -EINVAL: N outside
 * 1..BOUNDARY_N_MAX; -ENOMEM.
 */
int policy_plan(const struct policy *p, size_t n_max, const struct stage_plan **ret) MUST_CHECK;

/* The same at another alpha, in (0, .5). */
int policy_plan_at(const struct policy *p, size_t n_max, double alpha,
		   const struct stage_plan **ret) MUST_CHECK;

/*
 * Fixes in `b` what is judged, against what and with how many blocks; before the first block.
 * What is there already is the benchmark's own wish: metric[].judged, metric[].limit (NaN: unset;
 * `cpu_total` follows `cpu` while its own is unset or the table's), blocks_max[] and blocks_min
 * (0: unset), precision (NaN: unset). A number that the policy was given goes before them.
 */
void judge_plan(struct rec_bench *b, const struct policy *p);

/*
 * Judges `b` anew from its blocks: fills metric[].stage, verdicts, reasons, per-iteration medians,
 * detectable. A block counts when it is not lost. The verdict stays BENCH_OPEN while a judged metric
 * needs another block; an `error` or `skipped` stays and has no numbers. 0, -ENOMEM, or -EINVAL (a
 * limit or N in the record that no plan can have).
 */
int judge_bench(struct rec_bench *b, const struct policy *p) MUST_CHECK;

/*
 * The stage in which `b` needs another block now (1..3), 0 when every judged metric is settled.
 * Valid after judge_plan or judge_bench.
 */
unsigned judge_wants(const struct rec_bench *b);

/*
 * Whether the host spoiled so many blocks of a stage that no more are worth taking: more than three
 * and more than a tenth of those taken, whenever that first was so. What was settled by then stays,
 * what was open is undecided (`too-many-lost`), and judge_wants is 0.
 */
bool judge_too_many_lost(const struct rec_bench *b);

/* Only the per-iteration values, for a benchmark that is not judged. As judge_bench. */
int judge_summary(struct rec_bench *b, const struct policy *p) MUST_CHECK;

/*
 * The same where no more blocks will come (time, interrupt, lost blocks): what is open becomes
 * undecided for the reason `why`, not REASON_NONE, and what was settled is looked at as any other.
 */
int judge_close(struct rec_bench *b, const struct policy *p, enum reason why) MUST_CHECK;

/*
 * What a benchmark is called by its metrics' verdicts: the first that holds. `error` and `skipped`
 * are kept. An undecided `cpu_total` does not count where `cpu` is settled.
 */
enum bench_verdict judge_verdict(const struct rec_bench *b);

/*
 * Status and exit of the whole run from its benchmarks, what all say together, and rec->strict,
 * rec->bisect; an accepted regression counts as settled:
 * 3 before 1 before 2 before 0; --bisect maps 2 and 3 to 125 and 64 to 128. A run whose status is
 * STATUS_INTERRUPTED keeps status and exit. Under the verb "run" an open benchmark is a measured one,
 * elsewhere it is undecided.
 */
void judge_run(struct record *rec);

/* The status of a run that did not come to its end, or had nothing to compare: no judge changes it. */
bool judge_status_stays(const struct record *rec);

/*
 * The exit status of a run whose status stays: of its status, not of what the file says, so that no
 * file makes a failure pass; of an interrupt which of SIGHUP, SIGINT and SIGTERM it was (SIGINT where
 * the record has none of them).
 */
int judge_exit_that_stays(const struct record *rec);

/*
 * Judges a stored record anew, with a prepared policy of its own: every benchmark, all together, the
 * run. What is open for want of blocks is left open for the reason that the record gives for it, else
 * `not-measured`. A run that was interrupted, ended in an error of its own or had nothing to compare
 * stays what it was. 0, -ENOMEM or -EINVAL as judge_bench.
 */
int judge_again(struct record *rec, const struct policy *p) MUST_CHECK;

/* What a program ends with whose exit status is `status`: under --bisect, what git bisect run reads. */
int judge_exit(int status, bool bisect);

/*
 * All benchmarks together, anew from their blocks: fills rec->across. The values are the medians over
 * the benchmarks' cpu ratios of one round (blocks of equal `stage` and `round`, at least 8); limit 1 +
 * a quarter of the median benchmark's margin; slower must be so by the interval over the benchmarks'
 * medians too. 0, -ENOMEM or -EINVAL.
 */
int judge_across(struct record *rec, const struct policy *p) MUST_CHECK;

/*
 * The stage in which it needs another round of every benchmark that feeds it, also of those whose own
 * verdict is in; 0: none. Valid after judge_across, which must have been asked once before the first
 * round.
 */
unsigned judge_across_wants(const struct record *rec);
bool judge_feeds_across(const struct rec_bench *b);

/* No more rounds will come: what is open becomes undecided. */
void judge_across_close(struct record *rec, enum reason why);

/*
 * Value of a block for a timed metric: the median over its pairs of candidate / baseline, of a summed
 * one the sum of the candidate's windows over the baseline's (a cost in every tenth slice is in too
 * few windows of a block for a median). Either becomes its inverse when the sides change places. The
 * last pair in schedule order is dropped when their number is even. NaN when a half has no value.
 */
double judge_block_ratio(const struct rec_block *blk, enum metric_id id);
