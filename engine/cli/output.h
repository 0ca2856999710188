/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The program's own stdout and stderr: nothing is lost without being said. */
#include <stdio.h>
#include "../util/problem.h"
#include "../../report/cleanup.h"

/*
 * Makes sure that descriptors 0 to 2 are open, so that no file joust opens can become its stdout. A
 * closed stdout becomes one that cannot be written, which output_finish then reports. Also ignores
 * SIGPIPE and SIGXFSZ: what cannot be written must not end a measurement.
 */
int output_setup(void) MUST_CHECK;

/*
 * Flushes `out`. 0 also when its reader has gone (`| head`): who stops reading has seen enough. Else
 * a negative errno with `why` filled (EXIT_COULD_NOT_COMPARE).
 */
int output_finish(FILE *out, struct problem *why) MUST_CHECK;

/*
 * The status with which to end: `status`, unless stdout could not be written, which is said on
 * stderr and counts as 3; that comes before 0, 1 and 2 (design.md).
 */
int output_status(int status);

/* "joust: TEXT" on `err`, escaped, then the detail line by line. Returns the problem's exit status. */
int output_problem(FILE *err, const struct problem *why);
