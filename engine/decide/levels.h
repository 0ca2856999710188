/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * How sure the judge is of what it says beside "slower" and "faster", which are --alpha's. Where an
 * interval or a test only warns or withholds, its level costs no run a wrong verdict.
 */

/* "slower" spends its error late, where blocks are many; "not slower" early, so that same comes soon. */
#define STAGE_RHO_SLOWER     2.0
#define STAGE_RHO_NOT_SLOWER 0.5
#define STAGE_BETA	     0.05 /* of "not slower" at a change of the limit itself */
#define STAGE_POWER	     0.8  /* with which what is called detectable would have been seen */

#define ACROSS_CONFIDENCE 0.99 /* of the benchmarks' medians: a second condition on "slower" */
#define EQUAL_ALPHA	  0.05 /* --prove-same: each of the two one-sided tests */

/* Simultaneous over all sizes, so that no growth is picked from many. */
#define SIZED_CONFIDENCE 0.95
#define SIZED_ALPHA	 0.05
#define SIZED_RESAMPLES	 100000 /* a tail of .05 is then known to .0007 */

/* As the earlier tool had them whose rule it is. */
#define DUEL_CONFIDENCE 0.99
#define DUEL_POWER	0.8

/* Of what only warns: a run has many metrics, of which one in a hundred may warn for nothing. */
#define ORDER_CONFIDENCE 0.99
#define WARMING_ALPHA	 0.01
#define UNEVEN_P	 0.01 /* the gate rejected one side more often */
#define SERIAL_SIGMAS	 2.33 /* one-sided, of a correlation that is none */

/* Of what aa says of the coins: standard errors, once in a hundred times outside. */
#define COINS_SIGMAS 2.6
#define RATE_SIGMAS  3.0 /* rates near 0 are skewed */
