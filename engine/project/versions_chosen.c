/* SPDX-License-Identifier: BSD-2-Clause */
/* Where main-branch of the candidate's own joust.conf chose the baseline: do others say the same? */
#include <errno.h>
#include <string.h>
#include "versions_private.h"

/* What would have been compared with without that line. */
struct usual {
	char *branch; /* NULL: none that is known */
	char tip[GIT_ID], base[GIT_ID];
	bool holds; /* the baseline is part of its history */
};

static void usual__done(struct usual *u)
{
	free(u->branch);
}

static int find_from(struct prep *p, char ret[static GIT_ID])
{
	const struct source *s = &p->party[SIDE_CANDIDATE].source;

	if (!s->commit[0])
		return git_head(p->origin.git, ret, p->why);
	memcpy(ret, s->commit, GIT_ID);
	return 0;
}

/* A branch that cannot be read vouches for nothing, as one that is not there. */
static int find_usual(struct prep *p, const char *from, struct usual *ret)
{
	const char *chosen = p->party[SIDE_BASELINE].source.commit;
	struct git *g = p->origin.git;
	struct problem unsaid = {0};
	char common[GIT_ID] = "";
	int err = git_main_branch(g, NULL, &ret->branch, ret->tip, &unsaid);

	if (!err)
		err = git_common_commit(g, from, ret->branch, ret->tip, ret->base, &unsaid);
	if (!err)
		err = git_common_commit(g, chosen, ret->branch, ret->tip, common, &unsaid);
	ret->holds = !err && !strcmp(common, chosen);
	if (err)
		ret->base[0] = '\0';
	problem__done(&unsaid);
	return err == -ENOMEM ? prep_no_memory(p) : 0;
}

/* The project's joust.conf of this commit names the same branch. */
static int commit_names(struct prep *p, const char *commit, const char *name, bool *ret)
{
	struct work work = {.fd = -1};
	struct problem unsaid = {0};
	struct config c = {0};
	AUTO_FREE char *path = NULL;
	int err = work__new(&work, p->why);

	if (err)
		return err;
	path = prep_conf_in(p->origin.prefix);
	err = path ? git_write_file(p->origin.git, commit, path, work.fd, CONFIG_FILE) : -ENOMEM;
	if (!err)
		err = config__load(&c, work.path, &unsaid);
	*ret = !err && c.main_branch && !strcmp(c.main_branch, name);
	config__done(&c);
	problem__done(&unsaid);
	work__done(&work);
	return err == -ENOMEM ? prep_no_memory(p) : 0;
}

/*
 * A line that was merged is the project's own. Without a branch that is known to be the main one the
 * baseline itself may say so, unless it is `from`, the candidate's own commit, by whatever name.
 */
static int is_vouched(struct prep *p, const struct usual *u, const char *from, bool *ret)
{
	const char *name = p->req->config->main_branch, *before = p->before.main_branch;
	const char *commit = p->party[SIDE_BASELINE].source.commit;
	bool same = before && !strcmp(before, name);

	*ret = (u->branch ? u->holds : strcmp(commit, from) != 0) && same;
	if (u->branch && !strcmp(u->base, commit))
		*ret = true;
	return *ret || !u->base[0] ? 0 : commit_names(p, u->base, name, ret);
}

static int note(struct prep *p, const struct usual *u)
{
	const char *name = p->req->config->main_branch;
	const char *commit = p->party[SIDE_BASELINE].source.commit;

	if (u->base[0])
		return record__note(p->rec,
				    CONFIG_FILE " of the candidate chose the baseline: main-branch "
						"= %s leads to %.12s, the default branch %s to "
						"%.12s",
				    name, commit, u->branch, u->base);
	return record__note(p->rec,
			    CONFIG_FILE " of the candidate chose the baseline: main-branch = %s "
					"leads to %.12s, and no default branch is here that would "
					"do so",
			    name, commit);
}

static int refuse(struct prep *p)
{
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -EPERM,
			   "--sandbox strict: main-branch = %s of the candidate's own " CONFIG_FILE
			   " leads to the candidate's own history (%.12s), which the default "
			   "branch does not have. Give the baseline with --base",
			   p->req->config->main_branch, p->party[SIDE_BASELINE].source.commit);
}

int prep_check_chosen(struct prep *p)
{
	CLEANUP(usual__done) struct usual u = {0};
	const struct source *base = &p->party[SIDE_BASELINE].source;
	char from[GIT_ID];
	bool vouched = false, own;
	int err;

	if (!prep_chose_baseline(p))
		return 0;
	err = find_from(p, from);
	if (!err)
		err = find_usual(p, from, &u);
	if (!err)
		err = is_vouched(p, &u, from, &vouched);
	if (err)
		return err;
	own = u.branch ? !vouched && !u.holds : !strcmp(base->commit, from);
	if (own && p->req->strict)
		return refuse(p);
	return vouched || !note(p, &u) ? 0 : prep_no_memory(p);
}
