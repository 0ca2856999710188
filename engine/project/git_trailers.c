/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

#define COMMITS_MAX 1000 /* a trailer further back was for another comparison */

DEFINE_CLEANUP(cleanup_git_revwalk, git_revwalk *, git_revwalk_free);

int git_message_values(const char *message, const char *key,
		       int (*each)(void *arg, const char *value, const char *commit), void *arg,
		       const char *commit)
{
	git_message_trailer_array found = {0};
	int err;

	if (git_libgit2_init() < 0)
		return -ENOMEM;
	err = git_message_trailers(&found, message) ? -ENOMEM : 0;

	for (size_t i = 0; i < found.count && !err; i++)
		if (strcasecmp(found.trailers[i].key, key) == 0)
			err = each(arg, found.trailers[i].value, commit);
	git_message_trailer_array_free(&found);
	(void)git_libgit2_shutdown(); /* counted */
	return err;
}

static int open_walk(struct git *g, const char *from, const char *hide, git_revwalk **ret)
{
	git_oid id;
	int err = git_revwalk_new(ret, g->repo);

	if (!err)
		err = git_oid_fromstr(&id, from);
	if (!err)
		err = git_revwalk_push(*ret, &id);
	if (!err && hide && !git_oid_fromstr(&id, hide))
		err = git_revwalk_hide(*ret, &id);
	return err;
}

int git_trailers(struct git *g, const char *from, const char *hide, const char *key,
		 int (*each)(void *arg, const char *value, const char *commit), void *arg,
		 struct problem *why)
{
	GIT_CALLS;
	CLEANUP(cleanup_git_revwalk) git_revwalk *walk = NULL;
	git_oid id;
	int err = open_walk(g, from, hide, &walk);

	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err,
				  "cannot read the commits of the candidate");
	for (size_t i = 0; i < (hide ? COMMITS_MAX : 1) && !git_revwalk_next(&id, walk); i++) {
		CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
		char name[GIT_ID];

		err = git_commit_lookup(&commit, g->repo, &id);
		if (err)
			return git_failed(why, EXIT_COULD_NOT_COMPARE, err,
					  "cannot read a commit of the candidate");
		git_oid_tostr(name, sizeof(name), &id);
		err = git_message_values(git_commit_message(commit), key, each, arg, name);
		if (err)
			return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "out of memory");
	}
	return 0;
}
