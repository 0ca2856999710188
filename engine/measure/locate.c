/* SPDX-License-Identifier: BSD-2-Clause */
#include "locate.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
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

char *locate_users(const char *word)
{
	const char *env = getenv("PATH");
	AUTO_FREE char *path = env ? strdup(env) : NULL;
	char *rest = path;

	for (const char *dir = strsep(&rest, ":"); dir; dir = strsep(&rest, ":")) {
		/* a relative one is another with each working directory */
		AUTO_FREE char *file = dir[0] == '/' ? join(dir, word) : NULL;

		if (file && files_can_run(file))
			return TAKE_PTR(file);
	}
	return NULL;
}

/* The directory of a file, or with `above` the one over a bin in which it lies. Owned; NULL. */
static char *dir_of(const char *file, bool above)
{
	char *dir = strdup(file);
	char *slash = dir ? strrchr(dir, '/') : NULL;

	if (!slash || slash == dir)
		return dir;
	*slash = '\0';
	slash = strrchr(dir, '/');
	if (above && slash != dir && !strcmp(slash, "/bin"))
		*slash = '\0';
	return dir;
}

/*
 * By their directories, not by the file that a link leads to: the interpreter of a Python environment is a
 * link to the system's, and finds other modules by its own place.
 */
static bool same_place(const char *a, const char *b)
{
	AUTO_FREE char *dir_a = dir_of(a, false);
	AUTO_FREE char *dir_b = dir_of(b, false);
	AUTO_FREE char *real_a = dir_a ? realpath(dir_a, NULL) : NULL;
	AUTO_FREE char *real_b = dir_b ? realpath(dir_b, NULL) : NULL;

	return real_a && real_b && !strcmp(real_a, real_b);
}

/* "read = DIR" for what of the file the sandbox does not show; owned, "" for nothing, NULL: no memory. */
static char *missing_reads(const struct sandbox *sandbox, const char *file)
{
	AUTO_FREE char *real = realpath(file, NULL);
	AUTO_FREE char *first = dir_of(file, true);
	AUTO_FREE char *second = real ? dir_of(real, true) : NULL;
	bool needs_first = !sandbox_shows(sandbox, file);
	bool needs_second =
		second && first && strcmp(first, second) != 0 && !sandbox_shows(sandbox, real);
	char *text;

	if (!first ||
	    asprintf(&text, "%s%s%s%s", needs_first ? "read = " : "", needs_first ? first : "",
		     !needs_second ? ""
		     : needs_first ? ", read = "
				   : "read = ",
		     needs_second ? second : "") < 0)
		return NULL;
	return text;
}

static int note_other(struct record *rec, const struct sandbox *sandbox, const char *name,
		      const char *word)
{
	AUTO_FREE char *ours = search_path(word);
	AUTO_FREE char *users = locate_users(word);
	AUTO_FREE char *reads = users ? missing_reads(sandbox, users) : NULL;

	if (!ours || !files_can_run(ours) || !users || same_place(ours, users))
		return 0;
	if (!reads)
		return -ENOMEM;
	return record__note(rec,
			    "\"%s\": %s is %s, as the PATH of what is measured finds it; your own "
			    "PATH finds %s. To measure that one write its path in place of %s%s%s",
			    name, word, ours, users, word,
			    reads[0] ? ", and let the sandbox show it: [sandbox] " : "", reads);
}

/* The NAME of "#!/usr/bin/env [-S] NAME"; false: another first line. */
static bool env_name(const char *file, char ret[static 128])
{
	AUTO_FILE FILE *f = files_can_run(file) ? fopen(file, "re") : NULL;
	char line[256];

	return f && fgets(line, sizeof(line), f) &&
	       (sscanf(line, "#! /usr/bin/env -S %127s", ret) == 1 ||
		sscanf(line, "#! /usr/bin/env %127s", ret) == 1) &&
	       !strpbrk(ret, "/=") && ret[0] != '-';
}

int locate_note(struct record *rec, const struct sandbox *sandbox, const char *name,
		const char *word, const char *file)
{
	char interpreter[128];
	int err = 0;

	if (word)
		err = note_other(rec, sandbox, name, word);
	if (!err && env_name(file, interpreter))
		err = note_other(rec, sandbox, name, interpreter);
	return err;
}
