/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Shared by git*.c alone. */
#include <git2.h>
#include "git.h"

struct git {
	git_repository *repo;
	char *workdir; /* without trailing slash; NULL: bare */
	char *remark;
	bool shallow;
};

DEFINE_CLEANUP(cleanup_git_object, git_object *, git_object_free);
DEFINE_CLEANUP(cleanup_git_reference, git_reference *, git_reference_free);
DEFINE_CLEANUP(cleanup_git_commit, git_commit *, git_commit_free);
DEFINE_CLEANUP(cleanup_git_tree, git_tree *, git_tree_free);
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

/* Refusals that need no open repository: owner, object format, partial clone (git_guard.c). */
int git_guard(const char *gitdir, struct problem *why) MUST_CHECK;
