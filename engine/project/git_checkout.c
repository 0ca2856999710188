/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/*
 * The files are written one by one rather than by git_checkout_tree: that one takes attributes from
 * the working tree in place of the commit, writes through planted symlinks, and cannot be stopped.
 */

/* What a subtree holds, counted once per tree object however often it is named. */
struct memo {
	git_oid id;
	bool used;
	uint64_t files, bytes;
	unsigned depth;
};

struct checkout {
	struct git *g;
	struct git_checkout *request;
	git_odb *odb;
	git_filter_options filter;
	struct strings submodules;
	struct memo *memo;
	size_t memo_cnt, memo_size; /* size is a power of two */
	struct problem *why;
};

static int refuse(struct checkout *c, int err, const char *path, const char *what)
{
	return problem_set(c->why, EXIT_COULD_NOT_COMPARE, err, "%s %.12s: %s: %s",
			   c->request->what, c->request->commit, path, what);
}

static int too_big(struct checkout *c)
{
	return problem_set(
		c->why, EXIT_COULD_NOT_COMPARE, -E2BIG,
		"%s %.12s is too large: more than %d files, %d GiB or %d levels of directories. "
		"Check it out yourself and pass --base DIR",
		c->request->what, c->request->commit, TREE_FILES_MAX, (int)(TREE_BYTES_MAX >> 30),
		TREE_DEPTH_MAX);
}

/* Memo: open addressing, as ids are hashes already */

static struct memo *memo_slot(struct memo *memo, size_t size, const git_oid *id)
{
	size_t at;

	memcpy(&at, id->id, sizeof(at));
	for (at &= size - 1; memo[at].used && !git_oid_equal(&memo[at].id, id);
	     at = (at + 1) & (size - 1))
		;
	return &memo[at];
}

static int memo_add(struct checkout *c, const struct memo *m)
{
	if (2 * (c->memo_cnt + 1) > c->memo_size) {
		size_t size = c->memo_size ? 2 * c->memo_size : 64;
		struct memo *bigger = calloc(size, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		for (size_t i = 0; i < c->memo_size; i++) {
			if (c->memo[i].used)
				*memo_slot(bigger, size, &c->memo[i].id) = c->memo[i];
		}
		free(c->memo);
		c->memo = bigger;
		c->memo_size = size;
	}
	*memo_slot(c->memo, c->memo_size, &m->id) = *m;
	c->memo_cnt++;
	return 0;
}

/* Counting */

static bool name_refused(const char *name)
{
	size_t n = strlen(name);

	/* what git itself refuses; the rest of HFS's and NTFS's spellings cannot harm on Linux */
	while (n && (name[n - 1] == ' ' || name[n - 1] == '.'))
		n--;
	return !n || n > NAME_MAX || strchr(name, '/') || !strcasecmp(name, "git~1") ||
	       (n == 4 && !strncasecmp(name, ".git", 4));
}

static int count_tree(struct checkout *c, const git_oid *id, const char *prefix, unsigned depth,
		      struct memo *ret);

static int count_entry(struct checkout *c, const git_tree_entry *e, const char *prefix,
		       unsigned depth, struct memo *sum)
{
	const char *name = git_tree_entry_name(e);
	AUTO_FREE char *path = NULL;
	struct memo sub = {0};
	git_object_t type;
	size_t size;
	int err;

	if (asprintf(&path, "%s%s%s", prefix, prefix[0] ? "/" : "", name) < 0) {
		path = NULL;
		return refuse(c, -ENOMEM, name, "out of memory");
	}
	if (name_refused(name))
		return refuse(c, -EINVAL, path, "no file may have this name");
	switch ((unsigned)git_tree_entry_filemode(e)) {
	case GIT_FILEMODE_TREE:
		err = count_tree(c, git_tree_entry_id(e), path, depth + 1, &sub);
		sum->files += sub.files;
		sum->bytes += sub.bytes;
		sum->depth = sub.depth + 1 > sum->depth ? sub.depth + 1 : sum->depth;
		break;
	case GIT_FILEMODE_COMMIT:
		err = strings__add(&c->submodules, path);
		break;
	default:
		err = git_odb_read_header(&size, &type, c->odb, git_tree_entry_id(e));
		if (err)
			return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s %.12s: %s",
					  c->request->what, c->request->commit, path);
		sum->files++;
		sum->bytes += size;
	}
	if (err)
		return err;
	if (sum->files > TREE_FILES_MAX || sum->bytes > TREE_BYTES_MAX ||
	    depth + sum->depth > TREE_DEPTH_MAX)
		return too_big(c);
	return interrupted(c->request->transfer->interrupt_fd) ? -EINTR : 0;
}

