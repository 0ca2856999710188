/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What maxt_resample adds up (maxt.c makes it, maxt_resample.c reads it). A term is the sum of two
 * rows, or one row, with the sum of their squares: a resample of few rows is half as many terms, of
 * which there are few enough for the first cache. A tile is TILE_COLUMNS columns: their rules, then
 * the terms of stratum 0, then of stratum 1, each TILE_COLUMNS sums and as many squares.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "maxt.h"

#define TILE_COLUMNS MAXT_TILE_COLUMNS
#define TERM	     (2 * TILE_COLUMNS)

/* Rules of a column, on the scale of its terms: at or below `limit` a variance is replaced. */
struct tile_rules {
	double limit[TILE_COLUMNS], instead[TILE_COLUMNS];
};

static inline bool rows_are_paired(size_t rows)
{
	return rows <= MAXT_PAIRED_ROWS_MAX;
}

/* Index of the first term that is one row; before it are the pairs (a, b <= a), by a, then b. */
static inline size_t lone_terms(size_t rows)
{
	return rows_are_paired(rows) ? rows * (rows + 1) / 2 : 0;
}

/* Terms of a stratum, and how many of them a resample draws. */
static inline size_t terms_of(size_t rows)
{
	return lone_terms(rows) + rows;
}

static inline size_t drawn_terms(size_t rows)
{
	return rows_are_paired(rows) ? (rows + 1) / 2 : rows;
}

static inline size_t tile_doubles(const size_t counts[static 2])
{
	return (terms_of(counts[0]) + terms_of(counts[1]) + 1) * TERM;
}
