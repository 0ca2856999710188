/* SPDX-License-Identifier: BSD-2-Clause */
#include "locate.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../util/files.h"

/* DIR/WORD, owned; NULL when memory is out. */
static char *join(const char *dir, const char *word)
{
	char *file;

	return asprintf(&file, "%s/%s", dir, word) < 0 ? NULL : file;
}

/* The file of a name in the PATH of workers; where there is none, the last place looked at. */
static char *search_path(const char *word)
{
	static const char *const path[] = {"/usr/local/bin", "/usr/bin", "/bin"};
	char *file = NULL;

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		free(file);
		file = join(path[i], word);
		if (!file || files_can_run(file))
			break;
	}
	return file;
}

bool locate_in_trees(const struct versions *versions, const char *word)
{
	bool found = strchr(word, '/') != NULL;

	for (int s = 0; s < SIDE_CNT && !found; s++) {
		AUTO_FREE char *file = join(versions->tree[s].project, word);

		found = !file || files_can_run(file); /* no memory: locate_program() will say so */
	}
	return found;
}

/*
 * A program of the tree. Where that is a link to a file of the tree it is the file: the copies of a block
 * are bound over it, and nothing can be bound over a link. Owned; NULL when memory is out.
 */
static char *locate_in_tree(const struct tree *tree, const char *word)
{
	AUTO_FREE char *file = join(tree->project, word);
	AUTO_FREE char *root = realpath(tree->root, NULL);
	AUTO_FREE char *target = file ? realpath(file, NULL) : NULL;
	size_t n = root ? strlen(root) : 0;
	struct stat st;

	if (!file || lstat(file, &st) || !S_ISLNK(st.st_mode) || !root || !target ||
	    strncmp(target, root, n) != 0 || target[n] != '/')
		return TAKE_PTR(file);
	return join(tree->root, target + n + 1);
}

char *locate_program(const struct tree *tree, const char *word, bool in_tree)
{
	if (tree->program)
		return strdup(tree->program);
	if (word[0] == '/')
		return strdup(word);
	return in_tree ? locate_in_tree(tree, word) : search_path(word);
}
