/* SPDX-License-Identifier: BSD-2-Clause */
/* Row 2: one stage at p = 1/2 against the exact values of the boundary. */
#include "rows.h"

#include <math.h>

#define RUNS 1000000

void row_boundary(struct job *j)
{
	struct noise fair = {.name = "coin .5", .coin = .5},
		     other = {.name = "coin .7", .coin = .7};
	struct three_stages rule;
	struct experiment e = {&rule, &fair, NAN, 1, job_key(j, "2", fair.name, 0)};
	struct tally t, power;
	struct line l;

	three_stages__init(&rule, RULE_PLAIN, 1.02, 1);
	rule.stages_needed = 1;
	e.ratio = rule.limit;
	t = experiment_run(j, &e, RUNS);
	e.model = &other;
	power = experiment_run(j, &e, RUNS / 10);
	e.model = &fair;
	l = job_line("2", &e, "stage 1 slower", &t, HIT_REGRESSED,
		     (struct bound){.00911 - .0004, .00911 + .0004});
	l.power = tally_rate(&power, HIT_REGRESSED);
	l.mean = (struct bound){57.9, 58.1};
	table_line(&j->table, &l);
	l = job_line("2", &e, "stage 1 not slower", &t, HIT_FIRST_SAME,
		     (struct bound){.0486 - .0009, .0486 + .0009});
	table_line(&j->table, &l);
}
