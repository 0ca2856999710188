/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The other links of a built tree (struct layouts). They are made in a tree of their own, from the same
 * sources, which the cache keeps under its own key; a project's build files are never touched.
 */
#include "source.h"
#include "versions.h"

struct layouts_request {
	const struct versions_request *req;
	const struct source *source;
	const struct origin *origin;
	enum side side;
	const char *key_text; /* what the key of the tree was made of */
	const char *hash;     /* of the manifest that the tree was built from */
	const char *logs;     /* directory */
	struct record *rec;
};

/*
 * Fills *ret, and tree->twin where links were made. That there are none is no error: ret->why says it.
 * -EINTR, -ENOMEM.
 */
int layouts__make(struct layouts *ret, struct tree *tree,
		  const struct layouts_request *r) MUST_CHECK;
/*
 * What a cached tree says of its links, "MADE FAILURE", at most `most` of them; the line is cut to
 * pieces. *ret_failure is owned, NULL: none. 0 or -EINVAL.
 */
int layouts_result(char *line, size_t most, size_t *ret_made, char **ret_failure) MUST_CHECK;
/* Accepts a zeroed one. */
void layouts__done(struct layouts *l);
