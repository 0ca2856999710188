/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The run record: everything one `joust compare` did. The engine fills it, the judge adds verdicts,
 * every output is a rendering of it. Strings and arrays are owned by the record and freed by
 * record__done. Times are nanoseconds; "not measured" is NaN with a reason.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "metrics.h"
#include "reasons.h"
#include "../stats/duel.h"
#include "../stats/stage.h"
#include "cleanup.h"

enum side { SIDE_BASELINE, SIDE_CANDIDATE, SIDE_CNT };

/* How verdicts of timed metrics come about: --rule. */
enum judge_rule {
	RULE_STAGES,
	RULE_DUEL, /* the rule of an earlier tool, for comparison */
	RULE_CNT
};

#define SLICES_MAX 16
#define PAIRS_MAX  33 /* m of a block: the largest whose arrangements a uint32_t can number */
#define SIZES_MAX  16
#define EVENTS_MAX 8 /* -e */

#define STATE_SPAN_S 10.0 /* states of a machine last 1 to 5 s */

/* One thread of a worker over a window; whole window, NaN = not known. */
struct rec_thread {
	double cpu_ns; /* the thread's own clock */
	double running_ns, waiting_ns, blocked_ns;
};

/* One sample: a window of one worker, or one command. */
struct rec_half {
	size_t slices;
	double cpu_ns[SLICES_MAX]; /* per slice, whole slice, untimed sections subtracted */
	double wall_ns[SLICES_MAX];
	double value[METRIC_CNT]; /* per iteration; NaN = not measured */
	/*
	 * Why this half has no value although its neighbours may; REASON_NONE: exact, or missing
	 * in the whole benchmark (rec_metric.missing).
	 */
	enum reason missing[METRIC_CNT];
	double event[EVENTS_MAX]; /* record.events, per iteration; NaN = not measured */
	/* Threaded benchmarks: a row for each thread that was there from the start to the end. */
	struct rec_thread *threads;
	size_t threads_cnt;
};

struct rec_pair {
	enum side first; /* the side that was measured first */
	size_t place;	 /* in the schedule of its block: a gate may keep fewer than were tried */
	/* beside this very pair, where a gate looks at it; NaN = not measured */
	double canary_ns[2];
	struct rec_half half[SIDE_CNT];
};

/* The coins of a block (design.md, Judging 1), drawn before its first measurement. */
struct rec_coins {
	enum side spawned_first;	 /* j = 0 (function benchmarks) */
	enum side majority;		 /* j = 1: goes first in (m+1)/2 of the m pairs */
	uint32_t arrangement;		 /* j = 2: rank of the arrangement, lexicographic */
	enum side slot0, leaf0, low_fds; /* j = 3, 4, 5 */
};

/* What the kernel counted for a worker over a whole block, read while it was parked. */
struct rec_check {
	double task_clock_ns, page_faults, switches, migrations; /* NaN = not measured */
	double cpu_ns;						 /* the CPU clock of its process */
	double claimed; /* the share of that which its windows claim, what lies beside them left out */
	enum reason missing;
};

/* A pair that the gate rejected and measured again: kept, and judged by the sensitivity judge alone. */
struct rec_rejected {
	size_t pair;	  /* its place in the block */
	unsigned attempt; /* 0 = the first */
	enum reason why;
	enum side side; /* whose half was disturbed; SIDE_CNT: both */
	struct rec_pair values;
};

#define COMM_MAX 16

/* Who ran while a worker of the block waited for its CPU. */
struct rec_preemptor {
	int64_t pid;
	char comm[COMM_MAX]; /* NUL-terminated; any bytes: it is another program's to choose */
	double ns;
	double times;
};

