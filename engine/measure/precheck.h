/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What can be refused before anything is built. */
#include "target.h"

/*
 * Refuses no benchmark at all, and a filter that leaves none of those in the configuration, where no
 * pattern stands for names unknown before. EXIT_USAGE.
 */
int discover_precheck(const struct discover_request *req, const char *base, const char *candidate,
		      struct problem *why) MUST_CHECK;
