/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Shared by git*.c alone. */
#include <git2.h>
#include <signal.h>
#include "git.h"

struct git {
	git_repository *repo;
	char *workdir; /* without trailing slash; NULL: bare */
	char *remark;
	bool shallow;
	bool looked; /* through the working tree, by git_refuse_special_rules */
};

DEFINE_CLEANUP(cleanup_git_object, git_object *, git_object_free);
DEFINE_CLEANUP(cleanup_git_reference, git_reference *, git_reference_free);
DEFINE_CLEANUP(cleanup_git_commit, git_commit *, git_commit_free);
DEFINE_CLEANUP(cleanup_git_tree, git_tree *, git_tree_free);
DEFINE_CLEANUP(cleanup_git_tree_entry, git_tree_entry *, git_tree_entry_free);
DEFINE_CLEANUP(cleanup_git_blob, git_blob *, git_blob_free);
DEFINE_CLEANUP(cleanup_git_odb, git_odb *, git_odb_free);
DEFINE_CLEANUP(cleanup_git_config, git_config *, git_config_free);
DEFINE_CLEANUP(cleanup_git_index, git_index *, git_index_free);
DEFINE_CLEANUP(cleanup_git_status_list, git_status_list *, git_status_list_free);
DEFINE_CLEANUP(cleanup_git_filter_list, git_filter_list *, git_filter_list_free);

/* "WHAT: what libgit2 says", -ENOENT for a missing object, else -EIO. */
int git_failed(struct problem *why, enum joust_exit status, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The words of libgit2's last error; never NULL. */
const char *git_words(void);

/* Refusals that need no open repository: owner, special files, object format, partial clone. */
int git_guard(const char *gitdir, struct problem *why) MUST_CHECK;

/*
 * What libgit2 would wait for without end: a FIFO or a device (or a symlink to one) among the files of
 * its own directory, or in the place of .gitignore and .gitattributes of a working tree (looked for
 * once). -EINVAL, and `why` names it. Bounded, so not complete: hence git_calls_begin.
 */
int git_refuse_special(const char *gitdir, struct problem *why) MUST_CHECK;
int git_refuse_special_rules(struct git *g, struct problem *why) MUST_CHECK;

#define GIT_ENDS 3

/*
 * Around calls of libgit2, which asks nobody whether to go on. Signals that the engine has blocked to
 * read them from a descriptor interrupt system calls that wait, and are pending again. Where libgit2
 * does not come back soon after one the process ends with the status of that signal: it holds nothing
 * then that the next run does not remove. Nests. Not for several threads.
 */
struct git_calls {
	bool active;
	sigset_t mask;
	struct sigaction end[GIT_ENDS], alarm;
};
struct git_calls git_calls_begin(void);
void git_calls_end(struct git_calls *c);
#define GIT_CALLS                                                                                  \
	__attribute__((unused)) CLEANUP(git_calls_end) struct git_calls calls = git_calls_begin()
