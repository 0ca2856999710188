/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "../project/elf_file.h"

/* The files of one link, and in which order their functions lie. */
struct link_files {
	char *program[SIDE_CNT]; /* owned */
	uint64_t order[SIDE_CNT];
};

static void files_done(struct link_files *f)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		free(f->program[side]);
		f->program[side] = NULL;
	}
}

/* Libraries of its own tree that a program could load keep it from being served from the other's. */
static bool has_libraries(const struct tree *t)
{
	for (size_t i = 0; i < t->files_cnt; i++) {
		if (strstr(t->files[i].path, ".so"))
			return true;
	}
	return false;
}

static int add_link(struct real_source *s, const struct rec_bench *b, const struct link_files *f)
{
	struct real_bench *rb = real_bench_of(s, b);
	const struct target *t = real_target_of(s, b);
	const struct tree *old = &s->versions->tree[SIDE_BASELINE];
	const struct tree *new = &s->versions->tree[SIDE_CANDIDATE];
	bool one_tree = old->root && new->root && !strcmp(old->root, new->root);
	/*
	 * Elsewhere than the trees, whose directories tell a program nothing then: how many blocks there
	 * were, or which side it is. Without a root of its own it must lie beside what it loads.
	 */
	bool apart = old->program || new->program || sandbox_has(s->sandbox, LAYER_ROOT);
	unsigned id = (unsigned)(rb->links_cnt * s->rec->benches_cnt + (size_t)(rb - s->benches));
	struct slots *slots = &rb->links[rb->links_cnt++];
	int err = slots__init(slots, id, (const char *const *)f->program,
			      apart ? s->program_dir : NULL, t->in_tree,
			      !one_tree && (has_libraries(old) || has_libraries(new)));

	for (int side = 0; side < SIDE_CNT; side++)
		slots->beside[side] = t->program[side];
	return err;
}

/* False for what has no functions to be put in order: a script, a stripped program. */
static bool read_orders(struct link_files *f)
{
	size_t cnt;

	for (int side = 0; side < SIDE_CNT; side++)
		if (elf_function_order(f->program[side], &f->order[side], &cnt) || !cnt)
			return false;
	return true;
}

/* On each side another order than in all before. */
static bool is_new(const struct link_files *all, size_t cnt, const struct link_files *f)
{
	for (size_t i = 0; i < cnt; i++)
		for (int side = 0; side < SIDE_CNT; side++)
			if (all[i].order[side] == f->order[side])
				return false;
	return true;
}

/* Numbers from 1 on: a link that was made. 0: the program as the build left it. */
static bool find_files(const struct real_source *s, const struct target *t, size_t number,
		       struct link_files *ret)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		ret->program[side] = layouts_program(&s->versions->layouts[side], number,
						     &s->versions->tree[side], t->program[side]);
		if (!ret->program[side])
			return false;
	}
	return true;
}

/* The links from `number` on that both sides have and whose order of functions is a new one. */
static size_t collect(const struct real_source *s, const struct target *t, size_t number,
		      size_t wanted, struct link_files *all)
{
	size_t cnt = number; /* the tree's own is there already, or is not wanted */

	for (number = 1; number < wanted; number++) {
		struct link_files *f = &all[cnt];

		if (find_files(s, t, number, f) && read_orders(f) && is_new(all, cnt, f))
			cnt++;
		else
			files_done(f);
	}
	return cnt;
}

/* A script, or what belongs to neither version. */
static enum one_layout kind_of_one(const struct target *t)
{
	struct elf_facts facts;

	if (!t->in_tree)
		return ONE_LAYOUT_FOREIGN;
	return elf_facts_at(AT_FDCWD, t->program[SIDE_CANDIDATE], &facts) == -ENOEXEC
		       ? ONE_LAYOUT_SCRIPT
		       : ONE_LAYOUT_OTHER;
}

static const char *why_one(const struct real_source *s, enum one_layout kind, bool ordered)
{
	if (one_layout_words(kind))
		return one_layout_words(kind);
	for (int side = 0; side < SIDE_CNT; side++)
		if (s->versions->layouts[side].why)
			return s->versions->layouts[side].why;
	if (!ordered)
		return "the program has no symbols by which the order of its functions could be "
		       "told";
	return "the build links its functions in the same order whatever it is asked for";
}

static int say_why(const struct real_source *s, struct rec_bench *b, bool ordered)
{
	b->one_layout = kind_of_one(real_target_of(s, b));
	free(b->layouts_why);
	b->layouts_why = strdup(why_one(s, b->one_layout, ordered));
	return b->layouts_why ? 0 : -ENOMEM;
}

static int own_files(const struct target *t, struct link_files *ret)
{
	for (int side = 0; side < SIDE_CNT; side++) {
		ret->program[side] = strdup(t->program[side]);
		if (!ret->program[side])
			return -ENOMEM;
	}
	return 0;
}

static int find(struct real_source *s, struct rec_bench *b, struct link_files *all, size_t wanted)
{
	struct real_bench *rb = real_bench_of(s, b);
	const struct target *t = real_target_of(s, b);
	bool shifted = s->versions->layouts[SIDE_CANDIDATE].shift, ordered;
	int err = shifted ? 0 : own_files(t, &all[0]);

	if (err)
		return err;
	ordered = shifted || (t->in_tree && read_orders(&all[0]));
	b->layouts = ordered ? collect(s, t, !shifted, wanted, all) : 1;
	if (!b->layouts)
		return -ENOENT; /* different links were asked for, and there are none */
	rb->links = calloc(b->layouts, sizeof(*rb->links));
	if (!rb->links)
		return -ENOMEM;
	for (size_t i = 0; i < b->layouts && !err; i++)
		err = add_link(s, b, &all[i]);
	rb->slots = rb->links;
	return !err && b->layouts == 1 ? say_why(s, b, ordered) : err;
}

int links_find(struct real_source *s, struct rec_bench *b)
{
	const struct layouts *l = s->versions->layouts;
	size_t wanted = l[0].cnt < l[1].cnt ? l[0].cnt : l[1].cnt;
	AUTO_FREE struct link_files *all = calloc(wanted + 1, sizeof(*all));
	int err;

	if (!all)
		return -ENOMEM;
	links_done(real_bench_of(s, b));
	err = find(s, b, all, wanted ? wanted : 1);
	for (size_t i = 0; i <= wanted; i++)
		files_done(&all[i]);
	return err;
}

unsigned links_layout(const struct real_bench *rb, const struct rec_block *blk)
{
	return (unsigned)((blk->stage + blk->slot) % rb->links_cnt);
}

int links_renew(struct real_bench *rb, enum side first)
{
	int err = 0;

	for (size_t i = 0; i < rb->links_cnt && !err; i++)
		if (!slots_per_block(&rb->links[i]))
			err = slots__renew(&rb->links[i], first);
	return err;
}

void links_done(struct real_bench *rb)
{
	for (size_t i = 0; i < rb->links_cnt; i++)
		slots__done(&rb->links[i]);
	free(rb->links);
	rb->links = rb->slots = NULL;
	rb->links_cnt = 0;
}