struct rec_block {
	unsigned stage; /* 0 = planning, 1 = measurement, 2 and 3 = confirmations */
	unsigned slot;	/* 0-based within the stage; a block taken again keeps it */
	unsigned attempt;
	unsigned round; /* of the stage, from 0: the blocks of one round lie side by side */
	struct rec_coins coins;
	enum reason lost; /* REASON_NONE: the block counts */
	enum side lost_side;
	unsigned layout;  /* which link of both sides it ran, from 0 */
	size_t pairs_cnt; /* pairs completed; of a sized benchmark m for each size, size by size */
	size_t pairs_room;
	struct rec_pair *pairs;
	size_t rejected_cnt;
	struct rec_rejected *rejected;
	int cpu;
	size_t environment_bytes; /* of each process; 0: not known */
	double at_ns;		  /* since the start of the run */
	/* first process of each side; of the last size, where there are sizes */
	int64_t pid[SIDE_CNT];
	uint64_t inode[SIDE_CNT];  /* of the program file handed out */
	double start_ns[SIDE_CNT]; /* spawn to ready */
	/*
	 * Most memory that measured work needed above the worker's start; of a command the least of
	 * its processes. NaN = not measured. The first block of each side pays for the page cache.
	 */
	double peak_bytes[SIDE_CNT];
	struct rec_check check[SIDE_CNT];
	/*
	 * The speed canary: a fixed spin of the engine on the measured CPU, before the first and
	 * after the last pair. NaN = not measured.
	 */
	double canary_ns[2];
	/*
	 * Of the measured CPU between the two canaries: stolen time as the hypervisor reports it, in
	 * ticks of the kernel, and changes of frequency that the kernel told of. NaN = not known.
	 */
	double steal_ns, frequency_changes;
	struct rec_preemptor *preemptors; /* worst first */
	size_t preemptors_cnt;
};

/* Two one-sided tests on the logs of the block values of the last stage. */
struct rec_equivalence {
	double margin; /* a ratio; NaN: not asked for */
	double p;      /* the larger of the two; NaN: not tested */
	double lo, hi; /* ratios, 90 % */
	bool shown;
};

enum verdict {
	VERDICT_NONE, /* not judged */
	VERDICT_SLOWER,
	VERDICT_FASTER,
	VERDICT_SAME,
	VERDICT_UNDECIDED,
};

struct rec_metric {
	bool judged;
	enum reason missing; /* why there is no value, REASON_NONE when there is one */
	double limit;	     /* as used; ratio or difference */
	double least;	     /* a peak is worse only by more than so many bytes too */
	/* median (timed) or minimum (counted) over the blocks; of a peak the minimum, in bytes */
	double per_iteration[SIDE_CNT];
	size_t stages_cnt; /* stages judged so far */
	struct stage_result stage[STAGES_MAX];
	enum verdict verdict;
	enum reason reason; /* for undecided */
	bool not_confirmed; /* same, because a confirmation did not find it again */
	bool moved;	    /* a count: more or fewer than the limit allows, and not by chance */
	double detectable;  /* ratio that would have been seen with 80 % power; NaN unknown */
	/* how the judged blocks behave, of all stages together; NaN: unknown */
	double order_effect; /* log of what the second half of a pair takes more than the first */
	double spread_ratio; /* MAD of the blocks over that of the pairs within them */
	double serial_correlation; /* of the ranks of successive blocks */
	double decile_lo, decile_hi;
	struct rec_equivalence equivalence;
	bool unstable;	/* it wanders: the deciles are shown, not one number */
	size_t layouts; /* different links of a side among them */
};

/* The timings of a benchmark together: a change that shows in another one in each stage. */
struct rec_any_timing {
	size_t timings;
	size_t stages_cnt;
	enum stage_verdict stage[STAGES_MAX];
	bool slower; /* in all four; by the rule of duel in all five, and `stage` is not filled */
};

/* A column of a sized benchmark's last stage; logs. */
struct rec_endpoint {
	double estimate, lo, hi; /* simultaneous */
	double upper;		 /* one-sided */
	double margin;		 /* NaN: shown, not gated */
};

/*
 * What blocks of stage 0 said before the plan was fixed; they are never judged. Spreads are of the logs
 * of ratios; NaN = not known.
 */
struct rec_planning {
	size_t blocks;	  /* that counted; 0: the plan stands on what was looked at alone */
	uint64_t n;	  /* with which they were measured */
	size_t m;	  /* likewise */
	double disturbed; /* share of slices more than 1 % above the median of their process */
	double within;	  /* of the pairs of a block */
	double between;	  /* of blocks, beyond what their pairs account for */
	double predicted; /* of blocks of the planned m */
	double wanted;	  /* at most so much, where enough pairs can do it */
};

