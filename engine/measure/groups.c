/* SPDX-License-Identifier: BSD-2-Clause */
#include "groups.h"
#include <math.h>
#include <stdio.h>

#define OWN_BYTES 1e6 /* a peak so far above the engine's own is the command's */

void groups__init(struct groups *g, struct cgroup *c, const struct cgroup_limits *limits)
{
	*g = (struct groups){.room = cgroup_worker_room(c, limits)};
}

void groups__done(struct groups *g)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		peak__close(&g->peak[side]);
		cgroup_leaf__close(&g->leaf[side]);
	}
}

int groups__renew(struct groups *g, enum side side, const struct rec_coins *coins)
{
	char name[16];

	peak__close(&g->peak[side]);
	if (!g->room.cgroup)
		return 0;
	cgroup_leaf__close(&g->leaf[side]);
	(void)snprintf(name, sizeof(name), "leaf%d", side != coins->leaf0);
	return cgroup_leaf__open_in(&g->leaf[side], &g->room, name);
}

int groups__renew_both(struct groups *g, const struct rec_coins *coins)
{
	int err;

	groups__done(g); /* the other side's may bear the name that is wanted now */
	err = groups__renew(g, coins->leaf0, coins);
	return err ? err : groups__renew(g, !coins->leaf0, coins);
}

struct cgroup_leaf *groups_leaf(struct groups *g, enum side side)
{
	return g->leaf[side].cgroup ? &g->leaf[side] : NULL;
}

struct peak *groups__peak_open(struct groups *g, enum side side, pid_t pid)
{
	peak__close(&g->peak[side]);
	peak__open(&g->peak[side], groups_leaf(g, side), pid);
	return &g->peak[side];
}

void groups__peak_begin(struct groups *g, enum side side)
{
	peak__begin(&g->peak[side]);
}

void groups__peak_end(struct groups *g, enum side side)
{
	peak__end(&g->peak[side]);
}

void groups__peak_keep(struct groups *g, enum side side, uint64_t untimed, struct rec_block *blk,
		       enum reason *why)
{
	enum reason none;

	blk->peak_bytes[side] = peak_value(&g->peak[side], untimed, &none);
	if (none != REASON_NONE)
		*why = none;
}

void groups__command_begin(struct groups *g)
{
	struct resident engine;

	g->engine_bytes = resident_read(getpid(), &engine) ? INFINITY : engine.now;
}

/*
 * Without a cgroup ru_maxrss is all there is. It begins at what the engine had when it forked, so
 * that only what lies above is the command's own.
 */
static double command_peak(struct groups *g, enum side side, long maxrss_kib, enum reason *ret_why)
{
	struct cgroup_leaf *leaf = groups_leaf(g, side);
	double bytes = NAN, resident = (double)maxrss_kib * 1024;

	*ret_why = REASON_NONE;
	if (leaf && !cgroup_leaf__peak(leaf, &bytes))
		return bytes;
	if (resident > g->engine_bytes + OWN_BYTES)
		return resident;
	*ret_why = REASON_PEAK_HIDDEN;
	return NAN;
}

void groups__command_end(struct groups *g, enum side side, long maxrss_kib, struct rec_block *blk,
			 enum reason *why)
{
	enum reason none;
	double bytes = command_peak(g, side, maxrss_kib, &none);

	blk->peak_bytes[side] = fmin(blk->peak_bytes[side], bytes); /* a number before NaN */
	if (none != REASON_NONE)
		*why = none;
}

void groups_peak_both_or_none(struct rec_block *blk)
{
	if (isnan(blk->peak_bytes[SIDE_BASELINE]) || isnan(blk->peak_bytes[SIDE_CANDIDATE]))
		blk->peak_bytes[SIDE_BASELINE] = blk->peak_bytes[SIDE_CANDIDATE] = NAN;
}
