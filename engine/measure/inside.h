/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* How a program of one side is found and started within the sandbox: paths and binds. */
#include "../host/child.h"
#include "../project/config.h"
#include "../project/versions.h"

#define INSIDE_WRITES_MAX 8

/* All paths absolute and owned; inside they are equal for both sides where the trees have a place. */
struct inside {
	char *root, *root_at; /* the tree, or the directory the program runs in */
	char *program;	      /* on the host */
	char *path;	      /* of the program, inside */
	char *cwd;
	bool shown; /* the program is where it should be without a bind of its own */
	size_t writes_cnt;
	/* [sandbox] write, in the tree */
	char *write[INSIDE_WRITES_MAX], *write_at[INSIDE_WRITES_MAX];
};

/* -E2BIG: more than INSIDE_WRITES_MAX relative paths in [sandbox] write. */
int inside__init(struct inside *ret, const struct tree *tree, const char *program,
		 const struct config *config, const struct sandbox *sandbox) MUST_CHECK;
void inside__done(struct inside *in); /* accepts a zeroed one */

/*
 * A sentence for a program that ended for `why` with this code (see rec_bench) as one does that does not
 * find its interpreter, a library or a command that it runs; NULL where it is no sign of the sandbox.
 */
const char *inside_hint(const struct sandbox *sandbox, enum reason why, int code);

/*
 * Fills path, cwd, sandbox and binds of `spec`. `file` is what is executed as the program, itself or
 * a copy: it appears at the program's own path, so that its name, its length and $ORIGIN are the
 * program's. Strings are borrowed. Without a root of its own the file is run where it is.
 */
void inside_apply(const struct inside *in, struct sandbox *sandbox, const char *file,
		  struct child_spec *spec);
