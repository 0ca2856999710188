/* SPDX-License-Identifier: BSD-2-Clause */
#include "locate.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../util/files.h"
#include "../util/path.h"

char *locate_in_path(const char *word)
{
	static const char *const path[] = {"/usr/local/bin", "/usr/bin", "/bin"};
	char *file = NULL;

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		free(file);
		file = path_join(path[i], word);
		if (!file || files_can_run(file))
			break;
	}
	return file;
}

static bool in_either(const struct versions *versions, const char *word)
{
	bool found = strchr(word, '/') != NULL;

	for (int s = 0; s < SIDE_CNT && !found; s++) {
		AUTO_FREE char *file = path_join(versions->tree[s].project, word);

		found = !file || files_can_run(file); /* no memory: locate() will say so */
	}
	return found;
}

static bool goes_up(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")); p += 2)
		if ((p == path || p[-1] == '/') && (!p[2] || p[2] == '/'))
			return true;
	return false;
}

/* realpath(3); *ret stays NULL where that leads nowhere. -ENOMEM. */
static int resolve(const char *path, char **ret)
{
	*ret = realpath(path, NULL);
	return !*ret && errno == ENOMEM ? -ENOMEM : 0;
}

/* DIR/NAME, either of which may be "". */
static int join(const char *dir, const char *name, char **ret)
{
	*ret = *dir && *name ? path_join(dir, name) : strdup(*dir ? dir : name);
	return *ret ? 0 : -ENOMEM;
}

/*
 * What of the absolute `word` lies below the directory `home`, which is resolved: from the first part of
 * it that leads there on, so that links of the project itself are each version's own. *ret is owned,
 * NULL: nothing does. -ENOMEM.
 */
static int below_home(const char *home, const char *word, char **ret)
{
	AUTO_FREE char *part = strdup(word);

	if (!part)
		return -ENOMEM;
	for (size_t i = 1; home && home[1]; i++) {
		AUTO_FREE char *real = NULL;
		const char *inner, *rest = word + i;
		int err;

		if (word[i] && word[i] != '/')
			continue;
		part[i] = '\0';
		err = resolve(part, &real);
		part[i] = word[i];
		if (!real)
			return err;
		rest += strspn(rest, "/");
		inner = path_below(real, home);
		if (inner && !goes_up(rest))
			return join(inner, rest, ret);
		if (!word[i])
			break;
	}
	return 0;
}

/* Of two directories one of which holds the other the inner one is meant. Likewise. */
static int below_any_home(const struct versions *versions, const char *word, char **ret)
{
	AUTO_FREE char *best = NULL;

	for (int s = 0; s < SIDE_CNT; s++) {
		AUTO_FREE char *below = NULL;
		int err = below_home(versions->tree[s].home, word, &below);

		if (err)
			return err;
		if (below && (!best || strlen(below) < strlen(best))) {
			free(best);
			best = TAKE_PTR(below);
		}
	}
	*ret = TAKE_PTR(best);
	return 0;
}

int locate_at_home(const struct versions *versions, const char *path, bool *ret)
{
	AUTO_FREE char *below = NULL;
	int err = path[0] == '/' ? below_any_home(versions, path, &below) : 0;

	if (!err)
		*ret = below != NULL;
	return err;
}

/*
 * A program of the tree, through no link: where there was one it is the file it leads to, in the tree or
 * out of it. The copies of a block are bound over it, and nothing can be bound over a link. Owned; NULL
 * when memory is out.
 */
static char *locate_in_tree(const struct tree *tree, const char *dir, const char *word,
			    bool *ret_outside)
{
	AUTO_FREE char *file = path_join(dir, word);
	AUTO_FREE char *root = NULL;
	AUTO_FREE char *target = NULL;
	const char *inner;

	if (!file || resolve(tree->root, &root) || resolve(file, &target))
		return NULL;
	inner = root && target ? path_below(target, root) : NULL;
	*ret_outside = root && target && !inner;
	if (*ret_outside)
		return TAKE_PTR(target);
	return inner ? path_join(tree->root, inner) : TAKE_PTR(file);
}

/* `below`: the word as a path from the trees' tops; NULL: it is one from the project's directory. */
static void locate_in_trees(struct located *l, const struct versions *versions, const char *word,
			    const char *below)
{
	bool outside[SIDE_CNT] = {false};

	for (int s = 0; s < SIDE_CNT; s++) {
		const struct tree *t = &versions->tree[s];

		if (t->program)
			l->program[s] = strdup(t->program);
		else
			l->program[s] = locate_in_tree(t, below ? t->root : t->project,
						       below ? below : word, &outside[s]);
	}
	/* no copies beside what is not ours: both sides are run where they are */
	l->in_tree = !outside[SIDE_BASELINE] && !outside[SIDE_CANDIDATE];
	l->one_file = outside[SIDE_BASELINE] && outside[SIDE_CANDIDATE] && l->program[0] &&
		      l->program[1] && !strcmp(l->program[0], l->program[1]);
}

static void locate_elsewhere(struct located *l, const struct versions *versions, const char *word)
{
	const char *own;

	l->in_tree = versions->tree[SIDE_CANDIDATE].program != NULL;
	l->one_file = !l->in_tree && word[0] == '/';
	for (int s = 0; s < SIDE_CNT; s++) {
		own = versions->tree[s].program ? versions->tree[s].program : word;
		l->program[s] = own != word || word[0] == '/' ? strdup(own) : locate_in_path(word);
	}
}

int locate(struct located *ret, const struct versions *versions, const char *word, bool worker)
{
	struct located l = {0};
	bool absolute = word[0] == '/', programs = versions->tree[SIDE_CANDIDATE].program;
	AUTO_FREE char *below = NULL;

	if (absolute && !programs && below_any_home(versions, word, &below))
		return -ENOMEM;
	if (!programs && (absolute ? below != NULL : worker || in_either(versions, word)))
		locate_in_trees(&l, versions, word, below);
	else
		locate_elsewhere(&l, versions, word);
	if (!l.program[SIDE_BASELINE] || !l.program[SIDE_CANDIDATE]) {
		located__done(&l);
		return -ENOMEM;
	}
	*ret = l;
	return 0;
}

void located__done(struct located *l)
{
	for (int s = 0; s < SIDE_CNT; s++) {
		free(l->program[s]);
		l->program[s] = NULL;
	}
}
