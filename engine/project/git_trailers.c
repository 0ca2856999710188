/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

#define COMMITS_MAX 1000 /* a trailer further back was for another comparison */

DEFINE_CLEANUP(cleanup_git_revwalk, git_revwalk *, git_revwalk_free);

/* "KEY:", as git reads it: blanks may stand before the colon. */
static bool begins_with(const char *line, const char *key)
{
	size_t len = strlen(key);

	return strncasecmp(line, key, len) == 0 && line[len + strspn(line + len, " \t")] == ':';
}

/* Lines that look like a trailer, wherever in the message. */
static size_t count_lines(const char *message, const char *key)
{
	size_t cnt = 0;

	for (const char *line = message; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		cnt += begins_with(line, key);
	}
	return cnt;
}

int git_message_values(const char *message, const struct git_trailer_reader *r, const char *commit)
{
	git_message_trailer_array found = {0};
	size_t cnt = 0;
	int err;

	if (git_libgit2_init() < 0)
		return -ENOMEM;
	err = git_message_trailers(&found, message) ? -ENOMEM : 0;

	for (size_t i = 0; i < found.count && !err; i++) {
		if (strcasecmp(found.trailers[i].key, r->key) != 0)
			continue;
		cnt++;
		err = r->each(r->arg, found.trailers[i].value, commit);
	}
	if (!err && count_lines(message, r->key) > cnt)
		err = r->stray(r->arg, commit);
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

int git_trailers(struct git *g, const char *from, const char *hide,
		 const struct git_trailer_reader *r, struct problem *why)
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
		err = git_message_values(git_commit_message(commit), r, name);
		if (err)
			return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "out of memory");
	}
	return 0;
}
