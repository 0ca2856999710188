/* SPDX-License-Identifier: BSD-2-Clause */
#include "layouts.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "beneath.h"
#include "build.h"
#include "relink.h"
#include "stage.h"
#include "tree.h"
#include "work.h"
#include "../util/files.h"
#include "../util/num.h"

#define FORMAT	   2 /* of the key, of RELINK_DIR, and of what the stand-ins do */
#define RESULT	   RELINK_DIR "/result"
#define RESULT_MAX 4096

/* One side's other links while they are made or found. */
struct job {
	const struct layouts_request *r;
	struct slot slot;
	struct tree twin;  /* the tree that they are made in */
	const char *place; /* where its builds see it: as the tree's own */
	size_t made;
	char *failure;
	struct problem why;
};

static const char *impossible(const struct layouts_request *r)
{
	if (r->req->layouts < 2)
		return "one was asked for";
	if (r->source->kind == VERSION_PROGRAM)
		return "joust did not build the programs";
	if (!r->req->build)
		return "nothing is built";
	if (r->req->in_place)
		return "the candidate was built in place";
	if (!r->req->config->layout && !build_has_tool("ld.lld"))
		return "the linker lld is not installed, and joust.conf has no layout command";
	return NULL;
}

static int make_key(const struct layouts_request *r, char key[static TREE_KEY])
{
	const char *recipe = r->req->config->layout;
	AUTO_FREE char *text = NULL;

	if (asprintf(&text, "layouts %d %zu %s\n%s", FORMAT, r->req->layouts, recipe ? recipe : "",
		     r->key_text) < 0) {
		text = NULL;
		return -ENOMEM;
	}
	return git_hash_blob(text, strlen(text), key);
}

/*
 * The tree is of other people's making: below a descriptor, where no symlink leads out of it and what
 * stands in the way is an error.
 */
