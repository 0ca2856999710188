/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A side's files in a private directory, before the build. */
#include "manifest.h"
#include "source.h"
#include "work.h"

struct staged {
	struct work work;
	struct manifest manifest;
	size_t changed;	  /* of a working tree: files that differ from its commit */
	size_t converted; /* files that ident or end-of-line rules changed */
};

/*
 * `needs` (ignored files that belong to the snapshot) come from the side's own directory; for a
 * commit, which cannot have them, from the working tree: `origin`.
 */
int staged__make(struct staged *ret, const struct source *s, const struct origin *o, enum side side,
		 const struct versions_request *req, struct record *rec,
		 struct problem *why) MUST_CHECK;
void staged__done(struct staged *s);
