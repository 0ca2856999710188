/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The table of results: a line says what was found, what is allowed, and whether it holds. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* lo <= value <= hi; NaN: not bounded. */
struct bound {
	double lo, hi;
};

#define UNBOUNDED ((struct bound){NAN, NAN})

struct table {
	FILE *out;
	/*
	 * A short form has too few runs for the bounds of the specification: a rate then fails only
	 * where a true rate at the bound would be found so far outside once in 10,000 tries (exact
	 * binomial), a mean where it is 3.9 standard errors outside.
	 */
	bool widened;
	unsigned lines, failed;
};

struct line {
	const char *row, *model;
	double ratio;	  /* NaN: none */
	const char *what; /* is counted */
	uint64_t hits, runs;
	struct bound rate;
	double power;		  /* of the same rule, where `what` is a false alarm; NaN: none */
	double blocks, blocks_se; /* mean; NaN: not counted */
	struct bound mean;
	bool must_fail; /* a mutation: the line is right when its bound does not hold */
};

void table_head(struct table *t);
void table_line(struct table *t, const struct line *l);

/* The last line: how many, how many failed. */
void table_foot(struct table *t);

bool rate_holds(const struct bound *b, uint64_t hits, uint64_t runs, bool widened);