/* What one size of a benchmark is measured with. */
struct rec_window {
	uint64_t n;	 /* iterations per slice */
	size_t k;	 /* slices */
	double slice_ns; /* of the baseline, at calibration */
};

/* Why blocks run one link alone, as far as renderers tell it apart. The words stand beside it. */
enum one_layout {
	ONE_LAYOUT_OTHER,
	/* the code is not the project's to lay out */
	ONE_LAYOUT_FOREIGN,
	ONE_LAYOUT_SCRIPT,
	ONE_LAYOUT_CNT
};

enum bench_kind { BENCH_FUNCTION, BENCH_COMMAND };

/* In order of precedence: the first that holds. */
enum bench_verdict {
	BENCH_OPEN, /* not judged yet */
	BENCH_ERROR,
	BENCH_SKIPPED,
	BENCH_REGRESSED,
	BENCH_UNDECIDED,
	BENCH_FASTER,
	BENCH_CHANGED,
	BENCH_SAME,
};

struct rec_bench {
	char *name;
	enum bench_kind kind;
	char *command; /* program relative to its tree and arguments, as configured */
	/*
	 * Sizes that a block measures one after the other, m pairs each; 0: it has none. Judged are
	 * then, of cpu alone, the largest size, the change of slope and the candidate's growths:
	 * endpoint[] has a column for each size, the slope, and a growth from each size to the next.
	 */
	size_t sizes_cnt;
	double sizes[SIZES_MAX];
	struct rec_window window[SIZES_MAX]; /* of each size; zeroed where nobody planned them */
	struct rec_endpoint endpoint[2 * SIZES_MAX];
	uint64_t sized_key; /* of the resamples */
	size_t threads;	    /* 1 unless the benchmark says otherwise */
	/* the plan, fixed before the first judged block, equal on both sides; with sizes: of the largest */
	uint64_t n;	 /* iterations per slice */
	size_t k;	 /* slices per window */
	size_t m;	 /* pairs per block, odd */
	double slice_ns; /* of the baseline, at calibration */
	struct rec_planning planning;
	double start_both_ns; /* cost of starting a fresh process of each side; commands: 0 */
	size_t blocks_max[STAGES_MAX]; /* N of stages 1..; index 0 = stage 1 */
	size_t blocks_min;
	double precision;    /* ratio that half an interval must not exceed; NaN: none asked for */
	double loader_share; /* commands: start-up cost / cost; NaN unknown */
	/* from the end of the stage before to the first block of stage i + 1; NaN: there was none */
	double gap_s[STAGES_MAX];
	/* what happened */
	enum bench_verdict verdict;
	enum reason reason;    /* error, skipped */
	enum side reason_side; /* SIDE_CNT: both */
	char *detail;	       /* "SIGSEGV", "exit status 3", the skip's own words; may be NULL */
	/* of exit-status the status, of start-failed an errno; 0: none. Not in the file */
	int code;
	char *stderr_tail; /* last output of a failed worker; may be NULL */
	char *digest[SIDE_CNT];
	/* why a regression is wanted, and the commit; NULL: it is not */
	char *accepted, *accepted_by;
	size_t layouts; /* links of each side that blocks take in turn; 0: not known */
	enum one_layout one_layout;
	char *layouts_why; /* why there is but one; NULL */
	size_t blocks_cnt;
	struct rec_block *blocks;
	size_t lost_cnt;
	size_t rejected[SIDE_CNT]; /* attempts that the gate rejected for this side's sake alone */
	double seconds;
	struct rec_metric metric[METRIC_CNT];
	struct rec_any_timing any_timing;
	struct duel_chain duel; /* by that rule: of the timed metrics but for cpu_total */
};

/* All benchmarks together. */
struct rec_across {
	bool judged;	/* there are enough of them */
	size_t benches; /* that give blocks */
	double limit;
	size_t stages_cnt;
	/* of the median over the benchmarks, round by round */
	struct stage_result stage[STAGES_MAX];
	enum verdict verdict;
	enum reason reason; /* for undecided */
	double detectable;
};

