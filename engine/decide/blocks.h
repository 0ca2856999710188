/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* How many stages there are, and how many blocks in them. */

#define CONFIRMED_STAGES 3 /* a measurement and two confirmations */
#define ANY_STAGES	 4 /* of any timing: one more */

#define BLOCKS_DEFAULT 60
#define BLOCKS_LEAST   9    /* fewer could never reject at alpha .01 with room to confirm */
#define BLOCKS_MOST    2047 /* stages 2 and 3 take twice as many, below the schedule's 4096 slots */
#define BLOCKS_MEASURE 12   /* where nothing is judged: what a verdict on identical code needs */

#define SIZED_BLOCKS 24 /* in every stage: the coins arrange 12 and 12, and maxT is sound from 20 */

#define DUEL_BLOCKS_LEAST 10 /* its first look */
#define DUEL_BLOCKS	  60 /* the last look of a measurement by the rule of duel */
