/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <string.h>
#include "../../report/text.h"

#define NAMES_MAX 10000 /* refs looked at for "did you mean" */

int git_head(struct git *g, char ret[static GIT_ID], struct problem *why)
{
	GIT_CALLS;
	git_oid id;
	int err;

	if (git_repository_head_unborn(g->repo) == 1)
		return problem_set(
			why, EXIT_USAGE, -ENOENT,
			"the repository has no commit yet, so there is nothing to compare with. "
			"Commit first, or pass --base DIR");
	err = git_reference_name_to_id(&id, g->repo, "HEAD");
	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err, "HEAD");
	git_oid_tostr(ret, GIT_ID, &id);
	return 0;
}

/* A tag of a tree or file is no failure to read it. */
static bool peels_to_nothing(int err)
{
	return err == GIT_EPEEL || err == GIT_EINVALIDSPEC || err == GIT_EAMBIGUOUS;
}

int git_resolve(struct git *g, const char *rev, char ret[static GIT_ID], struct problem *why)
{
	GIT_CALLS;
	CLEANUP(cleanup_git_object) git_object *found = NULL;
	CLEANUP(cleanup_git_object) git_object *commit = NULL;
	int err;

	if (strlen(rev) > GIT_REV_MAX)
		return problem_set(why, EXIT_USAGE, -EINVAL, "a revision of more than %d bytes",
				   GIT_REV_MAX);
	err = git_revparse_single(&found, g->repo, rev);
	if (err == GIT_ENOTFOUND || err == GIT_EINVALIDSPEC)
		return -ENOENT;
	if (err == GIT_EAMBIGUOUS)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "\"%s\" is ambiguous: give more of the id", rev);
	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err, "\"%s\"", rev);
	err = git_object_peel(&commit, found, GIT_OBJECT_COMMIT);
	if (err && !peels_to_nothing(err))
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err, "\"%s\"", rev);
	if (err)
		return problem_set(why, EXIT_USAGE, -EINVAL, "\"%s\" is a %s, not a commit", rev,
				   git_object_type2string(git_object_type(found)));
	git_oid_tostr(ret, GIT_ID, git_object_id(commit));
	return 0;
}

/*
 * 0 with the commit and the short name of the ref, symbolic refs followed. -ENOENT: it names nothing
 * here; -EIO: it could not be read.
 */
static int lookup(struct git *g, const char *name, char **ret_name, char ret[static GIT_ID])
{
	CLEANUP(cleanup_git_reference) git_reference *ref = NULL;
	CLEANUP(cleanup_git_reference) git_reference *direct = NULL;
	CLEANUP(cleanup_git_object) git_object *commit = NULL;
	char *copy;
	int err = git_reference_lookup(&ref, g->repo, name);

	if (!err)
		err = git_reference_resolve(&direct, ref);
	if (!err)
		err = git_reference_peel(&commit, direct, GIT_OBJECT_COMMIT);
	if (err)
		return err == GIT_ENOTFOUND || err == GIT_EINVALIDSPEC || peels_to_nothing(err)
			       ? -ENOENT
			       : -EIO;
	copy = strdup(git_reference_shorthand(direct));
	if (!copy)
		return -ENOMEM;
	git_oid_tostr(ret, GIT_ID, git_object_id(commit));
	*ret_name = copy;
	return 0;
}

/* The next one must not stand in for it. */
static int unreadable(const char *name, int err, struct problem *why)
{
	return err == -ENOMEM ? problem_set(why, EXIT_COULD_NOT_COMPARE, err, "out of memory")
			      : git_failed(why, EXIT_COULD_NOT_COMPARE, 0, "%s", name);
}

static int configured_branch(struct git *g, const char *name, char **ret_name,
			     char ret[static GIT_ID], struct problem *why)
{
	static const char *const forms[] = {"refs/heads/%s", "refs/remotes/%s",
					    "refs/remotes/origin/%s", "%s"};
	AUTO_FREE char *near = NULL;
	int err;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && strlen(name) <= GIT_REV_MAX;
	     i++) {
		AUTO_FREE char *full = NULL;
		const char *s = strchr(forms[i], '%');

		if (asprintf(&full, "%.*s%s", (int)(s - forms[i]), forms[i], name) < 0) {
			full = NULL;
			return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
		}
		err = lookup(g, full, ret_name, ret);
		if (err != -ENOENT)
			return err ? unreadable(name, err, why) : 0;
	}
	near = git_nearest(g, name);
	return problem_set(why, g->shallow ? EXIT_COULD_NOT_COMPARE : EXIT_USAGE, -ENOENT,
			   "the main branch \"%s\" (project.main-branch) is not here%s%s%s%s", name,
			   near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "",
			   g->shallow ? ". This clone is shallow: fetch the whole history "
					"(actions/checkout: fetch-depth: 0)"
				      : "");
}

int git_main_branch(struct git *g, const char *configured, char **ret_name, char ret[static GIT_ID],
		    struct problem *why)
{
	GIT_CALLS;
	static const char *const remote[] = {"refs/remotes/origin/HEAD", "refs/remotes/origin/main",
					     "refs/remotes/origin/master", "refs/heads/main",
					     "refs/heads/master"};