enum version_kind { VERSION_COMMIT, VERSION_WORKTREE, VERSION_DIR, VERSION_PROGRAM };

struct rec_version {
	enum version_kind kind;
	char *ref;    /* as named or found: "main", "v1.2"; NULL */
	char *commit; /* full id; NULL */
	char *path;   /* tree or program measured */
	char *source; /* for a directory or program: as the user named it; NULL */
	char *tree_hash;
	size_t changed_files; /* of a snapshot: files that differ from its commit */
	bool built, build_cached;
	double build_seconds;
	char *build_log; /* path; NULL */
};

/* Where what the kernel did to a worker is known from. */
enum interference_source { INTERFERENCE_NONE, INTERFERENCE_GETRUSAGE, INTERFERENCE_BPF };

struct rec_host {
	char *kernel, *cpu_model, *hostname_hash;
	int cpus, cpu; /* online; the one measured on */
	bool virtual_machine, pmu, bpf;
	char *pmu_missing;	/* why there is no PMU; NULL */
	enum reason hw_missing; /* tier `hw`: hardware counters; REASON_NONE: there */
	enum reason sw_missing; /* the kernel's cross-check of what workers read themselves */
	bool user_read;		/* hardware counters are read without a system call */
	enum interference_source interference;
	char *interference_missing; /* why not by BPF, or what BPF does not see here; NULL */
	/* An empty window on this host: the least of several, on the measured CPU. NaN unknown. */
	double empty_cpu_ns, empty_wall_ns, empty_instructions;
	char *cgroup;	/* "memory v1, pids v1, kill v2"; "none"; NULL unknown */
	char *governor; /* NULL: absent */
};

enum run_status {
	STATUS_PASSED,
	STATUS_FAILED,
	STATUS_UNDECIDED,
	STATUS_NOTHING,
	STATUS_ERROR,
	STATUS_INTERRUPTED,
};

struct rec_option {
	char *name, *value;
};

/* An event asked for by -e, recorded and never judged. */
struct rec_event {
	char *name; /* as it is counted: "branches:u" */
	enum reason missing;
};

/* One layer of the sandbox. */
struct rec_layer {
	char *name;
	bool engaged;
	char *missing; /* why it is not; NULL when it is, or was not asked for */
};

struct rec_refusal {
	int number;
	char *name; /* NULL: unknown here */
	uint64_t cnt;
};

/* What the judge was asked for, besides what each benchmark's plan says. */
struct rec_judging {
	enum judge_rule rule;
	double alpha;
	size_t blocks;	   /* N of stage 1 where a benchmark has none of its own */
	double prove_same; /* a ratio; NaN: not asked for */
};

struct record {
	enum run_status status;
	int exit;      /* exit status of the program */
	char *message; /* nothing to compare, error; NULL */
	char *verb;    /* "compare", "run" */
	char *project; /* display name */
	char *path;    /* where the record was written; NULL */
	char *build;   /* build command; NULL */
	char *started; /* RFC 3339, UTC */
	double seconds;
	uint64_t seed;
	bool strict, bisect;
	struct rec_judging judging;
	char *gate; /* its rules, "canary switches"; NULL: off */
	size_t options_cnt;
	struct rec_option *options; /* given on the command line or in the environment */
	struct rec_version version[SIDE_CNT];
	struct rec_host host;
	char *sandbox; /* "standard", "strict", "none" */
	size_t layers_cnt;
	struct rec_layer *layers; /* of the sandbox that was asked for */
	size_t refusals_cnt;
	struct rec_refusal *refusals; /* system calls that it refused */
	bool sandbox_log;	      /* nothing was refused, only counted */
	size_t events_cnt;	      /* EVENTS_MAX at most */
	struct rec_event *events;
	size_t notes_cnt;
	char **notes; /* said once: fallbacks, warnings */
	struct rec_across across;
	size_t benches_cnt;
	struct rec_bench *benches;
};

void record__init(struct record *r);
void record__done(struct record *r);

