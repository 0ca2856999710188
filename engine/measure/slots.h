/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * File slots (design.md, Judging 1): every program is copied into two new files, because the pages
 * and the place of a file on disk stay with it while processes come and go. Small programs are
 * copied anew for every block: with one set of copies for a stage, the medians of whole stages of
 * the JSON example wandered by half as much again. Large ones, whose copy would cost more than the
 * block, are copied at the start of a stage. If both sides' programs are byte-identical, both are
 * served from the same two copies, one each per block, so that nothing but the coin tells them
 * apart; else each side has its own two.
 */
#include <stdbool.h>
#include <sys/stat.h>
#include "../../report/record.h"

struct slots {
	bool copies, shared;
	unsigned id, generation; /* unique names: of the benchmark, of the stage */
	char *path[SIDE_CNT][2]; /* owned; NULL: no copy, the program itself is run */
	struct stat st[SIDE_CNT][2];
	char *program[SIDE_CNT];      /* owned */
	const char *beside[SIDE_CNT]; /* the copies go into the directories of these */
	char **spent;		      /* owned: copies of former blocks and stages, empty by now */
	size_t spent_cnt;
	const char *dir; /* where all copies go; NULL: beside each program, so that $ORIGIN holds */
};

/*
 * Remembers the programs; `id` is unique in the run. `copy` false: they are run where they are
 * (they belong to neither tree). `own_libraries`: they load libraries of their own trees, which
 * differ, so they cannot be served from each other's. On an error slots__done is still due.
 */
int slots__init(struct slots *s, unsigned id, const char *const program[static SIDE_CNT],
		const char *dir, bool copy, bool own_libraries) MUST_CHECK;

/* True when the programs are small enough for new copies in every block. */
bool slots_per_block(const struct slots *s);

/*
 * New copies, written in coin order: those of `first` first. The former ones give their pages back
 * only then, so that the new ones lie in other memory; their inodes stay, empty, until the end,
 * because the file system would hand the same numbers out again and the record could not show that
 * a file was new.
 */
int slots__renew(struct slots *s, enum side first) MUST_CHECK;

/* The file that `side` executes in a block whose coin gave slot 0 to `slot0`. */
const char *slots_path(const struct slots *s, enum side side, enum side slot0);
const struct stat *slots_stat(const struct slots *s, enum side side, enum side slot0);

/* Removes the copies. Accepts a zeroed one. */
void slots__done(struct slots *s);
