/* SPDX-License-Identifier: BSD-2-Clause */
#include "gate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../../stats/median.h"

#define CANARY_OVER   1.5  /* times the median; 1.25 rejects a quarter of an idle machine's pairs */
#define CANARY_LEAST  20   /* canaries seen: before that the median says too little */
#define WAITING_SHARE 0.01 /* of the window */

static const struct gate_row {
	const char *name;
	enum reason why;
	enum metric_id needs; /* METRIC_CNT: no metric */
	bool commands;	      /* a command has it too */
} rows[GATE_RULES] = {
	/* of a virtual machine's host nothing else tells */
	[GATE_CANARY] = {"canary", REASON_SLOW_CANARY, METRIC_CNT, true},
	/* ran late: every wall time in it is another's */
	[GATE_WAITING] = {"waiting", REASON_WAITED, METRIC_WAITING, true},
	/* cold caches; every command has one as it ends */
	[GATE_SWITCHES] = {"switches", REASON_SWITCHED, METRIC_INVOLUNTARY_SWITCHES, false},
};

enum gate_rule gate_rule_of(const char *name)
{
	enum gate_rule rule = 0;

	while (rule < GATE_RULES && strcmp(rows[rule].name, name) != 0)
		rule++;
	return rule;
}

const char *gate_rule_name(enum gate_rule rule)
{
	return rows[rule].name;
}

static bool is_on(gate_rules rules, enum gate_rule rule)
{
	return rules & 1u << rule;
}

void gate_describe(gate_rules rules, char ret[static GATE_TEXT_MAX])
{
	size_t len = 0;

	ret[0] = '\0';
	for (enum gate_rule rule = 0; rule < GATE_RULES; rule++)
		if (is_on(rules, rule)) /* all of them are shorter than that */
			len += (size_t)snprintf(ret + len, GATE_TEXT_MAX - len, "%s%s",
						len ? " " : "", rows[rule].name);
}

static double typical_canary(const struct gate *g)
{
	double scratch[GATE_CANARIES], median = NAN;
	size_t n = g->canaries < GATE_CANARIES ? g->canaries : GATE_CANARIES;

	if (n < CANARY_LEAST || median_of(g->canary_ns, n, scratch, &median) != STATS_OK)
		return NAN;
	return median;
}

static void remember(struct gate *g, double canary_ns)
{
	if (isfinite(canary_ns))
		g->canary_ns[g->canaries++ % GATE_CANARIES] = canary_ns;
}

static bool canary_is_slow(const struct gate *g, const struct rec_pair *p)
{
	double worst = fmax(p->canary_ns[0], p->canary_ns[1]);

	return worst > CANARY_OVER * typical_canary(g); /* NaN on either side: no */
}

static bool waited(const struct rec_bench *b, const struct rec_half *h)
{
	double window_ns = 0;

	for (size_t i = 0; i < h->slices; i++)
		window_ns += h->wall_ns[i];
	return h->value[METRIC_WAITING] * (double)b->n * (double)h->slices >
	       WAITING_SHARE * window_ns;
}

static bool half_is_hit(enum gate_rule rule, const struct rec_bench *b, const struct rec_half *h)
{
	switch (rule) {
	case GATE_WAITING:
		return waited(b, h);
	case GATE_SWITCHES:
		return h->value[METRIC_INVOLUNTARY_SWITCHES] > 0;
	case GATE_CANARY:
	case GATE_RULES:
		break;
	}
	return false;
}

static bool can_look(enum gate_rule rule, const struct rec_bench *b)
{
	const struct gate_row *row = &rows[rule];

	if (b->kind == BENCH_COMMAND && !row->commands)
		return false;
	return row->needs == METRIC_CNT || b->metric[row->needs].missing == REASON_NONE;
}

/* Whose half `rule` objects to; *ret is untouched where it has nothing to say. */
static bool objects(const struct gate *g, enum gate_rule rule, const struct rec_bench *b,
		    const struct rec_pair *p, enum side *ret)
{
	bool base, cand;

	if (!is_on(g->rules, rule) || !can_look(rule, b))
		return false;
	base = half_is_hit(rule, b, &p->half[SIDE_BASELINE]);
	cand = half_is_hit(rule, b, &p->half[SIDE_CANDIDATE]);
	if (rule == GATE_CANARY)
		base = cand = canary_is_slow(g, p);
	if (base || cand)
		*ret = base && cand ? SIDE_CNT : base ? SIDE_BASELINE : SIDE_CANDIDATE;
	return base || cand;
}

enum reason gate_look(struct gate *g, const struct rec_bench *b, const struct rec_pair *p,
		      enum side *ret)
{
	enum reason why = REASON_NONE;

	for (enum gate_rule rule = 0; rule < GATE_RULES && why == REASON_NONE; rule++)
		if (objects(g, rule, b, p, ret))
			why = rows[rule].why;
	remember(g, p->canary_ns[0]);
	remember(g, p->canary_ns[1]);
	return why;
}

size_t gate_tries_max(size_t pairs)
{
	return pairs > GATE_BLOCK_TRIES ? pairs : GATE_BLOCK_TRIES;
}

enum gate_rule gate_blind_to(gate_rules rules, const struct rec_bench *b)
{
	enum gate_rule rule = 0;

	while (rule < GATE_RULES && (!is_on(rules, rule) || can_look(rule, b)))
		rule++;
	return rule;
}
