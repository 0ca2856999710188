/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The rule of an earlier tool over simulated pairs, to be compared with. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "noise.h"

struct duel_outcome {
	bool regressed;
	bool first_slower; /* the first measurement said slower */
	uint64_t pairs;	   /* of all measurements */
};

/* Measurement after measurement, 3 process pairs each (processes 0: a fresh one for every pair). */
void duel_run(const struct noise *model, double ratio, double limit, size_t processes, uint64_t key,
	      struct duel_outcome *ret);
