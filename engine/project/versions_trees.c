/* SPDX-License-Identifier: BSD-2-Clause */
/* Built trees: named, built, indexed, and kept in the cache. */
#include "versions_private.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include "../util/files.h"
#include "tree.h"
#include "work.h"

#define KEY_FORMAT 1 /* of trees/KEY and of what goes into the key */

/* The user's directory that holds this version, or the project where it is only in git. Owned. */
static char *find_home(const struct prep *p, const struct source *s)
{
	const char *cwd = p->origin.cwd;
	size_t below = strlen(p->origin.prefix);

	return s->top ? strdup(s->top) : strndup(cwd, strlen(cwd) - below - (below > 0));
}

/* The project's own directory, or the candidate's; both sides are shown there. NULL in *ret: not. */
static int find_place(const struct prep *p, char **ret)
{
	char *place;

	*ret = NULL;
	if (!sandbox_has(p->req->sandbox, LAYER_ROOT))
		return 0;
	place = find_home(p, &p->party[SIDE_CANDIDATE].source);
	if (!place)
		return -ENOMEM;
	if (sandbox_can_show(p->req->sandbox, place))
		*ret = TAKE_PTR(place);
	free(place);
	return 0;
}

static int make_key(struct prep *p, struct party *a)
{
	AUTO_FREE char *environment = NULL;
	AUTO_FREE char *tool_list = NULL;
	AUTO_FREE char *place = NULL;
	int err = build_environment_text(&p->req->config->sandbox_env, &environment);

	if (!err)
		err = find_place(p, &place);
	if (!err)
		err = build_tools_text(&p->req->config->sandbox_env, &tool_list);
	if (!err &&
	    asprintf(&a->key_text, "%sjoust %s %d\ntree %s\nproject %s\nbuild %s\n%s%s%s%s%s",
		     p->req->twice && a->side == SIDE_BASELINE ? "once more\n" : "", JOUST_VERSION,
		     KEY_FORMAT, a->staged.manifest.hash, a->source.prefix,
		     p->req->build ? p->req->build : "", p->req->build ? environment : "",
		     p->req->build ? tool_list : "", p->req->build && place ? place : "",
		     p->req->build && place ? "\n" : "",
		     p->req->build && p->req->world ? p->req->world : "") < 0) {
		a->key_text = NULL;
		err = -ENOMEM;
	}
	if (!err)
		err = git_hash_blob(a->key_text, strlen(a->key_text), a->key);
	_Static_assert(sizeof(a->hash) == sizeof(a->staged.manifest.hash), "one kind of hash");
	memcpy(a->hash, a->staged.manifest.hash, sizeof(a->hash));
	return err ? prep_no_memory(p) : 0;
}

static int name_tree(struct prep *p, struct party *a, const char *root)
{
	const char *prefix = a->source.prefix;
	struct stat st;

	a->tree.root = strdup(root);
	a->tree.home = find_home(p, &a->source);
	if (!a->tree.root || !a->tree.home || find_place(p, &a->tree.place) ||
	    asprintf(&a->tree.project, "%s%s%s", root, prefix[0] ? "/" : "", prefix) < 0) {
		a->tree.project = NULL;
		return prep_no_memory(p);
	}
	if (lstat(a->tree.project, &st) || !S_ISDIR(st.st_mode))
		return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -ENOTDIR,
				   "the %s has no directory %s, where the project is",
				   side_name(a->side), prefix);
	return 0;
}

/* Runs the command. A failed one is no failure here: a->result tells. */
static int build(struct prep *p, struct party *a, const char *scratch)
{
	struct rec_version *v = &p->rec->version[a->side];
	struct build_request request = {.command = p->req->build,
					.tree = &a->tree,
					.sandbox = p->req->sandbox,
					.limits = build_limits_of(p->req->config, p->req->cgroup),
					.scratch = scratch,
					.names = &p->req->config->sandbox_env,
					.interrupt_fd = p->req->interrupt_fd};
	AUTO_FREE char *log = NULL;
	int err;

	if (!p->req->build)
		return 0;
	prep_progress(p, "building", a->side, p->req->build);
	if (asprintf(&log, "%s/build-%s.log", p->state, side_name(a->side)) < 0) {
		log = NULL;
		return prep_no_memory(p);
	}
	request.log = log;
	err = build__run(&request, &a->result, p->why);
	if (err)
		return err;
	v->built = !a->result.failed;
	v->build_seconds = a->result.seconds;
	free(v->build_log);
	v->build_log = TAKE_PTR(log);
	return 0;
}

/* A directory may hold built programs; in a commit they hide what its sources would have become. */
static void mark_committed(const struct prep *p, struct party *a)
{
	bool git = a->source.kind == VERSION_COMMIT || a->source.kind == VERSION_WORKTREE;

	for (size_t i = 0; git && p->req->build && !prep_in_place(p, a) && i < a->tree.files_cnt;
	     i++) {
		struct tree_file *f = &a->tree.files[i];
		AUTO_FREE char *path = NULL;
		struct stat st;

		if (asprintf(&path, "%s/%s", a->tree.root, f->path) < 0)
			path = NULL;
		f->committed = path && !lstat(path, &st) &&
			       manifest_untouched(&a->staged.manifest, f->path, &st);
	}
}

