/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Where a side comes from, before anything is copied: a commit, a working tree, a directory, a
 * program. */
#include "git.h"
#include "versions.h"

struct source {
	enum version_kind kind;
	char *name;	     /* as the user named it; NULL: found by joust */
	char *ref;	     /* the branch, tag or revision; NULL */
	char commit[GIT_ID]; /* the commit, or HEAD's of a working tree; "" */
	struct git *git;     /* its repository: list its files; NULL: copy the directory whole */
	bool git_owned;	     /* another repository than the project's */
	char *top;    /* directory that is copied, or that the program runs in; NULL for a commit */
	char *prefix; /* the project's directory below the top, "" */
	char *program; /* VERSION_PROGRAM: absolute */
	char *remark;  /* for the record; NULL */
};

/* The project as joust was started. */
struct origin {
	char *cwd;		/* real path of the project */
	char *prefix;		/* of cwd below the repository's top, "" */
	struct git *git;	/* NULL: none, or refused */
	struct problem git_why; /* why it was refused */
	int git_err;		/* 0, -ENOENT (no repository), else a refusal */
};

int origin__open(struct origin *ret, const char *cwd, struct problem *why) MUST_CHECK;
void origin__done(struct origin *o);

/* `side` is for messages. A candidate that is not named is the working tree. */
int source__find_candidate(struct source *ret, struct origin *o, const struct versions_request *req,
			   struct problem *why) MUST_CHECK;
int source__find_base(struct source *ret, struct origin *o, const struct versions_request *req,
		      const struct source *candidate, struct problem *why) MUST_CHECK;
void source__done(struct source *s);
/* Can `name` be no side at all, whatever the repository has? NULL is none that was named: false. */
bool source_never(const char *name);
