/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <string.h>
#include "../util/files.h"

static int add_tracked(git_index *index, const char *what, struct git_files *f, struct problem *why)
{
	const char *last = "";

	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (e->mode == GIT_FILEMODE_COMMIT)
			return problem_set(
				why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
				"%s has the submodule %s, which joust does not copy. Pass two "
				"directories: --base DIR --candidate DIR",
				what, e->path);
		if (!strcmp(last, e->path))
			continue; /* the stages of a conflict are one file */
		last = e->path;
		if (strings__add(&f->paths, e->path))
			return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	}
	return 0;
}

/* Left out by a sparse checkout: libgit2 takes it for deleted. */
static bool skipped(git_index *index, const git_status_entry *s)
{
	const git_index_entry *e;

	if (s->status != GIT_STATUS_WT_DELETED || !s->index_to_workdir)
		return false;
	e = git_index_get_bypath(index, s->index_to_workdir->old_file.path, 0);
	return e && e->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
}

static int add_status(git_index *index, const git_status_entry *s, struct git_files *f)
{
	const char *path = s->index_to_workdir ? s->index_to_workdir->new_file.path : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;
	AUTO_FREE char *nested = NULL;
	size_t len;

	if (s->status == GIT_STATUS_CURRENT || s->status & GIT_STATUS_IGNORED || skipped(index, s))
		return 0;
	if (!(s->status & GIT_STATUS_WT_NEW) || !path) {
		f->changed++;
		return 0;
	}
	len = strlen(path);
	if (len && path[len - 1] == '/') { /* a repository within: not a file of this one */
		nested = strndup(path, len - 1);
		return nested ? strings__add(&f->nested, nested) : -ENOMEM;
	}
	if (files_is_slot(slash ? slash + 1 : path))
		return 0; /* of a run in place */
	f->changed++;
	/* removed from the index, yet still there: tracked files were listed by the index */
	return strings__add(&f->paths, path);
}

static int list(struct git *g, const char *what, struct git_files *f, struct problem *why)
{
	CLEANUP(cleanup_git_status_list) git_status_list *status = NULL;
	CLEANUP(cleanup_git_index) git_index *index = NULL;
	git_status_options opts = {.version = GIT_STATUS_OPTIONS_VERSION};
	int err = git_repository_index(&index, g->repo);

	if (err || (err = git_index_read(index, 0)))
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err, "the index");
	err = add_tracked(index, what, f, why);
	if (!err)
		err = git_refuse_special_rules(g, why);
	if (err)
		return err;
	opts.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	opts.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS |
		     GIT_STATUS_OPT_EXCLUDE_SUBMODULES | GIT_STATUS_OPT_NO_REFRESH;
	err = git_status_list_new(&status, g->repo, &opts);
	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err,
				  "the state of the working tree");
	for (size_t i = 0; i < git_status_list_entrycount(status); i++) {
		if (add_status(index, git_status_byindex(status, i), f))
			return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	}
	return 0;
}

int git_files__list(struct git *g, const char *what, struct git_files *ret, struct problem *why)
{
	GIT_CALLS;
	struct git_files f = {0};
	int err = list(g, what, &f, why);

	if (err) {
		git_files__done(&f);
		return err;
	}
	*ret = f;
	return 0;
}

void git_files__done(struct git_files *f)
{
	strings__done(&f->paths);
	strings__done(&f->nested);
	*f = (struct git_files){0};
}
