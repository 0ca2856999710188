/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Regressions that are wanted: a trailer "Joust-Accept: BENCHMARK: reason" of a commit between the
 * baseline and the candidate. They are shown in every report and fail no run.
 */
#include <stdbool.h>
#include "git.h"
#include "../../report/record.h"

#define ACCEPT_KEY "Joust-Accept"

/*
 * Whether the value of a trailer accepts `bench`: the name, then a colon, then a reason that is not
 * empty. *ret_reason points into `value`. Names may have colons themselves: of several that match the
 * longest is meant.
 */
bool accept_matches(const char *value, const char *bench, const char **ret_reason);

/*
 * Marks the benchmark that `value` names; of several commits the first that is given stays. A value
 * that names no benchmark of the run is a note of the record. 0 or -ENOMEM.
 */
int accept_apply(struct record *rec, const char *value, const char *commit) MUST_CHECK;

/*
 * The trailers of the candidate's commits: those that the baseline's commit does not have, or the
 * candidate's own where the baseline is no commit. Nothing where the candidate has none, and nothing for
 * --bisect, which would call a culprit good that says of itself that it is wanted. A line that looks
 * like one and stands elsewhere in the message is a note of the record. 0, -ENOMEM or -EIO with `why`
 * filled.
 */
int accept_collect(struct record *rec, const char *dir, struct problem *why) MUST_CHECK;
