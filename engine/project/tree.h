/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The programs of a built tree. */
#include "versions.h"

/*
 * Fills tree->files from tree->root, without following symlinks; of a program, the program. Slots
 * (files.h) are left out, and removed when the tree is ours `alone`.
 */
int tree__index(struct tree *t, int interrupt_fd) MUST_CHECK;
/* One line that changes when a program of the tree is replaced, removed or added. */
int tree_seal(const struct tree *t, char ret[static 128]) MUST_CHECK;
void tree__done(struct tree *t);
const struct tree_file *tree_find(const struct tree *t, dev_t dev, ino_t ino);
