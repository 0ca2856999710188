/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Why a function of stats/ refused. Out-parameters are untouched unless STATS_OK is returned. */
enum stats_error {
	STATS_OK = 0,
	STATS_EMPTY,	   /* no observation */
	STATS_NONFINITE,   /* NaN or infinity among the inputs */
	STATS_NONPOSITIVE, /* a time or ratio <= 0 */
	STATS_RANGE,	   /* a probability, rank or count outside its domain */
	STATS_MARGIN,	   /* a margin or limit that is not > 1 (where that is demanded) */
	STATS_STRATA,	   /* not exactly two strata, or one with fewer than two rows */
	STATS_SHAPE,	   /* matrices or vectors of unequal length */
	STATS_SIZES,	   /* sizes that do not differ, or fewer than two */
};

/* The name of `e` as written in tests and records ("empty", "nonfinite", ...); never NULL. */
const char *stats_error_name(enum stats_error e);