static int count_tree(struct checkout *c, const git_oid *id, const char *prefix, unsigned depth,
		      struct memo *ret)
{
	CLEANUP(cleanup_git_tree) git_tree *tree = NULL;
	struct memo sum = {.id = *id, .used = true};
	int err;

	if (depth > TREE_DEPTH_MAX)
		return too_big(c);
	if (c->memo_size && memo_slot(c->memo, c->memo_size, id)->used) {
		*ret = *memo_slot(c->memo, c->memo_size, id);
		return 0;
	}
	err = git_tree_lookup(&tree, c->g->repo, id);
	if (err)
		return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s %.12s: %s",
				  c->request->what, c->request->commit, prefix);
	for (size_t i = 0; i < git_tree_entrycount(tree); i++) {
		err = count_entry(c, git_tree_entry_byindex(tree, i), prefix, depth, &sum);
		if (err)
			return err;
	}
	err = memo_add(c, &sum);
	if (!err)
		*ret = sum;
	return err;
}

static int refuse_submodules(struct checkout *c)
{
	char names[512] = "";
	size_t n = 0;

	if (!c->submodules.cnt)
		return 0;
	for (size_t i = 0; i < c->submodules.cnt && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      c->submodules.items[i]);
	return problem_set(
		c->why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
		"%s %.12s has %zu submodule%s (%s), which joust does not check out. Check it "
		"out yourself and pass --base DIR",
		c->request->what, c->request->commit, c->submodules.cnt,
		c->submodules.cnt == 1 ? "" : "s", names);
}

/* Writing */

static int write_blob(struct checkout *c, git_blob *blob, const char *path, bool executable)
{
	CLEANUP(cleanup_git_filter_list) git_filter_list *filters = NULL;
	git_buf out = {0};
	int err = git_filter_list_load_ext(&filters, c->g->repo, blob, path, GIT_FILTER_TO_WORKTREE,
					   &c->filter);

	if (!err && !filters)
		return beneath_write(c->request->target_fd, path, git_blob_rawcontent(blob),
				     (size_t)git_blob_rawsize(blob), executable);
	if (!err)
		err = git_filter_list_apply_to_blob(&out, filters, blob);
	if (err)
		return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s", path);
	if (out.size != (size_t)git_blob_rawsize(blob) ||
	    memcmp(out.ptr, git_blob_rawcontent(blob), out.size))
		c->request->converted++;
	err = beneath_write(c->request->target_fd, path, out.ptr, out.size, executable);
	git_buf_dispose(&out);
	return err;
}

static int write_link(struct checkout *c, git_blob *blob, const char *path)
{
	size_t len = (size_t)git_blob_rawsize(blob);
	AUTO_FREE char *target = NULL;

	if (!len || len >= PATH_MAX || memchr(git_blob_rawcontent(blob), 0, len))
		return refuse(c, -EINVAL, path, "not a symlink that Linux can hold");
	target = strndup(git_blob_rawcontent(blob), len);
	if (!target)
		return -ENOMEM;
	return beneath_symlink(c->request->target_fd, path, target);
}

static int write_entry(struct checkout *c, const git_tree_entry *e, const char *path)
{
	CLEANUP(cleanup_git_blob) git_blob *blob = NULL;
	unsigned mode = (unsigned)git_tree_entry_filemode(e);
	int err = git_blob_lookup(&blob, c->g->repo, git_tree_entry_id(e));

	if (err)
		return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s %.12s: %s",
				  c->request->what, c->request->commit, path);
	err = transfer_next(c->request->transfer, (uint64_t)git_blob_rawsize(blob));
	if (err == -E2BIG)
		return too_big(c);
	if (err)
		return err;
	if (mode == GIT_FILEMODE_LINK)
		err = write_link(c, blob, path);
	else
		err = write_blob(c, blob, path, mode == GIT_FILEMODE_BLOB_EXECUTABLE);
	return err ? refuse(c, err, path, strerror(-err)) : 0;
}

static int write_tree(struct checkout *c, const git_oid *id, const char *prefix)
{
	CLEANUP(cleanup_git_tree) git_tree *tree = NULL;
	int err = git_tree_lookup(&tree, c->g->repo, id);

	if (err)
		return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s", prefix);
	for (size_t i = 0; i < git_tree_entrycount(tree) && !err; i++) {
		const git_tree_entry *e = git_tree_entry_byindex(tree, i);
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s%s%s", prefix, prefix[0] ? "/" : "",
			     git_tree_entry_name(e)) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		if (git_tree_entry_filemode(e) == GIT_FILEMODE_TREE)
			err = write_tree(c, git_tree_entry_id(e), path);
		else
			err = write_entry(c, e, path);
	}
	return err;
}

