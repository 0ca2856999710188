/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The adapter of libgit2: only git*.c include git2.h. Nothing here runs a program (no filter
 * command, no hook) or talks to a network. Ids are full hexadecimal names. A signal that is blocked
 * to be polled for (engine/cli/interrupt.h) ends whatever waits in here (git_private.h, GIT_CALLS).
 */
#include <stdbool.h>
#include <stddef.h>
#include "beneath.h"
#include "config.h"
#include "../util/problem.h"

#define GIT_ID	    41
#define GIT_REV_MAX 1024

struct git;

/*
 * From now on the process ends with this status, and says why, where libgit2 gets no memory: libgit2
 * 1.5 does not survive that while it reads a configuration or opens a repository, and calls it a fault
 * of the file elsewhere. Such an end holds nothing that the next run does not remove. 0 or -EINVAL.
 */
int git_memory_ends_with(int status) MUST_CHECK;

/*
 * Parses git-config text and hands over every entry ("section.sub.key", value or NULL) in order.
 * -EINVAL: not in that syntax (`error`, *ret_line where known); -ELOOP: an include; what `each`
 * returned when it was not 0; else no fault of the text (`error`).
 */
int git_config_each(const char *text, size_t len,
		    int (*each)(void *arg, const char *name, const char *value), void *arg,
		    char *error, size_t error_size, unsigned *ret_line) MUST_CHECK;

/*
 * Opens the repository that holds `dir`. -ENOENT: there is none, and `why` is untouched. Refused:
 * owned by someone else (unless safe.directory lists it), sha256, partial clones, and files that
 * libgit2 would wait for without end.
 */
int git__open(struct git **ret, const char *dir, struct problem *why) MUST_CHECK;
void git__close(struct git *g);

/* The top of the working tree without a trailing slash; NULL for a bare repository. */
const char *git_workdir(const struct git *g);
/* A remark for the record (objects that live elsewhere); NULL. */
const char *git_remark(const struct git *g);

/* The commit of HEAD. -ENOENT: no commit yet (`why` is set). */
int git_head(struct git *g, char ret[static GIT_ID], struct problem *why) MUST_CHECK;

/* Any revision to a commit. -ENOENT: means nothing here, and `why` is untouched. */
int git_resolve(struct git *g, const char *rev, char ret[static GIT_ID],
		struct problem *why) MUST_CHECK;

/* The main branch: the configured one, else by origin/HEAD and custom. Name owned. */
int git_main_branch(struct git *g, const char *configured, char **ret_name, char ret[static GIT_ID],
		    struct problem *why) MUST_CHECK;

/* The commit that `commit` and the main branch have in common. */
int git_common_commit(struct git *g, const char *commit, const char *main_name, const char *main_id,
		      char ret[static GIT_ID], struct problem *why) MUST_CHECK;

/* The newest tag v* (by the time of its commit) that `commit` descends from. Name owned. */
int git_last_release(struct git *g, const char *commit, char **ret_name, char ret[static GIT_ID],
		     struct problem *why) MUST_CHECK;

/* The branch or tag whose name is nearest; NULL. Owned. */
char *git_nearest(struct git *g, const char *name);
bool git_is_shallow(const struct git *g);

/* A file or symlink of a commit; true also where that cannot be read. */
bool git_has_file(struct git *g, const char *commit, const char *path);
/* A regular file of a commit, as it is stored, to a new file. -ENOENT: there is none; -EIO. */
int git_write_file(struct git *g, const char *commit, const char *path, int target_fd,
		   const char *name) MUST_CHECK;

struct git_checkout {
	const char *what; /* "baseline", "candidate": for messages */
	const char *commit;
	int target_fd; /* a new, empty, private directory */
	struct transfer *transfer;
	size_t converted; /* out: files that ident or end-of-line rules changed */
};
/* Writes the commit's files. Refused: submodules, impossible names, tree bombs, missing objects. */
int git_checkout(struct git *g, struct git_checkout *c, struct problem *why) MUST_CHECK;

struct git_files {
	struct strings paths;  /* tracked, and untracked that are not ignored; may be absent */
	struct strings nested; /* repositories within, which are not followed */
	size_t changed;	       /* files that differ from HEAD's commit */
};
int git_files__list(struct git *g, const char *what, struct git_files *ret,
		    struct problem *why) MUST_CHECK;
void git_files__done(struct git_files *f);
/* An entry that a sparse checkout leaves out: its content from the index. -ENOENT: no such. */
int git_write_skipped(struct git *g, const char *path, int target_fd,
		      struct transfer *t) MUST_CHECK;

/* Who reads trailers. Both stop the reading by what they return when it is not 0. */
struct git_trailer_reader {
	const char *key; /* case does not matter */
	int (*each)(void *arg, const char *value, const char *commit);
	/* a line begins with the key and is no trailer */
	int (*stray)(void *arg, const char *commit);
	void *arg;
};

/*
 * Values of the trailers of a message, in its order, then at most once what only looks like one. Strings
 * live until the call returns. `commit` is handed through. Needs no repository. 0, -ENOMEM or what was
 * returned.
 */
int git_message_values(const char *message, const struct git_trailer_reader *r,
		       const char *commit) MUST_CHECK;
/* The same of every commit that `from` has and `hide` lacks, newest first; hide NULL: of `from`. */
int git_trailers(struct git *g, const char *from, const char *hide,
		 const struct git_trailer_reader *r, struct problem *why) MUST_CHECK;

/* Git's own hash of a blob; needs no repository. */
int git_hash_blob(const void *data, size_t len, char ret[static GIT_ID]) MUST_CHECK;
