/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows 3 and 4: false alarms of identical code and of a ratio exactly at the limit. */
#include "rows.h"

#include <math.h>

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

void row_identical(struct job *j)
{
	static const char *const models[] = {"LN.5",	"LN2",	  "LN5",   "t2",    "BI3",
					     "BI1.5",	"GP2",	  "drift", "spike", "AR.9/10",
					     "links.5", "links1", "links2"};
	struct three_stages rule;

	three_stages__init(&rule, RULE_WHOLE, 1.02, 3);
	for (size_t i = 0; i < CNT(models); i++) {
		struct experiment e = {&rule, noise_find(models[i]), 1, 20,
				       job_key(j, "3", models[i], 1)};
		struct tally t = experiment_run(j, &e, 20000);
		struct line l = job_line("3", &e, "runs of 20 with a failure", &t, HIT_REGRESSED,
					 (struct bound){NAN, 10 / 20000.0});

		l.power = job_power(j, &e, 20000);
		table_line(&j->table, &l);
	}
}

void row_limit(struct job *j)
{
	static const char *const models[] = {"LN2", "BI3", "GP2"};
	struct three_stages rule;

	three_stages__init(&rule, RULE_WHOLE, 1.02, 1);
	for (size_t i = 0; i < CNT(models); i++) {
		struct experiment e = {&rule, noise_find(models[i]), rule.limit, 1,
				       job_key(j, "4", models[i], rule.limit)};
		struct tally t = experiment_run(j, &e, 100000);
		struct line l = job_line("4", &e, "regressed at the limit", &t, HIT_REGRESSED,
					 (struct bound){NAN, 3 / 100000.0});

		l.power = job_power(j, &e, 20000);
		table_line(&j->table, &l);
	}
}
