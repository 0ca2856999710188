/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Who loosened the judging: joust.conf comes with the candidate, and may let pass what it does. */
#include "config.h"

/*
 * "work: limit 2 % -> 900 %; [project] gate none -> waiting": what in `now` may let pass what `before`
 * would not, "" when nothing does. Compared is what holds, with the defaults, so that a dropped line
 * counts; what has no counterpart (a benchmark that is new or removed) does not. `branch`: the baseline
 * is the main branch's, so that main-branch counts. Of many the first are listed. 0 and an owned text,
 * to be escaped on output, or -ENOMEM.
 */
int loosened_list(const struct config *now, const struct config *before, bool branch,
		  char **ret) MUST_CHECK;
