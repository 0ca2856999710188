/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

const char *git_words(void)
{
	const git_error *e = git_error_last();

	return e && e->message && e->message[0] ? e->message : "no reason given";
}

int git_failed(struct problem *why, enum joust_exit status, int code, const char *fmt, ...)
{
	char what[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return problem_set(why, status, code == GIT_ENOTFOUND ? -ENOENT : -EIO, "%s: %s", what,
			   git_words());
}

int git_hash_blob(const void *data, size_t len, char ret[static GIT_ID])
{
	git_oid id;

	if (git_libgit2_init() < 0)
		return -ENOMEM;
	if (git_odb_hash(&id, data ? data : "", len, GIT_OBJECT_BLOB)) {
		(void)git_libgit2_shutdown(); /* counted */
		return -ENOMEM;
	}
	git_oid_tostr(ret, GIT_ID, &id);
	(void)git_libgit2_shutdown(); /* counted */
	return 0;
}

static int set_options(void)
{
	/* git's sparse checkout and worktrees set these, and joust needs nothing of them */
	static const char *extensions[] = {"worktreeconfig", "relativeworktrees",
					   "preciousobjects"};

	/* git_guard has looked at the owner: libgit2's own check does not know directory = * */
	return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
				sizeof(extensions) / sizeof(extensions[0])) ||
	       git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}

static void remark_alternates(struct git *g)
{
	AUTO_FREE char *path = NULL;
	struct stat st;

	if (asprintf(&path, "%sobjects/info/alternates", git_repository_commondir(g->repo)) < 0) {
		path = NULL;
		return;
	}
	if (!stat(path, &st) &&
	    asprintf(&g->remark, "objects are also read from where %s points", path) < 0)
		g->remark = NULL;
}

static int open_at(struct git *g, const char *dir, const char *gitdir, struct problem *why)
{
	const char *workdir;
	int err = git_guard(gitdir, why);

	if (err)
		return err;
	if (set_options())
		return git_failed(why, EXIT_COULD_NOT_COMPARE, 0, "libgit2 options");
	err = git_repository_open_ext(&g->repo, dir, GIT_REPOSITORY_OPEN_CROSS_FS, NULL);
	if (err)
		return git_failed(why, EXIT_COULD_NOT_COMPARE, 0, "cannot open the repository %s",
				  gitdir);
	g->shallow = git_repository_is_shallow(g->repo) == 1;
	remark_alternates(g);
	workdir = git_repository_workdir(g->repo);
	if (!workdir)
		return 0;
	g->workdir = strdup(workdir);
	if (!g->workdir)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	for (size_t n = strlen(g->workdir); n > 1 && g->workdir[n - 1] == '/'; n--)
		g->workdir[n - 1] = '\0';
	return 0;
}

int git__open(struct git **ret, const char *dir, struct problem *why)
{
	GIT_CALLS;
	struct git *g = calloc(1, sizeof(*g));
	git_buf gitdir = {0};
	int err;

	if (!g || git_libgit2_init() < 0) {
		free(g);
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	}
	err = git_repository_discover(&gitdir, dir, 1, NULL);
	if (err == GIT_ENOTFOUND)
		err = -ENOENT;
	else if (err)
		err = git_failed(why, EXIT_COULD_NOT_COMPARE, err, "looking for a repository at %s",
				 dir);
	else
		err = open_at(g, dir, gitdir.ptr, why);
	git_buf_dispose(&gitdir);
	if (err) {
		git__close(g);
		return err;
	}
	*ret = g;
	return 0;
}

void git__close(struct git *g)
{
	if (!g)
		return;
	git_repository_free(g->repo);
	free(g->workdir);
	free(g->remark);
	free(g);
	(void)git_libgit2_shutdown(); /* counted */
}

const char *git_workdir(const struct git *g)
{
	return g->workdir;
}

const char *git_remark(const struct git *g)
{
	return g->remark;
}

bool git_is_shallow(const struct git *g)
{
	return g->shallow;
}
