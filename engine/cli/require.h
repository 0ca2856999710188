/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* --require: what a host must have, by the names of `joust doctor`. */
#include "../host/hostinfo.h"
#include "../util/problem.h"

/*
 * Checks the comma separated `list`. -EINVAL with EXIT_USAGE for a name that doctor does not know,
 * -ENOTSUP with EXIT_COULD_NOT_COMPARE and all that is unmet, -ENOMEM.
 */
int require_check(const struct doctor *d, const char *list, struct problem *why) MUST_CHECK;