	if (configured)
		return configured_branch(g, configured, ret_name, ret, why);
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++) {
		int err = lookup(g, remote[i], ret_name, ret);

		if (err != -ENOENT)
			return err ? unreadable(remote[i], err, why) : 0;
	}
	if (g->shallow)
		return problem_set(
			why, EXIT_COULD_NOT_COMPARE, -ENOENT,
			"no main branch is here (origin/HEAD, origin/main, origin/master, main, "
			"master), and this clone is shallow: fetch the whole history "
			"(actions/checkout: fetch-depth: 0), or pass --base");
	return problem_set(
		why, EXIT_USAGE, -ENOENT,
		"no main branch is here (origin/HEAD, origin/main, origin/master, main, master): "
		"name it with main-branch in [project], or pass --base");
}

int git_common_commit(struct git *g, const char *commit, const char *main_name, const char *main_id,
		      char ret[static GIT_ID], struct problem *why)
{
	GIT_CALLS;
	git_oid one, two, base;
	int err;

	if (git_oid_fromstr(&one, commit) || git_oid_fromstr(&two, main_id))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -EINVAL, "not a commit id");
	err = git_merge_base(&base, g->repo, &one, &two);
	if (!err) {
		git_oid_tostr(ret, GIT_ID, &base);
		return 0;
	}
	/* of a shallow clone libgit2 only says that an object is missing */
	if (err != GIT_ENOTFOUND && !g->shallow)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, err, "merge base with %s",
				  main_name);
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOENT,
			   "HEAD and %s have no commit in common%s: fetch the whole history "
			   "(actions/checkout: fetch-depth: 0), or pass --base",
			   main_name, g->shallow ? ", because this clone is shallow" : "");
}

/* Releases */

struct release {
	struct git *g;
	git_oid from, best;
	git_time_t best_time;
	char *name; /* NULL: none yet */
	int err;
};

static int consider_tag(const char *name, git_oid *oid, void *payload)
{
	CLEANUP(cleanup_git_object) git_object *object = NULL;
	CLEANUP(cleanup_git_object) git_object *peeled = NULL;
	struct release *r = payload;
	const git_oid *id;
	git_time_t when;
	char *copy;
	int err;

	if (strncmp(name, "refs/tags/v", 11))
		return 0;
	err = git_object_lookup(&object, r->g->repo, oid, GIT_OBJECT_ANY);
	if (!err)
		err = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
	if (err) /* a tag of something else is no release, nor one that a shallow clone lacks */
		return err == GIT_ENOTFOUND || peels_to_nothing(err) ? 0 : err;
	id = git_object_id(peeled);
	when = git_commit_time((git_commit *)peeled);
	if (r->name && when <= r->best_time)
		return 0;
	if (!git_oid_equal(id, &r->from) && git_graph_descendant_of(r->g->repo, &r->from, id) != 1)
		return 0;
	copy = strdup(name + 10);
	if (!copy) {
		r->err = -ENOMEM;
		return -1;
	}
	free(r->name);
	r->name = copy;
	r->best = *id;
	r->best_time = when;
	return 0;
}

int git_last_release(struct git *g, const char *commit, char **ret_name, char ret[static GIT_ID],
		     struct problem *why)
{
	GIT_CALLS;
	struct release r = {.g = g};
	int err;

	if (git_oid_fromstr(&r.from, commit))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -EINVAL, "not a commit id");
	err = git_tag_foreach(g->repo, consider_tag, &r);
	if (err || r.err)
		free(r.name);
	if (r.err) /* ours: libgit2 has no words for it */
		return problem_set(why, EXIT_COULD_NOT_COMPARE, r.err, "reading the tags: %s",
				   strerror(-r.err));
	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, 0, "reading the tags");
	if (!r.name)
		return problem_set(
			why, EXIT_USAGE, -ENOENT, "last-release: no tag v* is reachable%s",
			g->shallow ? " in this shallow clone (actions/checkout: fetch-depth: 0)"
				   : " from HEAD");
	git_oid_tostr(ret, GIT_ID, &r.best);
	*ret_name = r.name;
	return 0;
}

/* Names */

static int collect_name(const char *name, void *payload)
{
	static const char *const prefixes[] = {"refs/heads/", "refs/tags/", "refs/remotes/"};
	struct strings *names = payload;

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(prefixes[i]);

		if (!strncmp(name, prefixes[i], n))
			return names->cnt == NAMES_MAX ? 1 : strings__add(names, name + n);
	}
	return 0;
}

char *git_nearest(struct git *g, const char *name)
{
	GIT_CALLS;
	struct strings names = {0};
	const char *near;
	char *copy;

	/* a list cut short gives a poorer hint, no error */
	(void)git_reference_foreach_name(g->repo, collect_name, &names);
	near = text_nearest(name, (const char *const *)names.items, names.cnt);
	copy = near ? strdup(near) : NULL;
	strings__done(&names);
	return copy;
}
