/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The one seam between measuring and deciding. Behind it are real workers or the simulator;
 * everything above it (run loop, judge, record) is the same for both.
 */
#include <stdbool.h>
#include <stddef.h>
#include "../../report/record.h"

enum source_status {
	/* from harmless to fatal: of two statuses of one block the later one counts */
	SOURCE_OK,
	SOURCE_LOST,	    /* the host spoiled it: block->lost and lost_side are set */
	SOURCE_FAILED,	    /* the benchmark is an error: rec_bench__fail was called */
	SOURCE_SKIPPED,	    /* the benchmark skips itself: reason and detail are set */
	SOURCE_INTERRUPTED, /* the user wants to stop */
	SOURCE_BROKEN,	    /* the engine itself cannot go on (errno-like, see source->error) */
};

#define TIMEOUT_LEAST_S 60 /* of a sample, where none is given */

/* What the caller wants of the plan; 0 or NaN: decided by the source. */
struct source_options {
	size_t pairs;	  /* --pairs m, odd */
	double warmup_s;  /* --warmup: at least so long a side; NaN: the default rule */
	double timeout_s; /* NaN: max(TIMEOUT_LEAST_S, 20 samples) */
	bool canaries;	  /* a gate looks at the canary beside every pair */
};

struct source;

struct source_ops {
	/*
	 * Looks at benchmark `b` on the baseline and makes its plan: n, k, m, slice_ns, threads,
	 * loader_share, and which metrics are missing and why. Nothing judged is measured here. Each
	 * side runs once for its digest: what computes something else need not be timed. Stage 0 may
	 * raise n and m afterwards, before the first block of stage 1.
	 * SOURCE_LOST: it may be asked again. `close` follows only an open that returned SOURCE_OK.
	 */
	enum source_status (*open)(struct source *s, struct rec_bench *b);
	/* A stage (0..3) in which `b` takes blocks begins: file copies are renewed. */
	enum source_status (*stage)(struct source *s, struct rec_bench *b, unsigned stage);
	/* Starts the fresh processes of a block as its coins say and warms them up. */
	enum source_status (*block)(struct source *s, struct rec_bench *b, struct rec_block *blk);
	/*
	 * Measures pair i into blk->pairs[i] (`first` is already set). Of a benchmark with sizes, i
	 * counts m pairs of the first size, then m of the next. Asked again for the same i where a
	 * gate has rejected what it measured.
	 */
	enum source_status (*pair)(struct source *s, struct rec_bench *b, struct rec_block *blk,
				   size_t i);
	/*
	 * Ends the block: digests, cross-check, exit of the processes. It follows every `block`,
	 * also one that failed half-way, and whatever happened to its pairs.
	 */
	enum source_status (*end)(struct source *s, struct rec_bench *b, struct rec_block *blk);
	void (*close)(struct source *s, struct rec_bench *b);
	/*
	 * Nanoseconds on the source's own steady clock; NULL: CLOCK_MONOTONIC. Every time in the
	 * record that the run loop writes comes from here, so that a simulated run has simulated
	 * times and its record is the same bytes wherever it is made.
	 */
	double (*now)(struct source *s);
};

/* Embedded first in each implementation. */
struct source {
	const struct source_ops *ops;
	struct source_options options;
	char error[256]; /* for SOURCE_BROKEN */
};