static int open_root(const struct job *j)
{
	int fd = open(j->slot.root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int write_result(const struct job *j)
{
	AUTO_FD int root = open_root(j);
	char line[RESULT_MAX];

	if (root < 0)
		return root;
	(void)snprintf(line, sizeof(line), "%zu %s", j->made, /* a cut reason will do */
		       j->failure ? j->failure : "");
	return beneath_write(root, RESULT, line, strlen(line), false);
}

int layouts_result(char *line, size_t most, size_t *ret_made, char **ret_failure)
{
	char *blank;
	uint64_t made;

	line[strcspn(line, "\n")] = '\0';
	blank = strchr(line, ' ');
	if (!blank)
		return -EINVAL;
	*blank = '\0';
	if (num_u64(line, 0, most, &made))
		return -EINVAL;
	*ret_made = made;
	*ret_failure = blank[1] ? strdup(blank + 1) : NULL; /* without memory: no reason */
	return 0;
}

static int read_result(struct job *j)
{
	AUTO_FD int root = open_root(j);
	AUTO_FD int dir = -1;
	AUTO_FD int fd = -1;
	char line[RESULT_MAX];
	const char *name;
	struct stat st;
	ssize_t n;

	dir = root < 0 ? root : beneath_parent(root, RESULT, false, &name);
	if (dir < 0)
		return -EINVAL;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -EINVAL;
	n = read(fd, line, sizeof(line) - 1);
	if (n <= 0)
		return -EINVAL;
	line[n] = '\0';
	return layouts_result(line, j->r->req->layouts, &j->made, &j->failure);
}

static int name_twin(struct job *j)
{
	const char *prefix = j->r->source->prefix;

	j->twin.root = strdup(j->slot.root);
	j->twin.place = j->place ? strdup(j->place) : NULL;
	if (!j->twin.root || (j->place && !j->twin.place) ||
	    asprintf(&j->twin.project, "%s%s%s", j->slot.root, prefix[0] ? "/" : "", prefix) < 0) {
		j->twin.project = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int link_all(struct job *j, const struct manifest *manifest)
{
	const struct versions_request *req = j->r->req;
	AUTO_FREE char *log = NULL;
	struct relink_request request = {.tree = &j->twin,
					 .sandbox = req->sandbox,
					 .limits = build_limits_of(req->config, req->cgroup),
					 .manifest = manifest,
					 .build = req->build,
					 .recipe = req->config->layout,
					 .names = &req->config->sandbox_env,
					 .scratch = j->slot.scratch,
					 .cnt = req->layouts - 1,
					 .interrupt_fd = req->interrupt_fd};

	if (asprintf(&log, "%s/build-%s-layouts.log", j->r->logs, side_name(j->r->side)) < 0) {
		log = NULL;
		return -ENOMEM;
	}
	request.log = log;
	if (req->progress_fd >= 0)
		dprintf(req->progress_fd, "linking the %s in %zu other orders\n",
			side_name(j->r->side), request.cnt);
	return relink(&request, &j->made, &j->failure);
}

/* The same sources once more, in the place that the cache has for them. */
static int fill_twin(struct job *j, struct staged *staged)
{
	if (strcmp(staged->manifest.hash, j->r->hash) != 0)
		return -ESTALE;
	if (rename(staged->work.path, j->slot.root))
		return -errno;
	free(TAKE_PTR(staged->work.path)); /* it is the slot's now, with its lock */
	cleanup_fd(&staged->work.fd);
	staged->work.fd = -1;
	return name_twin(j);
}

static int publish(struct job *j)
{
	char seal[128];
	int err = write_result(j);

	if (!err)
		err = tree__index(&j->twin, j->r->req->interrupt_fd);
	if (!err)
		err = tree_seal(&j->twin, seal);
	return err ? err : slot__publish(&j->slot, seal, &j->why);
}

static int make(struct job *j)
{
	const struct layouts_request *r = j->r;
	struct staged staged = {.work = {.fd = -1}};
	int err = staged__make(&staged, r->source, r->origin, r->side, r->req, r->rec, &j->why);

	if (!err)
		err = fill_twin(j, &staged);
	if (!err)
		err = link_all(j, &staged.manifest);
	staged__done(&staged);
	return err ? err : publish(j);
}

static int reuse(struct job *j, bool *ret_good)
{
	char have[128], want[128];
	int err = name_twin(j);

	if (!err)
		err = tree__index(&j->twin, j->r->req->interrupt_fd);
	if (!err && tree_seal(&j->twin, have))
		err = -ENOMEM;
	if (err)
		return err;
	slot_seal(&j->slot, want);
	*ret_good = !strcmp(have, want) && !read_result(j);
	return 0;
}

static int find_or_make(struct job *j)
{
	char key[TREE_KEY];
	bool valid = false, good = false;
	int err = make_key(j->r, key);

	if (!err)
		err = slot__open(&j->slot, key, j->r->req->interrupt_fd, &valid, &j->why);
	if (!err && valid)
		err = reuse(j, &good);
	if (err || good)
		return err;
	if (valid) {
		tree__done(&j->twin);
		err = slot__void(&j->slot, &j->why);
	}
	return err ? err : make(j);
}

static int set_why(struct layouts *l, const char *text)
{
	free(l->why);
	l->why = strdup(text);
	return l->why ? 0 : -ENOMEM;
}

/* Hands the links over to the tree. */
static int take(struct layouts *l, struct tree *tree, struct job *j)
{
	l->cnt = j->made + 1;
	l->why = TAKE_PTR(j->failure);
	if (!j->made)
		return l->why ? 0 : set_why(l, "the build made none");
	if (asprintf(&l->root, "%s/%s", j->slot.root, RELINK_DIR) < 0) {
		l->root = NULL;
		return -ENOMEM;
	}
	tree->twin = strdup(j->slot.root);
	l->lock_fd = TAKE_FD(j->slot.lock_fd);
	return tree->twin ? 0 : -ENOMEM;
}

int layouts__make(struct layouts *ret, struct tree *tree, const struct layouts_request *r)
{
	const char *no = impossible(r);
	struct job j = {
		.r = r, .place = tree->place, .slot = {.lock_fd = -1}, .twin = {.lock_fd = -1}};
	int err;

	*ret = (struct layouts){.cnt = 1, .lock_fd = -1};
	if (no)
		return set_why(ret, no);
	err = find_or_make(&j);
	if (!err)
		err = take(ret, tree, &j);
	else if (err != -EINTR && err != -ENOMEM) /* the run can do without */
		err = set_why(ret, j.why.text[0] ? j.why.text : strerror(-err));
	tree__done(&j.twin);
	slot__done(&j.slot);
	problem__done(&j.why);
	free(j.failure);
	return err;
}

char *layouts_program(const struct layouts *l, size_t number, const struct tree *t,
		      const char *program)
{
	size_t n = t->root ? strlen(t->root) : 0;
	AUTO_FD int fd = -1; /* the build that made it may have made a link instead */
	char *path;

	if (l->shift && number && number < l->cnt)
		number = 1 + (number - 1 + l->shift) % (l->cnt - 1);
	if (!number || number >= l->cnt || !l->root || strncmp(program, t->root, n) ||
	    program[n] != '/' || asprintf(&path, "%s/%zu%s", l->root, number, program + n) < 0)
		return NULL;
	fd = files_open_program(path);
	if (fd >= 0 && !access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

void layouts__done(struct layouts *l)
{
	if (l->root) /* else zeroed: no descriptor is ours */
		cleanup_fd(&l->lock_fd);
	free(l->root);
	free(l->why);
	*l = (struct layouts){.cnt = 1, .lock_fd = -1};
}