/* Append; 0 or -ENOMEM. The pointer returned is valid until the next append to the same array. */
int record__add_bench(struct record *r, const char *name, struct rec_bench **ret) MUST_CHECK;
int record__add_block(struct rec_bench *b, struct rec_block **ret) MUST_CHECK;
/* Takes the last block back, with all that it owns. There must be one. */
void rec_bench__drop_block(struct rec_bench *b);
int record__add_event(struct record *r, const char *name) MUST_CHECK;
int record__add_option(struct record *r, const char *name, const char *value) MUST_CHECK;
int record__add_layer(struct record *r, const char *name, bool engaged,
		      const char *missing) MUST_CHECK;
int record__add_refusal(struct record *r, int number, const char *name, uint64_t cnt) MUST_CHECK;
/* printf-like; an equal note is kept once. */
int record__note(struct record *r, const char *fmt, ...) MUST_CHECK
	__attribute__((format(printf, 2, 3)));

/*
 * Adds what a preemptor took; one (pid, comm) has one entry, the worst stands first. `comm` is cut
 * to COMM_MAX - 1 bytes. 0 or -ENOMEM.
 */
int rec_block__add_preemptor(struct rec_block *b, int64_t pid, const char *comm, double ns,
			     double times) MUST_CHECK;

/* Room for `cnt` rows of threads, every value NaN; what was there is freed. 0 or -ENOMEM. */
int rec_half__reserve_threads(struct rec_half *h, size_t cnt) MUST_CHECK;

/* The name of the tier that timed values of a run come from: "hw" or "sw". */
const char *rec_host__tier(const struct rec_host *h);

/* How good a value is: "exact", "multiplexed" or "unavailable". */
const char *quality_name(enum reason missing);

/* "bpf", "getrusage"; NULL for none. */
const char *interference_source_name(enum interference_source s);

/* Every value NaN; its place and side stay, what it owned is no longer its own. */
void rec_pair__forget(struct rec_pair *p);

/* Gives the block room for m pairs with every value NaN. */
int rec_block__reserve(struct rec_block *b, size_t m) MUST_CHECK;
/* Pairs that a block takes: m, of each size where the benchmark has sizes. */
size_t rec_bench__pairs(const struct rec_bench *b);
/* One more rejected attempt, its values NaN. 0 or -ENOMEM; the pointer holds until the next one. */
int rec_block__reject(struct rec_block *b, struct rec_rejected **ret) MUST_CHECK;

/* Whether anything is known of a version: a run may end before it has found its two. */
bool rec_version__known(const struct rec_version *v);

/* It has blocks, and neither failed nor skipped itself. */
bool rec_bench__measured(const struct rec_bench *b);
bool record__has_blocks(const struct record *r); /* of any benchmark, however that ended */

/* Whether the program's code is the project's to lay out, as far as is known. */
bool rec_bench__linked(const struct rec_bench *b);

/*
 * Whether all judged blocks lie within so short a time that one state of the machine, which lasts some
 * seconds, may have covered every stage.
 */
bool rec_bench__one_state(const struct rec_bench *b);
double rec_bench__span_s(const struct rec_bench *b); /* from the first of them to the last */

/* Sets the benchmark to `error` with a reason; keeps the first one. `detail` may be NULL. */
void rec_bench__fail(struct rec_bench *b, enum reason why, enum side side, const char *detail);
/* The same with the number that the detail puts in words: rec_bench.code. */
void rec_bench__fail_by(struct rec_bench *b, enum reason why, enum side side, const char *detail,
			int code);

/* Names as written in the JSON and shown; never NULL. */
const char *side_name(enum side s);
const char *verdict_name(enum verdict v);
const char *version_kind_name(enum version_kind k);
const char *rule_name(enum judge_rule r);
const char *duel_result_name(enum duel_result r);
const char *bench_verdict_name(enum bench_verdict v);
const char *run_status_name(enum run_status s);
/*
 * The file has the words alone: these, by which a reader finds the cause again. NULL for other causes,
 * whose words are their own.
 */
const char *one_layout_words(enum one_layout why);
enum one_layout one_layout_find(const char *words); /* `words` may be NULL */
