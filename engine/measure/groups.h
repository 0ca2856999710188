/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The control groups of what is measured: two leaves, of which the coin of the block says which
 * side gets which, made anew for every process whose memory is judged.
 */
#include "../host/peak.h"
#include "../../report/record.h"

struct groups {
	struct cgroup_room room;
	struct cgroup_leaf leaf[SIDE_CNT];
	struct peak peak[SIDE_CNT]; /* of the workers of the open block */
	double engine_bytes;	    /* what a command began with, when it was started */
};

void groups__init(struct groups *g, struct cgroup *c, const struct cgroup_limits *limits);
void groups__done(struct groups *g);

/* A new leaf for a process of `side`. 0, or why there is none: nothing may be measured then. */
int groups__renew(struct groups *g, enum side side, const struct rec_coins *coins) MUST_CHECK;
/* The same for both sides, that of leaf 0 first. */
int groups__renew_both(struct groups *g, const struct rec_coins *coins) MUST_CHECK;

/* NULL: none. */
struct cgroup_leaf *groups_leaf(struct groups *g, enum side side);

/* --- peak memory of a block; `why` of the benchmark's metric is set where there is none --- */

/* A worker has started: how it will be read. */
struct peak *groups__peak_open(struct groups *g, enum side side, pid_t pid);
/* It is parked: before the first window and after the last. */
void groups__peak_begin(struct groups *g, enum side side);
void groups__peak_end(struct groups *g, enum side side);
/* It has ended and said what it had needed where untimed sections began. */
void groups__peak_keep(struct groups *g, enum side side, uint64_t untimed, struct rec_block *blk,
		       enum reason *why);

/* Around one process of a command, whose usage wait4 gave: the least of the block is kept. */
void groups__command_begin(struct groups *g);
void groups__command_end(struct groups *g, enum side side, long maxrss_kib, struct rec_block *blk,
			 enum reason *why);

/* A peak of one side alone compares with nothing. */
void groups_peak_both_or_none(struct rec_block *blk);