int prep_index_tree(struct prep *p, struct party *a)
{
	int err = tree__index(&a->tree, p->req->interrupt_fd);

	if (err)
		return prep_failed(p, err, a->tree.root);
	mark_committed(p, a);
	return 0;
}

static int fill_slot(struct prep *p, struct party *a, struct slot *slot)
{
	char seal[128];
	int err;

	if (rename(a->staged.work.path, slot->root))
		return prep_failed(p, -errno, slot->root);
	free(TAKE_PTR(a->staged.work.path)); /* it is the slot's now, with its lock */
	cleanup_fd(&a->staged.work.fd);
	a->staged.work.fd = -1;
	err = name_tree(p, a, slot->root);
	if (!err)
		err = build(p, a, slot->scratch);
	if (!err && !a->result.failed)
		err = prep_index_tree(p, a);
	if (err || a->result.failed)
		return err;
	err = tree_seal(&a->tree, seal);
	return err ? prep_failed(p, err, slot->root) : slot__publish(slot, seal, p->why);
}

/* Removes what killed runs left in the tree, as far as nobody else can be using it. */
static int index_shared(struct prep *p, struct party *a, struct slot *slot)
{
	int err, err_index;

	a->tree.alone = slot__try_alone(slot);
	err = a->tree.alone ? 0 : slot__share(slot, p->why);
	if (err)
		return err;
	err_index = prep_index_tree(p, a);
	err = a->tree.alone ? slot__share(slot, p->why) : 0;
	a->tree.alone = false;
	return err_index ? err_index : err;
}

/* A tree of the cache as it was built, by what is cheap to see: its programs. */
static int reuse_slot(struct prep *p, struct party *a, struct slot *slot, bool *ret_good)
{
	char have[128], want[128];
	int err = name_tree(p, a, slot->root);

	if (!err)
		err = index_shared(p, a, slot);
	if (!err && tree_seal(&a->tree, have))
		err = prep_no_memory(p);
	if (err)
		return err;
	slot_seal(slot, want);
	*ret_good = !strcmp(have, want);
	if (*ret_good) {
		p->rec->version[a->side].built = p->req->build != NULL;
		p->rec->version[a->side].build_cached = p->req->build != NULL;
	}
	return 0;
}

static int with_slot(struct prep *p, struct party *a, struct slot *slot, bool valid)
{
	bool good = false;
	int err = 0;

	if (valid) {
		err = reuse_slot(p, a, slot, &good);
		if (err || good)
			return err;
		tree__done(&a->tree);
		err = slot__void(slot, p->why);
	}
	return err ? err : fill_slot(p, a, slot);
}

static int cached_tree(struct prep *p, struct party *a)
{
	struct slot slot = {.lock_fd = -1};
	bool valid = false;
	int err = make_key(p, a);

	if (!err)
		err = slot__open(&slot, a->key, p->req->interrupt_fd, &valid, p->why);
	if (err)
		return err;
	err = with_slot(p, a, &slot, valid);
	if (!err && !a->result.failed)
		a->tree.lock_fd = TAKE_FD(slot.lock_fd);
	slot__done(&slot);
	return err;
}

/* Two runs that build in one working tree would measure each other's products. */
static int lock_in_place(struct prep *p, struct party *a)
{
	AUTO_FD int fd = open(a->tree.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return prep_failed(p, -errno, a->tree.root);
	if (flock(fd, LOCK_EX | LOCK_NB))
		return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -errno,
				   "another joust measures %s in place: wait for its end",
				   a->tree.root);
	a->tree.lock_fd = TAKE_FD(fd);
	a->tree.alone = true;
	return 0;
}

static int in_place_tree(struct prep *p, struct party *a)
{
	AUTO_FREE char *scratch = NULL;
	int err = name_tree(p, a, a->source.top);

	if (!err)
		err = lock_in_place(p, a);
	if (!err && asprintf(&scratch, "%s.env", a->staged.work.path) < 0) {
		scratch = NULL;
		err = prep_no_memory(p);
	}
	if (!err)
		err = build(p, a, scratch);
	return err || a->result.failed ? err : prep_index_tree(p, a);
}

static int copy_program(struct prep *p, struct party *a)
{
	const char *from = a->source.program, *base = strrchr(from, '/');
	struct stat st;
	int err = work__new(&a->tree.work, p->why);

	if (err)
		return err;
	if (asprintf(&a->tree.program, "%s%s", a->tree.work.path, base) < 0) {
		a->tree.program = NULL;
		return prep_no_memory(p);
	}
	err = files_copy_program(from, a->tree.program, &st);
	if (err && err != -EINTR)
		return problem_set(p->why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", from,
				   files_copy_strerror(err));
	return err;
}

/* A copy of its own: who builds the program anew meanwhile would have two of them measured as one. */
static int program_tree(struct prep *p, struct party *a)
{
	int err;

	a->tree.root = strdup(a->source.top);
	a->tree.project = strdup(a->source.top);
	if (!a->tree.root || !a->tree.project)
		return prep_no_memory(p);
	err = copy_program(p, a);
	return err ? err : prep_index_tree(p, a);
}

int prep_make_tree(struct prep *p, struct party *a)
{
	if (a->source.kind == VERSION_PROGRAM)
		return program_tree(p, a);
	return prep_in_place(p, a) ? in_place_tree(p, a) : cached_tree(p, a);
}
