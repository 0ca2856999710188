/* SPDX-License-Identifier: BSD-2-Clause */
#include "stage.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct stager {
	struct staged *staged;
	const struct source *source;
	enum side side;
	struct transfer transfer;
	struct record *rec;
	struct problem *why;
};

static int copy_failed(const struct stager *s, int err, const char *path)
{
	const char *what = strerror(-err);

	if (err == -EINTR)
		return err;
	if (err == -E2BIG)
		return problem_set(
			s->why, EXIT_COULD_NOT_COMPARE, err,
			"the %s is too large to copy: more than %d files, %d GiB or %d levels of "
			"directories",
			side_name(s->side), TREE_FILES_MAX, (int)(TREE_BYTES_MAX >> 30),
			TREE_DEPTH_MAX);
	if (err == -EFBIG)
		what = "a file is larger than may be written here (ulimit -f)";
	if (err == -EAGAIN)
		what = "it keeps changing while it is copied";
	return problem_set(s->why, EXIT_COULD_NOT_COMPARE, err, "copying the %s: %s: %s",
			   side_name(s->side), path, what);
}

static int open_dir(const struct stager *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? copy_failed(s, -errno, path) : fd;
}

static int copy_listed(struct stager *s, int from, const struct git_files *files)
{
	int to = s->staged->work.fd;

	for (size_t i = 0; i < files->paths.cnt; i++) {
		const char *path = files->paths.items[i];
		int err = beneath_copy_file(from, to, path, &s->transfer);

		if (err == -ENOENT) /* deleted, or left out by a sparse checkout */
			err = git_write_skipped(s->source->git, path, to, &s->transfer);
		if (err && err != -ENOENT)
			return copy_failed(s, err, path);
	}
	return 0;
}

static int copy_whole(struct stager *s, int from, const char *remark)
{
	int err = beneath_copy_all(from, s->staged->work.fd, &s->transfer);

	if (err)
		return copy_failed(s, err, s->source->top);
	if (remark && record__note(s->rec, "%s was copied whole, ignored files too: %s",
				   s->source->top, remark))
		return problem_set(s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	return 0;
}

static int note_nested(struct stager *s, const struct git_files *files)
{
	for (size_t i = 0; i < files->nested.cnt; i++) {
		if (record__note(s->rec, "%s is a repository of its own and was not copied",
				 files->nested.items[i]))
			return problem_set(s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM,
					   "out of memory");
	}
	return 0;
}

static int snapshot(struct stager *s)
{
	AUTO_FD int from = open_dir(s, s->source->top);
	struct git_files files = {0};
	struct problem refused = {0};
	int err;

	if (from < 0)
		return from;
	if (!s->source->git)
		return copy_whole(s, from, s->source->remark);
	err = git_files__list(s->source->git, side_name(s->side), &files, &refused);
	if (err == -ENOTSUP &&
	    s->source->kind == VERSION_DIR) /* submodules: it was named, so whole */
		err = copy_whole(s, from, refused.text);
	else if (err)
		err = problem_set(s->why, refused.exit, err, "%s", refused.text);
	else
		err = copy_listed(s, from, &files);
	if (!err)
		err = note_nested(s, &files);
	s->staged->changed = files.changed;
	git_files__done(&files);
	problem__done(&refused);
	return err;
}

static int checkout(struct stager *s)
{
	struct git_checkout c = {.what = side_name(s->side),
				 .commit = s->source->commit,
				 .target_fd = s->staged->work.fd,
				 .transfer = &s->transfer};
	int err = git_checkout(s->source->git, &c, s->why);

	s->staged->converted = c.converted;
	if (err && err != -EINTR)
		return copy_failed(s, err, c.commit); /* says something when git.h has not */
	return err;
}

static bool is_there(int root, const char *path)
{
	const char *name;
	AUTO_FD int dir = beneath_parent(root, path, false, &name);
	struct stat st;

	return dir >= 0 && !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

static int add_need(struct stager *s, int from, const char *prefix, const char *need)
{
	AUTO_FREE char *path = NULL;
	size_t len = strlen(need);
	int err;

	need += !strncmp(need, "./", 2) ? 2 : 0;
	for (len = strlen(need); len > 1 && need[len - 1] == '/'; len--)
		;
	if (asprintf(&path, "%s%s%.*s", prefix, prefix[0] ? "/" : "", (int)len, need) < 0) {
		path = NULL;
		return copy_failed(s, -ENOMEM, need);
	}
	err = beneath_copy(from, s->staged->work.fd, path, &s->transfer);
	if (err == -ENOENT && is_there(s->staged->work.fd, path))
		return 0;
	if (err == -ENOENT || err == -EINVAL)
		return problem_set(s->why, EXIT_USAGE, err, "needs = %s: %s", need,
				   err == -ENOENT ? "there is no such file in the project"
						  : "must be a path below the project, without ..");
	return err ? copy_failed(s, err, path) : 0;
}

static int add_needs(struct stager *s, const struct origin *o, const struct strings *needs)
{
	bool own = s->source->top != NULL;
	const char *top = own ? s->source->top : o->git ? git_workdir(o->git) : NULL;
	AUTO_FD int from = -1;
	int err = 0;

	if (!needs->cnt || !top)
		return 0; /* of a bare repository there are no ignored files */
	from = open_dir(s, top);
	if (from < 0)
		return from;
	s->transfer.keep_existing = true;
	for (size_t i = 0; !err && i < needs->cnt; i++)
		err = add_need(s, from, own ? s->source->prefix : o->prefix, needs->items[i]);
	return err;
}

static int check_lfs(const struct stager *s)
{
	size_t n = s->staged->manifest.lfs_cnt;
	const char *plural = n == 1 ? "" : "s";

	if (!n)
		return 0;
	if (s->source->kind == VERSION_COMMIT)
		return problem_set(s->why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
				   "the %s has %zu LFS file%s, which joust cannot fetch. Check it "
				   "out with git "
				   "(git worktree add DIR %.12s) and pass --%s DIR",
				   side_name(s->side), n, plural, s->source->commit,
				   s->side == SIDE_BASELINE ? "base" : "candidate");
	return problem_set(
		s->why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
		"the %s (%s) has %zu LFS file%s that were not fetched. Run: git lfs pull",
		side_name(s->side), s->source->top, n, plural);
}

static int fill(struct stager *s, const struct origin *o, const struct versions_request *req)
{
	int err = work__new(&s->staged->work, s->why);

	if (!err)
		err = s->source->kind == VERSION_COMMIT ? checkout(s) : snapshot(s);
	if (!err)
		err = add_needs(s, o, &req->config->needs);
	if (err)
		return err;
	err = manifest__read(&s->staged->manifest, s->staged->work.fd, req->interrupt_fd);
	if (err)
		return copy_failed(s, err, s->staged->work.path);
	return check_lfs(s);
}

int staged__make(struct staged *ret, const struct source *source, const struct origin *o,
		 enum side side, const struct versions_request *req, struct record *rec,
		 struct problem *why)
{
	struct staged staged = {.work = {.fd = -1}};
	struct stager s = {.staged = &staged,
			   .source = source,
			   .side = side,
			   .transfer = {.interrupt_fd = req->interrupt_fd},
			   .rec = rec,
			   .why = why};
	int err = fill(&s, o, req);

	if (err) {
		staged__done(&staged);
		return err;
	}
	*ret = staged;
	return 0;
}

void staged__done(struct staged *s)
{
	work__done(&s->work);
	manifest__done(&s->manifest);
	s->changed = s->converted = 0;
}
