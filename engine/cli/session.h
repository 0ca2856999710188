/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One `compare`, `run` or `list` from the options to the exit status: the straight line config +
 * git -> plan -> builds -> benchmarks -> blocks -> judge -> record -> reports.
 */
#include "../host/cgroup.h"
#include "../measure/real.h"
#include "../measure/run.h"
#include "export.h"
#include "options.h"
#include "watch.h"

struct session {
	const struct options *opt;
	struct record rec;
	struct config config;
	struct sandbox *sandbox; /* NULL: none */
	char *world;		 /* what of it makes another build */
	struct versions versions;
	struct targets targets;
	struct filter names; /* --filter and --exclude */
	struct watch watch;  /* the interrupt and the progress line */
	struct problem why;
	struct cgroup cgroup;
	char *root, *build, *state_dir;
	struct atomic_file export; /* of --export-json, where it is held; else without a file */
	int state_fd;		   /* locked: `joust clean` leaves the directory alone; -1 */
	int turn_fd;		   /* the lock of the CPUs; negative: none */
	bool turn_taken;	   /* or it could not be told */
	bool recorded;		   /* far enough that a record is written whatever happens */
};

/*
 * What follows is called in this order and returns 0, or a negative errno with `why` filled; -EINTR
 * when the user interrupted. Signals are taken by one session a process.
 */

/*
 * Reads the configuration and refuses what can be refused before anything is built. `opt` is borrowed
 * for the life of the session. After an error too, session__finish and session__done are due.
 */
int session__open(struct session *s, const struct options *opt, const char *verb) MUST_CHECK;
/*
 * Versions, builds, benchmarks: fills `versions`, `targets` and the record's benchmarks; `one_side`:
 * of the candidate alone. -ECANCELED: nothing to compare (not a failure, and `why` is empty).
 */
int session__prepare(struct session *s, bool one_side) MUST_CHECK;
/* Versions and builds alone, the candidate twice: what `joust aa` compares. */
int session__prepare_twice(struct session *s) MUST_CHECK;
/* The benchmarks of `v`, parallel to `ret`, into an empty record. targets__done is due. */
int session__discover(struct session *s, const struct versions *v, struct record *rec,
		      struct targets *ret) MUST_CHECK;
/* Blocks that `joust run` takes of each benchmark. */
size_t session_run_blocks(const struct options *o);

/* Measures and judges; `measure_only`: a fixed number of blocks, no verdict (`joust run`). */
int session__measure(struct session *s, bool measure_only) MUST_CHECK;
/* Their parts, for --dry-run. policy__done is due, after an error as well. */
int session__policy(struct session *s, struct policy *ret) MUST_CHECK;
/* What measures the benchmarks of `rec`, which are those of `v` at `targets`; all borrowed. real_source__done is due. */
int session__source(struct session *s, struct record *rec, const struct versions *v,
		    const struct targets *targets, struct real_source *ret) MUST_CHECK;
/*
 * Ends the run: status, record, exports, report. `err` is what the steps before returned. Returns
 * the exit status; prints the report to stdout and problems to stderr.
 */
int session__finish(struct session *s, int err);
/* Frees what the session holds and gives signals back, however far it came. */
void session__done(struct session *s);
