/* SPDX-License-Identifier: BSD-2-Clause */
#include "versions.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include "build.h"
#include "dirs.h"
#include "layouts.h"
#include "remove.h"
#include "source.h"
#include "stage.h"
#include "tree.h"
#include "work.h"
#include "../../report/text.h"

#define TREES_KEPT 40 /* half of them for other links */
#define KEY_FORMAT 1  /* of trees/KEY and of what goes into the key */

/* One side on its way from a name to a built tree. */
struct party {
	enum side side;
	struct source source;
	struct staged staged;
	char key[TREE_KEY];
	char *key_text;	     /* what it is the hash of; owned */
	char hash[TREE_KEY]; /* of the manifest */
	struct build_result result;
	struct tree tree;
	struct layouts layouts;
};

struct prep {
	const struct versions_request *req;
	struct record *rec;
	struct problem *why;
	struct origin origin;
	char *state; /* where logs go */
	struct party party[SIDE_CNT];
	enum side first; /* the candidate alone with one_side */
};

static int no_memory(struct prep *p)
{
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static int failed(struct prep *p, int err, const char *what)
{
	if (err == -EINTR)
		return err;
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", what, strerror(-err));
}

static void progress(const struct prep *p, const char *doing, enum side side, const char *what)
{
	AUTO_FREE char *shown = what ? text_escaped(what) : NULL;

	if (p->req->progress_fd >= 0)
		dprintf(p->req->progress_fd, "%s the %s%s%s\n", doing, side_name(side),
			shown ? ": " : "", shown ? shown : "");
}

static bool in_place(const struct prep *p, const struct party *a)
{
	return p->req->in_place && a->side == SIDE_CANDIDATE;
}

/* The record */

static int copy_string(char **field, const char *value)
{
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

static int note_party(struct prep *p, const struct party *a)
{
	int err = 0;

	if (a->staged.converted)
		err = record__note(p->rec,
				   "%zu file%s of the %s were converted on checkout (ident, end of "
				   "line), as in a working tree",
				   a->staged.converted, a->staged.converted == 1 ? "" : "s",
				   side_name(a->side));
	if (!err && a->source.git && git_remark(a->source.git))
		err = record__note(p->rec, "%s", git_remark(a->source.git));
	if (!err && in_place(p, a))
		err = record__note(
			p->rec, "the candidate was built and measured in the working tree itself "
				"(--in-place): left-over build products may take part");
	return err;
}

/* What is known before anything is built. */
static int describe(struct prep *p, const struct party *a)
{
	struct rec_version *v = &p->rec->version[a->side];
	const struct source *s = &a->source;
	int err = 0;

	v->kind = s->kind;
	v->changed_files = a->staged.changed;
	err |= copy_string(&v->ref, s->ref);
	err |= copy_string(&v->commit, s->commit[0] ? s->commit : NULL);
	if (s->kind == VERSION_DIR || s->kind == VERSION_PROGRAM)
		err |= copy_string(&v->source, s->name ? s->name : s->top);
	err |= copy_string(&v->tree_hash,
			   a->staged.manifest.hash[0] ? a->staged.manifest.hash : NULL);
	err |= note_party(p, a);
	return err ? no_memory(p) : 0;
}

static int describe_built(struct prep *p, const struct party *a)
{
	struct rec_version *v = &p->rec->version[a->side];

	return copy_string(&v->path, a->tree.program ? a->tree.program : a->tree.root)
		       ? no_memory(p)
		       : 0;
}

/* Finding and copying */

static int find_sources(struct prep *p)
{
	struct source *candidate = &p->party[SIDE_CANDIDATE].source;
	int err = origin__open(&p->origin, p->req->cwd, p->why);

	if (!err)
		err = source__find_candidate(candidate, &p->origin, p->req, p->why);
	if (!err && p->req->twice)
		return source__find_candidate(&p->party[SIDE_BASELINE].source, &p->origin, p->req,
					      p->why);
	if (!err && !p->req->one_side)
		err = source__find_base(&p->party[SIDE_BASELINE].source, &p->origin, p->req,
					candidate, p->why);
	return err;
}

static int stage_all(struct prep *p)
{
	int err = 0;

	for (int i = p->first; !err && i < SIDE_CNT; i++) {
		struct party *a = &p->party[i];

		if (a->source.kind != VERSION_PROGRAM) {
			progress(p, "copying", a->side, NULL);
			err = staged__make(&a->staged, &a->source, &p->origin, a->side, p->req,
					   p->rec, p->why);
		}
		if (!err)
			err = describe(p, a);
	}
	return err;
}

static int say_nothing(struct prep *p)
{
	const struct strings *watch = &p->req->config->watch;
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return no_memory(p);
	for (size_t i = 0; i < watch->cnt; i++)
		fprintf(f, "%s%s", i ? ", " : "", watch->items[i]);
	if (!watch->cnt)
		fprintf(f, "nothing but *.md, docs/ and .github/ changed");
	fprintf(f, "%s since the baseline (--force compares anyway)",
		watch->cnt ? " unchanged" : "");
	if (fclose(f) || copy_string(&p->rec->message, text))
		return no_memory(p);
	return 0;
}

/* True when git can tell that no watched file changed. */
static bool nothing_changed(const struct prep *p)
{
	const struct party *base = &p->party[SIDE_BASELINE], *cand = &p->party[SIDE_CANDIDATE];

	if (p->req->force || p->req->one_side || p->req->twice ||
	    base->source.kind != VERSION_COMMIT)
		return false;
	if (cand->source.kind != VERSION_COMMIT && cand->source.kind != VERSION_WORKTREE)
		return false;
	return !manifest_changed(&base->staged.manifest, &cand->staged.manifest,
				 &p->req->config->watch, p->origin.prefix);
}

/* Trees */

/* The project's own directory, or the candidate's; both sides are shown there. NULL in *ret: not. */
static int find_place(const struct prep *p, char **ret)
{
	const struct source *candidate = &p->party[SIDE_CANDIDATE].source;
	const char *cwd = p->origin.cwd;
	size_t below = strlen(p->origin.prefix);
	char *place;

	*ret = NULL;
	if (!sandbox_has(p->req->sandbox, LAYER_ROOT))
		return 0;
	place = candidate->top ? strdup(candidate->top)
			       : strndup(cwd, strlen(cwd) - below - (below > 0));
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
	return err ? no_memory(p) : 0;
}

static int name_tree(struct prep *p, struct party *a, const char *root)
{
	const char *prefix = a->source.prefix;
	struct stat st;

	a->tree.root = strdup(root);
	if (!a->tree.root || find_place(p, &a->tree.place) ||
	    asprintf(&a->tree.project, "%s%s%s", root, prefix[0] ? "/" : "", prefix) < 0) {
		a->tree.project = NULL;
		return no_memory(p);
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
	progress(p, "building", a->side, p->req->build);
	if (asprintf(&log, "%s/build-%s.log", p->state, side_name(a->side)) < 0) {
		log = NULL;
		return no_memory(p);
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

	for (size_t i = 0; git && p->req->build && !in_place(p, a) && i < a->tree.files_cnt; i++) {
		struct tree_file *f = &a->tree.files[i];
		AUTO_FREE char *path = NULL;
		struct stat st;

		if (asprintf(&path, "%s/%s", a->tree.root, f->path) < 0)
			path = NULL;
		f->committed = path && !lstat(path, &st) &&
			       manifest_untouched(&a->staged.manifest, f->path, &st);
	}
}

static int index_tree(struct prep *p, struct party *a)
{
	int err = tree__index(&a->tree, p->req->interrupt_fd);

	if (err)
		return failed(p, err, a->tree.root);
	mark_committed(p, a);
	return 0;
}

static int fill_slot(struct prep *p, struct party *a, struct slot *slot)
{
	char seal[128];
	int err;

	if (rename(a->staged.work.path, slot->root))
		return failed(p, -errno, slot->root);
	free(TAKE_PTR(a->staged.work.path)); /* it is the slot's now, with its lock */
	cleanup_fd(&a->staged.work.fd);
	a->staged.work.fd = -1;
	err = name_tree(p, a, slot->root);
	if (!err)
		err = build(p, a, slot->scratch);
	if (!err && !a->result.failed)
		err = index_tree(p, a);
	if (err || a->result.failed)
		return err;
	err = tree_seal(&a->tree, seal);
	return err ? failed(p, err, slot->root) : slot__publish(slot, seal, p->why);
}

/* Removes what killed runs left in the tree, as far as nobody else can be using it. */
static int index_shared(struct prep *p, struct party *a, struct slot *slot)
{
	int err, err_index;

	a->tree.alone = slot__try_alone(slot);
	err = a->tree.alone ? 0 : slot__share(slot, p->why);
	if (err)
		return err;
	err_index = index_tree(p, a);
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
		err = no_memory(p);
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
		return failed(p, -errno, a->tree.root);
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
		err = no_memory(p);
	}
	if (!err)
		err = build(p, a, scratch);
	return err || a->result.failed ? err : index_tree(p, a);
}

static int program_tree(struct prep *p, struct party *a)
{
	a->tree.root = strdup(a->source.top);
	a->tree.project = strdup(a->source.top);
	a->tree.program = strdup(a->source.program);
	if (!a->tree.root || !a->tree.project || !a->tree.program)
		return no_memory(p);
	return index_tree(p, a);
}

static int make_tree(struct prep *p, struct party *a)
{
	int err;

	if (a->source.kind == VERSION_PROGRAM)
		err = program_tree(p, a);
	else if (in_place(p, a))
		err = in_place_tree(p, a);
	else
		err = cached_tree(p, a);
	return err || a->result.failed ? err : describe_built(p, a);
}

static int build_failed(struct prep *p)
{
	struct build_result *base = &p->party[SIDE_BASELINE].result;
	struct build_result *cand = &p->party[SIDE_CANDIDATE].result;
	struct build_result *shown = base->failed ? base : cand;
	static const char hint[] = "The build ran in a clean environment; variables that it needs "
				   "are named in " CONFIG_FILE ": [sandbox], env = NAME";

	free(p->why->detail);
	p->why->detail = TAKE_PTR(shown->tail);
	if (base->failed && cand->failed)
		return problem_set(
			p->why, EXIT_COULD_NOT_COMPARE, -ECHILD,
			"the baseline's build failed (%s), and so did the candidate's (%s): %s. %s",
			base->end, cand->end, p->req->build, hint);
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -ECHILD,
			   "the %s's build failed (%s): %s",
			   side_name(base->failed ? SIDE_BASELINE : SIDE_CANDIDATE), shown->end,
			   p->req->build);
}

static int make_trees(struct prep *p)
{
	bool any_failed = false;

	for (int i = p->first; i < SIDE_CNT; i++) {
		int err = make_tree(p, &p->party[i]);

		if (err)
			return err;
		any_failed |= p->party[i].result.failed;
	}
	return any_failed ? build_failed(p) : 0;
}

/* After both builds: a build that fails is known before anything is linked again. */
static int make_layouts(struct prep *p)
{
	int err = 0;

	for (int i = p->req->twice ? SIDE_CANDIDATE : 0; !err && i < SIDE_CNT; i++) {
		struct party *a = &p->party[i];
		const struct layouts_request request = {.req = p->req,
							.source = &a->source,
							.origin = &p->origin,
							.side = a->side,
							.key_text = a->key_text,
							.hash = a->hash,
							.logs = p->state,
							.rec = p->rec};

		err = layouts__make(&a->layouts, &a->tree, &request);
	}
	return err && err != -EINTR ? no_memory(p) : err;
}

static int note_lengths(struct prep *p)
{
	const struct tree *b = &p->party[SIDE_BASELINE].tree, *c = &p->party[SIDE_CANDIDATE].tree;
	const char *one = b->program ? b->program : b->project;
	const char *two = c->program ? c->program : c->project;

	/* trees that are shown at one place have one path */
	if (p->req->one_side || strlen(one) == strlen(two) || (b->place && c->place))
		return 0;
	return record__note(p->rec,
			    "the paths of the two versions differ in length (%zu and %zu bytes), "
			    "which alone can shift a timing",
			    strlen(one), strlen(two))
		       ? no_memory(p)
		       : 0;
}

/* run, list: both trees are the candidate. */
static int double_tree(struct prep *p)
{
	const struct tree *from = &p->party[SIDE_CANDIDATE].tree;
	struct tree *to = &p->party[SIDE_BASELINE].tree;

	to->root = strdup(from->root);
	to->project = strdup(from->project);
	if (!to->root || !to->project || copy_string(&to->program, from->program) ||
	    copy_string(&to->place, from->place))
		return no_memory(p);
	return index_tree(p, &p->party[SIDE_BASELINE]);
}

static int prepare(struct prep *p, bool *ret_nothing)
{
	int err = find_sources(p);

	if (!err)
		err = copy_string(&p->rec->build, p->req->build) ? no_memory(p) : 0;
	if (!err)
		err = dirs_state(p->origin.cwd, &p->state, p->why);
	if (!err)
		err = stage_all(p);
	if (err)
		return err;
	*ret_nothing = nothing_changed(p);
	if (*ret_nothing)
		return say_nothing(p);
	err = make_trees(p);
	if (!err)
		err = p->req->one_side ? double_tree(p) : note_lengths(p);
	if (!err && !p->req->one_side)
		err = make_layouts(p);
	slots_prune(TREES_KEPT);
	return err;
}

static void party__done(struct party *a)
{
	layouts__done(&a->layouts);
	tree__done(&a->tree);
	free(a->key_text);
	staged__done(&a->staged);
	source__done(&a->source);
	build_result__done(&a->result);
}

static bool is_rebuilt(const struct prep *p)
{
	return p->req->twice && p->req->build && !p->req->in_place &&
	       p->party[SIDE_CANDIDATE].source.kind != VERSION_PROGRAM;
}

int versions__prepare(struct versions *ret, const struct versions_request *req, struct record *rec,
		      struct problem *why)
{
	struct prep p = {.req = req, .rec = rec, .why = why};
	bool nothing = false;
	int err;

	for (int i = 0; i < SIDE_CNT; i++)
		p.party[i] = (struct party){.side = (enum side)i,
					    .staged = {.work = {.fd = -1}},
					    .tree = {.lock_fd = -1}};
	p.first = req->one_side ? SIDE_CANDIDATE : SIDE_BASELINE;
	err = prepare(&p, &nothing);
	if (!err) {
		*ret = (struct versions){.nothing = nothing, .rebuilt = is_rebuilt(&p)};
		for (int i = 0; i < SIDE_CNT; i++) {
			ret->tree[i] = p.party[i].tree;
			p.party[i].tree = (struct tree){.lock_fd = -1};
			ret->layouts[i] = p.party[i].layouts;
			p.party[i].layouts = (struct layouts){.cnt = 1, .lock_fd = -1};
		}
	}
	for (int i = 0; i < SIDE_CNT; i++)
		party__done(&p.party[i]);
	origin__done(&p.origin);
	free(p.state);
	return err;
}

void versions__done(struct versions *v)
{
	for (int i = 0; i < SIDE_CNT; i++) {
		layouts__done(&v->layouts[i]);
		tree__done(&v->tree[i]);
	}
}