static int run(struct checkout *c)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	CLEANUP(cleanup_git_odb) git_odb *odb = NULL;
	struct memo sum;
	git_oid id;
	int err = git_oid_fromstr(&id, c->request->commit);

	if (!err)
		err = git_repository_odb(&odb, c->g->repo);
	if (!err)
		err = git_commit_lookup(&commit, c->g->repo, &id);
	if (err)
		return git_failed(c->why, EXIT_COULD_NOT_COMPARE, err, "%s %.12s", c->request->what,
				  c->request->commit);
	c->odb = odb;
	c->filter.version = GIT_FILTER_OPTIONS_VERSION;
	c->filter.flags = GIT_FILTER_ATTRIBUTES_FROM_COMMIT;
	c->filter.attr_commit_id = id;
	err = count_tree(c, git_commit_tree_id(commit), "", 0, &sum);
	if (!err)
		err = refuse_submodules(c);
	return err ? err : write_tree(c, git_commit_tree_id(commit), "");
}

int git_checkout(struct git *g, struct git_checkout *request, struct problem *why)
{
	GIT_CALLS;
	struct checkout c = {.g = g, .request = request, .why = why};
	int err = git_refuse_special_rules(g, why);

	if (!err)
		err = run(&c);
	free(c.memo);
	strings__done(&c.submodules);
	return err;
}

int git_write_skipped(struct git *g, const char *path, int target_fd, struct transfer *t)
{
	GIT_CALLS;
	CLEANUP(cleanup_git_index) git_index *index = NULL;
	CLEANUP(cleanup_git_blob) git_blob *blob = NULL;
	struct problem ignored = {0};
	struct git_checkout request = {.what = "candidate", .commit = "", .target_fd = target_fd};
	struct checkout c = {.g = g, .request = &request, .why = &ignored};
	const git_index_entry *e = NULL;
	int err;

	c.filter.version = GIT_FILTER_OPTIONS_VERSION;
	if (!git_repository_index(&index, g->repo))
		e = git_index_get_bypath(index, path, 0);
	if (!e || !(e->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE))
		return -ENOENT;
	if (git_blob_lookup(&blob, g->repo, &e->id))
		return -EIO;
	err = transfer_next(t, (uint64_t)git_blob_rawsize(blob));
	if (!err)
		err = e->mode == GIT_FILEMODE_LINK
			      ? write_link(&c, blob, path)
			      : write_blob(&c, blob, path, e->mode == GIT_FILEMODE_BLOB_EXECUTABLE);
	problem__done(&ignored);
	return err;
}

static int find_entry(struct git *g, const char *commit, const char *path, git_tree_entry **ret)
{
	CLEANUP(cleanup_git_commit) git_commit *c = NULL;
	CLEANUP(cleanup_git_tree) git_tree *tree = NULL;
	git_oid id;
	int err;

	if (git_oid_fromstr(&id, commit) || git_commit_lookup(&c, g->repo, &id) ||
	    git_commit_tree(&tree, c))
		return -EIO;
	err = git_tree_entry_bypath(ret, tree, path);
	if (!err)
		return git_tree_entry_type(*ret) == GIT_OBJECT_BLOB ? 0 : -ENOENT;
	return err == GIT_ENOTFOUND ? -ENOENT : -EIO;
}

bool git_has_file(struct git *g, const char *commit, const char *path)
{
	GIT_CALLS;
	CLEANUP(cleanup_git_tree_entry) git_tree_entry *e = NULL;

	return find_entry(g, commit, path, &e) != -ENOENT;
}

int git_write_file(struct git *g, const char *commit, const char *path, int target_fd,
		   const char *name)
{
	GIT_CALLS;
	CLEANUP(cleanup_git_tree_entry) git_tree_entry *e = NULL;
	CLEANUP(cleanup_git_blob) git_blob *blob = NULL;
	int err = find_entry(g, commit, path, &e);

	if (err)
		return err;
	if (git_tree_entry_filemode(e) == GIT_FILEMODE_LINK)
		return -ENOENT;
	if (git_blob_lookup(&blob, g->repo, git_tree_entry_id(e)))
		return -EIO;
	return beneath_write(target_fd, name, git_blob_rawcontent(blob),
			     (size_t)git_blob_rawsize(blob), false);
}
