/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The verbs of the command line, in one table. */
#include <stdbool.h>
#include <stddef.h>

enum verb {
	VERB_COMPARE,
	VERB_RUN,
	VERB_LIST,
	VERB_DOCTOR,
	VERB_CLEAN,
	VERB_AA,
	VERB_ANALYZE,
	/* known, and refused until they are there */
	VERB_REPORT,
	VERB_EXPLAIN,
	VERB_PAIR,
	VERB_IMPORT,
	VERB_EXPORT,
	VERB_MERGE,
	VERB_INIT,
	VERB_CNT
};

#define VERB_BIT(v) (1u << (v))
/* The verbs that measure or look for benchmarks, and so need versions of a project. */
#define VERBS_MEASURE (VERB_BIT(VERB_COMPARE) | VERB_BIT(VERB_RUN) | VERB_BIT(VERB_AA))
#define VERBS_PROJECT (VERBS_MEASURE | VERB_BIT(VERB_LIST))

struct verb_row {
	const char *name;
	const char *arguments; /* behind the options, for the synopsis; "" when there are none */
	const char *help;      /* one sentence */
	bool implemented;
};

/* The row of `v`; never NULL for a valid verb. */
const struct verb_row *verb_get(enum verb v);

/* The verb called `name`, or -1. */
int verb_find(const char *name);
