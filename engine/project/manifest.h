/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What a private tree holds before anything is built in it: mode, path and content of every file,
 * in one order, so that equal trees have equal hashes wherever they came from.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include "config.h"
#include "../util/problem.h"

struct manifest_file {
	char *path;
	char id[41];   /* git's hash of the content; of a symlink, of its target */
	unsigned mode; /* 0100644, 0100755, 0120000 */
	bool lfs;      /* a pointer of git-lfs in place of a file */
};

struct manifest {
	size_t cnt, lfs_cnt;
	struct manifest_file *files; /* sorted by path, bytewise */
	char hash[41];
};

/*
 * Reads the tree and gives every file one and the same old time, so that no build rule sees an
 * order that the copying made up. -EINTR once interrupt_fd is readable.
 */
int manifest__read(struct manifest *ret, int root_fd, int interrupt_fd) MUST_CHECK;
void manifest__done(struct manifest *m);
/* `path` as in the manifest: below its root. */
bool manifest_has(const struct manifest *m, const char *path);
/* True for a file of the manifest that nothing has written since. */
bool manifest_untouched(const struct manifest *m, const char *path, const struct stat *st);

/* No file differs at all. */
bool manifest_equal(const struct manifest *a, const struct manifest *b);

/*
 * True when a file that counts differs. `watch`: directories, files or globs below `prefix` (the
 * project's directory in the tree, ""); none: everything but *.md, docs/ and .github/.
 */
bool manifest_changed(const struct manifest *a, const struct manifest *b,
		      const struct strings *watch, const char *prefix);
