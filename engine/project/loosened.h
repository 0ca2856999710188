/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What loosens the judging: joust.conf comes with the candidate, and may let pass what it does. */
#include "../../report/record.h"
#include "config.h"

/*
 * What in `now` may let pass what `before` would not: "[project] gate none -> waiting; ...", "" when nothing
 * does. Compared is what holds, with the defaults, so that a dropped line counts. Of many the first are
 * listed. 0 and an owned text, to be escaped on output, or -ENOMEM.
 */

/*
 * Of [project]; `branch`: the baseline is the main branch's, so that main-branch counts; `below`: the
 * project lies below the top of its repository, the rest of which counts by default and by no `watch`.
 */
int loosened_project(const struct config *now, const struct config *before, bool branch, bool below,
		     char **ret) MUST_CHECK;

/* A benchmark as it was found, and its section of `now`; NULL: it has none. */
struct loosened_bench {
	const char *name;
	const struct config_bench *section;
};

/* "work: limit 2 % -> 900 %": of the benchmarks that `before` has a section for, too. */
int loosened_benches(const struct config *now, const struct config *before,
		     const struct loosened_bench *benches, size_t cnt, char **ret) MUST_CHECK;

/* Says so in the record, unless `text` is "". 0 or -ENOMEM. */
int loosened_note(struct record *rec, const char *text) MUST_CHECK;
