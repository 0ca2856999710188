/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A line of /proc/PID/maps that stands for the code of a file. */
#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct mapping {
	char range[64];		  /* "55d0-55d8": its name in map_files */
	char path[PATH_MAX];	  /* as the kernel shows it, " (deleted)" cut off */
	char file[PATH_MAX + 32]; /* where joust can read it: whoever found that out filled it */
	bool deleted;
	dev_t dev; /* of the superblock: stat may show another one */
	ino_t ino;
};

/*
 * RANGE PERMS OFFSET MAJOR:MINOR INODE PATH, by show_map_vma() in the kernel's fs/proc/task_mmu.c; the
 * newline is cut off `line`. False for what is no file's code, and `m` is then undefined.
 */
bool mapping_parse(char *line, struct mapping *m);
