/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the host did to a run, summed up for reports. Nothing here decides anything. A pair is
 * disturbed when a half of it lost its CPU against its will, or waited for one for more than 1 % of
 * its window.
 */
#include "record.h"

#define DISTURBERS_MAX 3    /* named; the others are summed up */
#define CANARY_SHARE   0.15 /* a block whose two canaries differ by more is shown */

struct disturber {
	int64_t pid;
	char comm[COMM_MAX];
	size_t pairs; /* disturbed ones, in blocks in which it took the most time */
};

struct disturbance {
	size_t recorded; /* pairs of which it is known */
	size_t unknown;	 /* pairs of which it is not, because events were lost */
	size_t disturbed;
	struct disturber by[DISTURBERS_MAX]; /* most pairs first */
	size_t by_cnt;
	size_t by_others, by_host; /* processes not named; nobody that BPF saw */
	bool named;		   /* BPF could have seen somebody */
	size_t canaries, unsteady; /* blocks with both canaries; those in which they differ */
	size_t stolen, reclocked;  /* blocks with stolen time, with changes of frequency */
	double steal_ns;	   /* of all blocks */
	size_t lost;		   /* blocks */
};

void disturbance_of(const struct record *r, struct disturbance *ret);
