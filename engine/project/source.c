/* SPDX-License-Identifier: BSD-2-Clause */
#include "source.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "../util/files.h"
#include "../util/path.h"

#define LAST_RELEASE "last-release"

static int no_memory(struct problem *why)
{
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static char *git_top(const struct git *g)
{
	return g && git_workdir(g) ? realpath(git_workdir(g), NULL) : NULL;
}

int origin__open(struct origin *ret, const char *cwd, struct problem *why)
{
	struct origin o = {.cwd = realpath(cwd, NULL)};
	AUTO_FREE char *top = NULL;
	const char *prefix = NULL;

	if (!o.cwd)
		return problem_set(why, problem_exit_of_path(errno), -errno, "%s: %s", cwd,
				   strerror(errno));
	o.git_err = git__open(&o.git, o.cwd, &o.git_why);
	top = git_top(o.git);
	prefix = top ? path_below(o.cwd, top) : NULL;
	o.prefix = strdup(prefix ? prefix : "");
	if (!o.prefix) {
		origin__done(&o);
		return no_memory(why);
	}
	*ret = o;
	return 0;
}

void origin__done(struct origin *o)
{
	git__close(o->git);
	problem__done(&o->git_why);
	free(o->cwd);
	free(o->prefix);
	*o = (struct origin){0};
}

void source__done(struct source *s)
{
	if (s->git_owned)
		git__close(s->git);
	free(s->name);
	free(s->ref);
	free(s->top);
	free(s->prefix);
	free(s->program);
	free(s->remark);
	*s = (struct source){0};
}

/* Without a repository that joust can read, names are paths alone; say what kept it from reading. */
static int need_git(const struct origin *o, struct problem *why)
{
	if (o->git)
		return 0;
	if (o->git_err != -ENOENT)
		return problem_set(why, o->git_why.exit, o->git_err, "%s", o->git_why.text);
	return problem_set(
		why, EXIT_USAGE, -ENOENT,
		"%s is not in a git repository, so there is nothing to compare with. Pass two "
		"directories (--base DIR --candidate DIR) or commit to git first",
		o->cwd);
}

/* Named sides */

static int directory(struct source *s, const struct origin *o, const char *path,
		     struct problem *why)
{
	AUTO_FREE char *top = NULL;
	struct problem refused = {0};
	const char *prefix = NULL;
	int err;

	s->kind = VERSION_DIR;
	err = git__open(&s->git, path, &refused);
	s->git_owned = !err;
	top = git_top(s->git);
	prefix = top ? path_below(path, top) : NULL;
	/* the same subdirectory of another checkout stands for the whole of it, as ours does; any
	 * other directory within a repository (often an ignored one) is meant as it is */
	if (prefix && strcmp(prefix, "") && strcmp(prefix, o->prefix))
		prefix = NULL;
	if (!prefix && s->git_owned) {
		git__close(s->git);
		s->git = NULL;
		s->git_owned = false;
	}
	if (refused.text[0]) /* a directory can still be copied whole */
		s->remark = strdup(refused.text);
	problem__done(&refused);
	s->top = strdup(prefix ? top : path);
	s->prefix = strdup(prefix ? prefix : "");
	return s->top && s->prefix ? 0 : no_memory(why);
}

/* An existing directory or program; -ENOENT (`why` untouched): neither. */
static int by_path(struct source *s, const struct origin *o, const char *option, const char *name,
		   struct problem *why)
{
	AUTO_FREE char *path = realpath(name, NULL);
	struct stat st;

	if (!path || stat(path, &st))
		return problem_exit_of_path(errno) == EXIT_USAGE
			       ? -ENOENT
			       : problem_set(why, EXIT_COULD_NOT_COMPARE, -errno, "%s: %s: %s",
					     option, name, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return directory(s, o, path, why);
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s: %s is neither a directory nor a program that can be run",
				   option, name);
	s->kind = VERSION_PROGRAM;
	s->program = TAKE_PTR(path);
	s->top = strdup(o->cwd);
	s->prefix = strdup("");
	return s->top && s->prefix ? 0 : no_memory(why);
}

static bool looks_like_path(const char *name)
{
	return name[0] == '/' || !strcmp(name, ".") || !strcmp(name, "..") ||
	       !strncmp(name, "./", 2) || !strncmp(name, "../", 3);
}

/* A program and its arguments in one word; `ret` is the program. */
static bool has_arguments(const char *name, char ret[static PATH_MAX])
{
	size_t len = strcspn(name, " ");

	if (!name[len] || len >= PATH_MAX)
		return false;
	memcpy(ret, name, len);
	ret[len] = '\0';
	return files_can_run(ret);
}

bool source_never(const char *name)
{
	char program[PATH_MAX];

	return name && access(name, F_OK) &&
	       (looks_like_path(name) || has_arguments(name, program));
}

static int by_revision(struct source *s, const struct origin *o, const char *name,
		       struct problem *why)
{
	char head[GIT_ID];
	int err;

	s->kind = VERSION_COMMIT;
	s->git = o->git;
	s->prefix = strdup(o->prefix);
	if (!s->prefix)
		return no_memory(why);
	if (strcmp(name, LAST_RELEASE)) {
		err = git_resolve(o->git, name, s->commit, why);
		s->ref = err ? NULL : strdup(name);
		return err || s->ref ? err : no_memory(why);
	}
	err = git_head(o->git, head, why);
	return err ? err : git_last_release(o->git, head, &s->ref, s->commit, why);
}

static int unknown(const struct origin *o, const char *option, const char *name,
		   struct problem *why)
{
	AUTO_FREE char *near = NULL;
	char program[PATH_MAX];
	AUTO_FD int fd = open(o->cwd, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* libgit2 finds nothing in a pack that it has no descriptor for, either */
	if (fd < 0 && problem_exit_of_path(errno) != EXIT_USAGE)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -errno, "%s: %s: %s", option, name,
				   strerror(errno));
	if (has_arguments(name, program))
		return problem_set(
			why, EXIT_USAGE, -ENOENT,
			"%s: \"%s\" is no program, directory or commit. Give the program alone, "
			"and the arguments, the same for both, behind --: %s %s ... -- ARGUMENT...",
			option, name, option, program);
	if (!o->git && o->git_err != -ENOENT)
		return need_git(o, why);
	if (!o->git)
		return problem_set(
			why, EXIT_USAGE, -ENOENT,
			"%s: %s is neither a directory nor a program, and %s is not in a git "
			"repository",
			option, name, o->cwd);
	near = git_nearest(o->git, name);
	return problem_set(
		why, git_is_shallow(o->git) ? EXIT_COULD_NOT_COMPARE : EXIT_USAGE, -ENOENT,
		"%s: \"%s\" is no revision, directory or program%s%s%s%s", option, name,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		git_is_shallow(o->git) ? ". This clone is shallow: fetch the whole history "
					 "(actions/checkout: fetch-depth: 0)"
				       : "");
}

/* A revision wins over a path of the same name, unless it is written as a path: /x, ./x, ../x. */
static int named(struct source *s, const struct origin *o, const char *option, const char *name,
		 struct problem *why)
{
	int err = -ENOENT;

	if (!name[0])
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s: empty", option);
	s->name = strdup(name);
	if (!s->name)
		return no_memory(why);
	if (o->git && !looks_like_path(name))
		err = by_revision(s, o, name, why);
	if (err != -ENOENT || why->text[0])
		return err;
	s->git = NULL;
	free(TAKE_PTR(s->prefix));
	err = by_path(s, o, option, name, why);
	if (err != -ENOENT || why->text[0])
		return err;
	return unknown(o, option, name, why);
}

/* Sides that are not named */

static bool path_exists(const char *name)
{
	return name && !access(name, F_OK);
}

static int worktree(struct source *s, const struct origin *o, const struct versions_request *req,
		    struct problem *why)
{
	struct problem ignored = {0};

	if (o->git && !git_workdir(o->git))
		return problem_set(
			why, EXIT_USAGE, -EINVAL,
			"%s is a bare repository, which has no working tree to measure. Run joust "
			"in a working tree, or pass --base REF --candidate REF",
			o->cwd);
	/* no repository, or one that cannot be read: with a directory to compare with, copy this one */
	if (!o->git &&
	    (o->git_err == -EPERM || (!req->one_side && !req->twice && !path_exists(req->base))))
		return need_git(o, why);
	s->kind = o->git ? VERSION_WORKTREE : VERSION_DIR;
	s->git = o->git;
	s->top = o->git ? git_top(o->git) : strdup(o->cwd);
	s->prefix = strdup(o->git ? o->prefix : "");
	if (!o->git && o->git_err != -ENOENT)
		s->remark = strdup(o->git_why.text);
	if (!s->top || !s->prefix)
		return no_memory(why);
	if (o->git && git_head(o->git, s->commit, &ignored))
		s->commit[0] = '\0'; /* no commit yet: it matters to a default baseline alone */
	problem__done(&ignored);
	return 0;
}

static int merge_base(struct source *s, const struct origin *o, const struct versions_request *req,
		      const struct source *candidate, struct problem *why)
{
	AUTO_FREE char *branch = NULL;
	char from[GIT_ID], tip[GIT_ID];
	int err = need_git(o, why);

	if (err)
		return err;
	if (candidate->kind == VERSION_COMMIT)
		memcpy(from, candidate->commit, sizeof(from));
	else
		err = git_head(o->git, from, why);
	if (!err)
		err = git_main_branch(o->git, req->config->main_branch, &branch, tip, why);
	if (!err)
		err = git_common_commit(o->git, from, branch, tip, s->commit, why);
	if (err)
		return err;
	s->kind = VERSION_COMMIT;
	s->git = o->git;
	s->ref = TAKE_PTR(branch);
	s->prefix = strdup(o->prefix);
	return s->prefix ? 0 : no_memory(why);
}

static int give(struct source *s, int err, struct source *ret)
{
	if (err)
		source__done(s);
	else
		*ret = *s;
	return err;
}

int source__find_candidate(struct source *ret, struct origin *o, const struct versions_request *req,
			   struct problem *why)
{
	struct source s = {0};
	int err;

	if (req->candidate && req->in_place)
		return problem_set(
			why, EXIT_USAGE, -EINVAL,
			"--in-place measures the working tree itself: leave --candidate away");
	if (req->candidate)
		err = named(&s, o, "--candidate", req->candidate, why);
	else
		err = worktree(&s, o, req, why);
	return give(&s, err, ret);
}

/* A program has no build and no benchmarks of a configuration: only another one is its like. */
static int check_pair(const struct source *base, const struct source *candidate,
		      const struct versions_request *req, struct problem *why)
{
	bool base_program = base->kind == VERSION_PROGRAM;

	if (base_program == (candidate->kind == VERSION_PROGRAM))
		return 0;
	if (base_program && !req->candidate)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "--base %s is a program: name the other one with --candidate",
				   req->base);
	return problem_set(
		why, EXIT_USAGE, -EINVAL,
		"--%s %s is a program, --%s %s is none: give two programs, or two "
		"directories or commits",
		base_program ? "base" : "candidate", base_program ? req->base : req->candidate,
		base_program ? "candidate" : "base", base_program ? req->candidate : req->base);
}

int source__find_base(struct source *ret, struct origin *o, const struct versions_request *req,
		      const struct source *candidate, struct problem *why)
{
	struct source s = {0};
	int err;

	if (candidate->kind == VERSION_PROGRAM && !req->base)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "--candidate %s is a program: name the other one with --base",
				   req->candidate);
	if (req->base)
		err = named(&s, o, "--base", req->base, why);
	else
		err = merge_base(&s, o, req, candidate, why);
	if (!err)
		err = check_pair(&s, candidate, req, why);
	return give(&s, err, ret);
}
