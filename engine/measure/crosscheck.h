/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The kernel's own count of a worker over a block, beside the sum of what the worker said of its
 * windows. The kernel saw the windows and what lies between them, so it never has less. A number that
 * the worker has more of is not believed: its metric is `counter-mismatch`. Nor is a CPU time that in
 * most blocks so far is not half of the kernel's. Where the group of the worker has a clock of its own
 * (version 2), what it has more than the worker and the children that it waited for was done by others: a
 * process that nobody waited for, which no clock of the worker sees.
 */
#include "../worker/worker.h"
#include "../../report/record.h"
#include "unwaited.h"

struct crosscheck {
	struct perf_reading from;
	uint64_t process_ns; /* of the worker, by its CPU clock; 0: not known */
	double leaf_ns;	     /* of all in its group; NaN: not known */
	/* sums over the windows since then */
	size_t windows; /* that have a CPU time */
	double cpu_ns, waited_ns, faults, switches, migrations;
};

/* While the worker is parked, before its first window and after its last one. */
void crosscheck__begin(struct crosscheck *c, const struct worker *w, struct rec_check *ret);
void crosscheck__add(struct crosscheck *c, const struct frame_sample *f);
/* ended_cnt: of its threads since then, or ENDS_UNKNOWN. */
void crosscheck__end(const struct crosscheck *c, const struct worker *w, uint64_t ended_cnt,
		     struct rec_bench *b, struct rec_block *blk, enum side side);

/*
 * The share of what the process used, its doings beside the windows left out, that the windows claim:
 * at most 1; NaN: not known. Pure.
 */
double crosscheck_claimed(const struct crosscheck *c, const struct rec_check *kernel);

/* Unless that is below a half in most of the blocks so far that know it, three at the least. Pure. */
bool crosscheck_claims_enough(const struct rec_bench *b, enum side side);

/*
 * Whether the group used no more than the process and what it waited for. NaN: not known, so yes.
 * Pure.
 */
bool crosscheck_sees_all(const struct crosscheck *c, double leaf_ns, double process_ns,
			 uint64_t ended_cnt);

/* What the sums have too much of; sets the missing metrics of `b`. Pure. */
bool crosscheck_agrees(const struct crosscheck *c, const struct rec_check *kernel,
		       struct rec_bench *b);
