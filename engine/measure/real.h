/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The source of real workers: fresh pinned processes of both sides, their windows and their ends.
 * real.c dispatches by kind; functions.c and commands.c measure; functions_look.c and commands.c look at
 * a benchmark before its first block; plan.c computes what they calibrate to.
 */
#include <sched.h>
#include "../host/perf_name.h"
#include "../worker/worker.h"
#include "crosscheck.h"
#include "groups.h"
#include "halves.h"
#include "inside.h"
#include "plan.h"
#include "slots.h"
#include "source.h"
#include "target.h"
#include "watching.h"

/* What the source keeps for one benchmark. */
struct real_bench {
	struct slots *links; /* one for each link layout; links[0]: as the build left the program */
	size_t links_cnt;
	struct slots *slots; /* of the layout in use: one of them */
	cpu_set_t cpus;
	uint64_t timeout_ns;
	double sample_wall_ns; /* what a sample of the baseline took when it was looked at */
	bool clocks_known; /* several threads: the same ones in every window that was looked at */
	struct words env;
	struct inside inside[SIDE_CNT];
};

struct real_source {
	struct source source; /* first */
	struct record *rec;
	const struct config *config;
	const struct versions *versions;
	const struct targets *targets;
	struct sandbox *sandbox;    /* NULL: none */
	bool by_path_said;	    /* the record has the note */
	bool unwaited_said;	    /* the same: nothing here sees such processes */
	struct real_bench *benches; /* parallel to rec->benches */
	struct groups groups;
	int interrupt_fd;
	int64_t slept_ns; /* at the start of the block */
	struct perf_tiers tiers;
	struct watching watching;
	struct event_places events; /* of -e, that can be counted here */
	uint64_t canary_turns;
	unsigned inject_ppm; /* of the candidate's slices, burnt on top; 0: nothing */
	char *program_dir;   /* for copies of programs that belong to no tree */
	int program_dir_fd;  /* locked; -1 */
	cpu_set_t old_cpus, cpus;
	/* the open block of a function benchmark */
	struct worker worker[SIDE_CNT];
	struct crosscheck check[SIDE_CNT];
	size_t size;		/* of a benchmark with sizes: whose workers they are */
	char *digest[SIDE_CNT]; /* owned: of the sizes so far; NULL: none gave one */
	bool complete;		/* all pairs of the open block were measured */
};

/*
 * Pins the engine, fills the record's host with what measuring knows of it, and makes room for each
 * of its benchmarks. All that is handed over is borrowed until real_source__done; `cgroup` and
 * `sandbox` NULL: none. `targets` are parallel to the record's benchmarks. 0 or a negative errno with
 * s->source.error filled, and then nothing is left to free.
 */
int real_source__init(struct real_source *s, struct record *rec, const struct config *config,
		      const struct versions *versions, const struct targets *targets,
		      struct cgroup *cgroup, struct sandbox *sandbox, int interrupt_fd) MUST_CHECK;
/*
 * Counts these events in every worker too, where the host can; the record says of each whether it
 * can. To be called once, before anything is measured. 0 or -ENOMEM.
 */
int real_source__count(struct real_source *s, const struct perf_names *events) MUST_CHECK;
/* Gives the CPUs of the engine back, ends what still runs, removes the copies of programs. */
void real_source__done(struct real_source *s);

/* --- shared by functions.c and functions_look.c --- */

/* Of k slices; NaN when there is none. */
double function_median_slice(const uint64_t *slice_ns, size_t k);
/* Adds what a worker computed to s->digest: of a benchmark with sizes one after the other. */
enum source_status function_keep_digest(struct real_source *s, enum side side,
					const struct frame_done *done) MUST_CHECK;
/* All sizes were there: what they computed is the benchmark's. A side without a digest keeps its last. */
void function_take_digests(struct real_source *s, struct rec_bench *b);
void function_forget_digests(struct real_source *s);
/* Ends both workers, whatever they do. */
void function_discard(struct real_source *s);

/* --- shared by functions.c and commands.c --- */

struct real_bench *real_bench_of(struct real_source *s, const struct rec_bench *b);

const struct target *real_target_of(const struct real_source *s, const struct rec_bench *b);

/* What a worker is asked for: the benchmark, or the size of it that is being measured. */
void real_case_name(const struct real_source *s, const struct rec_bench *b,
		    char ret[static PROTOCOL_NAME_MAX]);

/* What it is measured with; that size, until it has been looked at, with what is known so far. */
struct rec_window real_window(const struct real_source *s, const struct rec_bench *b);

/* How a side's process is started in a block with these coins. */
struct child_spec real_spec(struct real_source *s, const struct rec_bench *b, enum side side,
			    const struct rec_coins *coins);

/* The last output of the first process that failed goes into the record. */
void real_keep_tail(struct rec_bench *b, const struct child *c);

/* Says once for a benchmark that its program said more than is kept. */
void real_note_output(struct real_source *s, const struct rec_bench *b, const struct child *c);

/* A failed, lost or skipped worker as the record says it, with real_keep_tail. */
enum source_status real_fail(struct rec_bench *b, struct rec_block *blk, enum side side,
			     enum worker_result result, const struct worker *w) MUST_CHECK;

/* SOURCE_BROKEN, with its sentence. */
enum source_status real_out_of_memory(struct real_source *s) MUST_CHECK;
/* No leaf can be made for a process: an error of the benchmark. */
enum source_status real_no_group(struct rec_bench *b, int err) MUST_CHECK;

/* Marks the block lost. */
enum source_status real_lost(struct rec_block *blk, enum side side, enum reason why) MUST_CHECK;

/* nuisance.c: what a stage changes */

/* The CPUs of stage 1 into the benchmark's place; the engine is left on no CPU in particular. */
int nuisance_choose_cpus(struct real_source *s, const struct rec_bench *b) MUST_CHECK;
/* Other CPUs than those of the stage before, where there are any. */
int nuisance_other_cpus(struct real_source *s, const struct rec_bench *b) MUST_CHECK;
/* The engine blocks on the CPUs that it measures, so that they never idle. */
int nuisance_use_cpus(struct real_source *s, const cpu_set_t *cpus) MUST_CHECK;

/* links.c */

/* Fills the benchmark's links, b->layouts, b->one_layout and b->layouts_why. */
int links_find(struct real_source *s, struct rec_bench *b) MUST_CHECK;
/* The layout of a block: all in turn, another one first in each stage. */
unsigned links_layout(const struct real_bench *rb, const struct rec_block *blk);
/* New copies at the start of a stage, of programs that are too large for new ones in each block. */
int links_renew(struct real_bench *rb, enum side first) MUST_CHECK;
void links_done(struct real_bench *rb);

/*
 * blame.c: after a benchmark has failed by the program of one side, and its processes are gone: tries
 * the other side's, and has both blamed where that fails for the same reason.
 */
void real_blame(struct real_source *s, struct rec_bench *b, const struct rec_coins *coins);

/* functions.c */
enum source_status function_open(struct real_source *s, struct rec_bench *b) MUST_CHECK;
enum source_status function_block(struct real_source *s, struct rec_bench *b,
				  struct rec_block *blk) MUST_CHECK;
enum source_status function_pair(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				 size_t i) MUST_CHECK;
enum source_status function_end(struct real_source *s, struct rec_bench *b,
				struct rec_block *blk) MUST_CHECK;

/* commands.c */
enum source_status command_open(struct real_source *s, struct rec_bench *b) MUST_CHECK;
enum source_status command_pair(struct real_source *s, struct rec_bench *b, struct rec_block *blk,
				size_t i) MUST_CHECK;
