/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The gate: which pairs are measured again because something disturbed them. Its rules look at what
 * the host did and never at the ratio. Off by default: no rule ever made medians of slices tighter;
 * wall time and sums on a host with bursts are what it is for. Pure, but for the canaries it remembers.
 */
#include <stdbool.h>
#include <stddef.h>
#include "../../report/record.h"

enum gate_rule { GATE_CANARY, GATE_WAITING, GATE_SWITCHES, GATE_RULES };

#define GATE_CANARIES	 200 /* the last ones, whose median is how fast the host is */
#define GATE_RETRIES	 3   /* of a pair in its slot */
#define GATE_BLOCK_TRIES 30  /* of all pairs of a block, or their number where that is larger */

/* Bit 1 << rule of each rule that is on; 0: the gate is off. */
typedef unsigned gate_rules;

/* The rule of that name; GATE_RULES: there is none. */
enum gate_rule gate_rule_of(const char *name);
const char *gate_rule_name(enum gate_rule rule);

#define GATE_TEXT_MAX 64
/* "canary switches": the rules that are on. */
void gate_describe(gate_rules rules, char ret[static GATE_TEXT_MAX]);

struct gate {
	gate_rules rules;
	double canary_ns[GATE_CANARIES];
	size_t canaries; /* ever seen */
};

/*
 * Looks at a pair that was measured. REASON_NONE: it is kept; else why not, and whose half it was
 * (SIDE_CNT: both, or the host's as such). What was not measured disturbs nothing. The pair's canaries
 * are remembered afterwards, whatever it says.
 */
enum reason gate_look(struct gate *g, const struct rec_bench *b, const struct rec_pair *p,
		      enum side *ret);

/* How often pairs are measured in a block of so many at most, all tries of all of them. */
size_t gate_tries_max(size_t pairs);

/* The first rule that is on and can never be looked at for this benchmark; GATE_RULES: all can. */
enum gate_rule gate_blind_to(gate_rules rules, const struct rec_bench *b);
