/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* [METRIC=]LIMIT, as it stands after --limit and in joust.conf. */
#include <stdbool.h>
#include "../../report/cleanup.h"
#include "../../report/metrics.h"

#define LIMIT_WHY_MAX 512

struct limit {
	enum metric_id metric;
	bool bytes;   /* `value` is the other limit of a peak: it is worse by both */
	double value; /* a ratio above 1; of what is counted, a difference per iteration */
};

/*
 * A limit without a metric is one of `cpu`. 0; -EINVAL with a sentence in `why`, which names what was
 * written (raw: escape on output); -ENOMEM. *ret is untouched on failure.
 */
int limit_parse(const char *text, struct limit *ret, char why[static LIMIT_WHY_MAX]) MUST_CHECK;

/* A metric by its name, of those that are ever judged. 0; -EINVAL with a sentence in `why`. */
int limit_metric(const char *name, enum metric_id *ret, char why[static LIMIT_WHY_MAX]) MUST_CHECK;
