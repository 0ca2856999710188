/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Which benchmarks --filter and --exclude leave. */
#include <regex.h>
#include <stdbool.h>
#include "../util/problem.h"
#include "../../report/cleanup.h"

struct filter_part {
	bool given;
	regex_t re;
};

struct filter {
	struct filter_part only, without;
};

/*
 * Compiles both extended regular expressions; NULL: none. What cannot be compiled is EXIT_USAGE and
 * -EINVAL, or -ENOMEM. filter__done is due on success alone, and accepts a zeroed one.
 */
int filter__init(struct filter *ret, const char *only, const char *without,
		 struct problem *why) MUST_CHECK;
bool filter_takes(const struct filter *f, const char *name);
void filter__done(struct filter *f);
