/* SPDX-License-Identifier: BSD-2-Clause */
#include "cases.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "../util/files.h"
#include "inside.h"
#include "start_detail.h"

_Static_assert(PROTOCOL_SIZES_MAX == SIZES_MAX,
	       "a benchmark that a worker may have can be recorded");

#define LIST_TIMEOUT_NS 60000000000u

static int add_case(struct cases *list, const struct frame_case *c, size_t name_len)
{
	struct found_case *grown = realloc(list->items, (list->cnt + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->items = grown;
	grown[list->cnt] = (struct found_case){.threads = c->threads};
	memcpy(grown[list->cnt].name, c->name, name_len);
	list->cnt++;
	return 0;
}

/* Of the benchmark named last? Only neighbours are one: another is a second one of that name. */
static struct found_case *family_of(const struct cases *list, const struct frame_case *c)
{
	struct found_case *last = list->cnt ? &list->items[list->cnt - 1] : NULL;

	return last && last->sizes_cnt && strlen(last->name) == c->family &&
			       !memcmp(last->name, c->name, c->family)
		       ? last
		       : NULL;
}

static int add_size(struct cases *list, const struct frame_case *c)
{
	struct found_case *f = family_of(list, c);
	double size = (double)link_case_size(c);
	int err = f ? 0 : add_case(list, c, c->family);

	if (err)
		return err;
	f = &list->items[list->cnt - 1];
	if (f->sizes_cnt == SIZES_MAX || (f->sizes_cnt && size <= f->sizes[f->sizes_cnt - 1]))
		return -EDOM;
	f->sizes[f->sizes_cnt++] = size;
	return 0;
}

static int keep_case(void *arg, const struct frame_case *c)
{
	struct cases *list = arg;

	return c->family && !list->sizes_apart ? add_size(list, c)
					       : add_case(list, c, strlen(c->name));
}

void cases__done(struct cases *list)
{
	names__done(&list->names);
	free(list->items);
	*list = (struct cases){0};
}

int cases_duplicate(const char *name, struct problem *why)
{
	return problem_set(why, EXIT_USAGE, -EEXIST, "two benchmarks are called \"%s\"", name);
}

const struct found_case *cases_find(const struct cases *list, const char *name)
{
	const char *found = names_find(&list->names, name);

	return found ? (const void *)(found - offsetof(struct found_case, name)) : NULL;
}

static int name_cases(struct cases *list, struct problem *why)
{
	int err = 0;

	for (size_t i = 0; i < list->cnt && !err; i++) {
		err = names__add(&list->names, list->items[i].name);
		if (err == -EEXIST)
			err = cases_duplicate(list->items[i].name, why);
		if (!err && list->items[i].sizes_cnt == 1) /* nothing grows */
			err = problem_set(why, EXIT_COULD_NOT_COMPARE, -EDOM,
					  "the benchmark \"%s\" has a single size",
					  list->items[i].name);
	}
	return err;
}

/* What the program said (the loader, say: a library is missing) tells more than its status. */
static int listing_problem(const struct target *t, enum side s, const struct worker *w,
			   const struct sandbox *sandbox, struct problem *why)
{
	bool not_started = w->reason == REASON_START_FAILED && w->code;
	AUTO_FREE char *named =
		not_started ? start_detail(t->program[s], &w->child, -w->code) : NULL;
	const char *detail = named ? named : w->detail;
	const char *hint = inside_hint(sandbox, w->reason, w->code);

	if (!why->detail)
		why->detail = kept_text(&w->child.output); /* NULL: less is said */
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -EIO,
			   "cannot list the %s's benchmarks of %s: %s%s%s%s%s", side_name(s),
			   t->argv.items[0], reason_get(w->reason)->sentence, detail ? ": " : "",
			   detail ? detail : "", hint ? "; " : "", hint ? hint : "");
}

static int open_leaf(struct cgroup_leaf *leaf, const struct cgroup_room *room, struct problem *why)
{
	int err = cgroup_leaf__open_in(leaf, room, "list");

	return err ? problem_set(why, EXIT_COULD_NOT_COMPARE, err,
				 "cannot make a control group for listing: %s", strerror(-err))
		   : 0;
}

int cases__list(struct cases *ret, const struct discover_request *req, const struct target *t,
		enum side s, struct problem *why)
{
	struct words env = {0};
	struct worker w = {0};
	enum worker_result result;
	struct inside inside = {0};
	CLEANUP(cgroup_leaf__close) struct cgroup_leaf leaf = {0};
	struct child_spec spec = {
		.argv = (const char *const *)t->argv.items, .protocol_fd = -1, .output_fd = -1};
	int err = target_environment(req->config, true, &env);

	if (!err)
		err = inside__init(&inside, &req->versions->tree[s], t->program[s], req->config,
				   req->sandbox);
	if (!err)
		err = open_leaf(&leaf, &req->room, why);
	if (err || !files_can_run(t->program[s])) {
		inside__done(&inside);
		words__done(&env);
		return err;
	}
	spec.envp = (const char *const *)env.items;
	inside_apply(&inside, req->sandbox, t->program[s], &spec);
	spec.leaf = leaf.cgroup ? &leaf : NULL;
	result = worker__start(&w, &spec, LIST_TIMEOUT_NS, req->interrupt_fd);
	if (result == WORKER_OK)
		result = worker__list(&w, keep_case, ret);
	if (result == WORKER_INTERRUPTED)
		err = problem_set(why, EXIT_SIGINT, -EINTR, "interrupted");
	else if (result != WORKER_OK)
		err = listing_problem(t, s, &w, req->sandbox, why);
	worker__done(&w);
	inside__done(&inside);
	words__done(&env);
	return err ? err : name_cases(ret, why);
}
