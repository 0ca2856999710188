/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Who opened the sandbox: joust.conf comes with the candidate, and what it opens may be new with it. */
#include "config.h"

/*
 * For --sandbox strict: 0 when each line of [sandbox] in `now` stands in the user's own file too, or
 * in `before`, what config__load made of the baseline's project as it was committed, before any build.
 * `before` NULL: there is none. Lines are compared as they are written: /a/b is new where only /a
 * was opened. A line of [limits] is new where it is more than both files say, and a line that is gone is
 * new where `before` has it. -EPERM with EXIT_COULD_NOT_COMPARE and `why`, which names the lines and ends
 * with `remedy`, a sentence.
 */
int opened_check(const struct config *now, const struct config *before, const char *remedy,
		 struct problem *why) MUST_CHECK;
