/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The benchmarks that one side's worker program says it has. */
#include "../util/names.h"
#include "../worker/worker.h"
#include "target.h"

struct found_case {
	char name[PROTOCOL_NAME_MAX];
	uint32_t threads;
	size_t sizes_cnt; /* 0: it has no sizes */
	double sizes[SIZES_MAX];
};

/* Zeroed: none. */
struct cases {
	size_t cnt;
	struct found_case *items;
	bool sizes_apart;   /* each size is a benchmark of its own */
	struct names names; /* of the items */
};

/*
 * Asks the program of side `s`; one that is not there has none. 0 or a negative errno with the problem
 * set: EXIT_COULD_NOT_COMPARE where it cannot be asked, EXIT_USAGE where a name is there twice.
 */
int cases__list(struct cases *ret, const struct discover_request *req, const struct target *t,
		enum side s, struct problem *why) MUST_CHECK;
/* NULL: there is none of that name. */
const struct found_case *cases_find(const struct cases *list, const char *name);
/* The problem of a name that two benchmarks have; -EEXIST. */
int cases_duplicate(const char *name, struct problem *why);
/* Accepts zeroed ones. */
void cases__done(struct cases *list);
