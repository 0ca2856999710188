/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Sections of joust.conf that hold for nothing: whoever wrote one believes that it does. */
#include "cases.h"

/*
 * Says in `ret` which sections of this worker program apply to none of the benchmarks that it has on
 * either side, and why. 0 or -ENOMEM.
 */
int sections_unused(struct strings *ret, const struct config *c, const char *worker,
		    const struct cases found[static SIDE_CNT]) MUST_CHECK;
