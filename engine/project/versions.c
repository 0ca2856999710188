/* SPDX-License-Identifier: BSD-2-Clause */
#include "versions.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "dirs.h"
#include "tree.h"
#include "versions_private.h"
#include "work.h"
#include "../../report/text.h"

#define TREES_KEPT 40 /* half of them for other links */

int prep_no_memory(struct prep *p)
{
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

int prep_failed(struct prep *p, int err, const char *what)
{
	if (err == -EINTR)
		return err;
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", what, strerror(-err));
}

void prep_progress(const struct prep *p, const char *doing, enum side side, const char *what)
{
	AUTO_FREE char *shown = what ? text_escaped(what) : NULL;

	if (p->req->progress_fd >= 0)
		dprintf(p->req->progress_fd, "%s the %s%s%s\n", doing, side_name(side),
			shown ? ": " : "", shown ? shown : "");
}

bool prep_in_place(const struct prep *p, const struct party *a)
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
	if (!err && prep_in_place(p, a))
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
	return err ? prep_no_memory(p) : 0;
}

static int describe_built(struct prep *p, const struct party *a)
{
	struct rec_version *v = &p->rec->version[a->side];

	return copy_string(&v->path, a->tree.program ? a->tree.program : a->tree.root)
		       ? prep_no_memory(p)
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
			prep_progress(p, "copying", a->side, NULL);
			err = staged__make(&a->staged, &a->source, &p->origin, a->side, p->req,
					   p->rec, p->why);
		}
		if (!err)
			err = describe(p, a);
	}
	return err;
}

static void say_watched(FILE *f, const struct strings *watch)
{
	for (size_t i = 0; i < watch->cnt; i++)
		fprintf(f, "%s%s", i ? ", " : "", watch->items[i]);
	fprintf(f, " unchanged");
}

static int say_nothing(struct prep *p)
{
	const struct strings *watch = &p->req->config->watch;
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return prep_no_memory(p);
	if (manifest_equal(&p->party[SIDE_BASELINE].staged.manifest,
			   &p->party[SIDE_CANDIDATE].staged.manifest))
		fprintf(f, "nothing changed");
	else if (!watch->cnt)
		fprintf(f, "nothing but *.md, docs/ and .github/ changed");
	else
		say_watched(f, watch);
	fprintf(f, " since the baseline (--force compares anyway)");
	if (fclose(f) || copy_string(&p->rec->message, text))
		return prep_no_memory(p);
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

static int build_failed(struct prep *p)
{
	struct build_result *base = &p->party[SIDE_BASELINE].result;
	struct build_result *cand = &p->party[SIDE_CANDIDATE].result;
	struct build_result *shown = base->failed ? base : cand;
	static const char hint[] =
		"The build ran in a sandbox and a clean environment; what it needs of this host is "
		"named in " CONFIG_FILE ": [sandbox], env = NAME, read = PATH";
	/* where no other version was built, it may be as well the world around it as the change */
	bool alone = p->first == SIDE_CANDIDATE;

	free(p->why->detail);
	p->why->detail = TAKE_PTR(shown->tail);
	if (base->failed && cand->failed)
		return problem_set(
			p->why, EXIT_COULD_NOT_COMPARE, -ECHILD,
			"the baseline's build failed (%s), and so did the candidate's (%s): %s. %s",
			base->end, cand->end, p->req->build, hint);
	return problem_set(p->why, EXIT_COULD_NOT_COMPARE, -ECHILD,
			   "the %s's build failed (%s): %s%s%s",
			   side_name(base->failed ? SIDE_BASELINE : SIDE_CANDIDATE), shown->end,
			   p->req->build, alone ? ". " : "", alone ? hint : "");
}

static int make_trees(struct prep *p)
{
	bool any_failed = false;

	for (int i = p->first; i < SIDE_CNT; i++) {
		struct party *a = &p->party[i];
		int err = prep_make_tree(p, a);

		if (!err && !a->result.failed)
			err = describe_built(p, a);
		if (err)
			return err;
		any_failed |= a->result.failed;
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
	return err && err != -EINTR ? prep_no_memory(p) : err;
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
		       ? prep_no_memory(p)
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
	    copy_string(&to->home, from->home) || copy_string(&to->place, from->place))
		return prep_no_memory(p);
	return prep_index_tree(p, &p->party[SIDE_BASELINE]);
}

/* Also where nothing changed: the candidate's own joust.conf may be why. */
static int check_before(struct prep *p)
{
	int err = prep_read_before(p);

	if (!err)
		err = prep_check_chosen(p);
	return err ? err : prep_check_opened(p);
}

static int prepare(struct prep *p, bool *ret_nothing)
{
	int err = find_sources(p);

	if (!err)
		err = copy_string(&p->rec->build, p->req->build) ? prep_no_memory(p) : 0;
	if (!err)
		err = dirs_state(p->origin.cwd, &p->state, p->why);
	if (!err)
		err = stage_all(p);
	if (!err)
		err = check_before(p);
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
		*ret = (struct versions){
			.nothing = nothing, .rebuilt = is_rebuilt(&p), .before = p.before};
		p.before = (struct config){0};
		for (int i = 0; i < SIDE_CNT; i++) {
			ret->tree[i] = p.party[i].tree;
			p.party[i].tree = (struct tree){.lock_fd = -1};
			ret->layouts[i] = p.party[i].layouts;
			p.party[i].layouts = (struct layouts){.cnt = 1, .lock_fd = -1};
		}
	}
	for (int i = 0; i < SIDE_CNT; i++)
		party__done(&p.party[i]);
	prep_forget_before(&p);
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
	config__done(&v->before);
}
