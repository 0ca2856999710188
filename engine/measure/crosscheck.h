/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The kernel's own count of a worker over a block, beside the sum of what the worker said of its
 * windows. The kernel saw the windows and what lies between them, so it never has less. A number that
 * the worker has more of is not believed: its metric is `counter-mismatch`.
 */
#include "../worker/worker.h"
#include "../../report/record.h"

struct crosscheck {
	struct perf_reading from;
	/* sums over the windows since then */
	double cpu_ns, faults, switches, migrations;
};

/* While the worker is parked, before its first window and after its last one. */
void crosscheck__begin(struct crosscheck *c, const struct worker *w, struct rec_check *ret);
void crosscheck__add(struct crosscheck *c, const struct frame_sample *f);
void crosscheck__end(const struct crosscheck *c, const struct worker *w, struct rec_bench *b,
		     struct rec_check *ret);

/* What the sums have too much of; sets the missing metrics of `b`. Pure. */
bool crosscheck_agrees(const struct crosscheck *c, const struct rec_check *kernel,
		       struct rec_bench *b);
