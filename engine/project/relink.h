/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Builds a tree again and again, with its functions in another order each time. */
#include "build.h"
#include "manifest.h"
#include "../util/problem.h"

#define RELINK_DIR ".layouts-of-joust" /* in the tree: bin/ (the stand-ins), 1/, 2/, ... */

struct relink_request {
	const struct tree *tree; /* nothing built in it yet */
	struct sandbox *sandbox; /* NULL: none */
	struct build_limits limits;
	const struct manifest *manifest;
	const char *build, *recipe; /* recipe: NULL where stand-ins for the compilers do it */
	const struct strings *names;
	const char *scratch, *log;
	size_t cnt; /* links wanted, with seeds 1..cnt */
	int interrupt_fd;
};

/*
 * Every program that the build made for seed S is then ROOT/RELINK_DIR/S/PATH. *ret_made: the seeds
 * that worked, from 1 on; *ret_failure (owned) says why the next one did not, NULL when all did. 0,
 * -EINTR, or another negative errno when not even that could be found out.
 */
int relink(const struct relink_request *r, size_t *ret_made, char **ret_failure) MUST_CHECK;
