/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A directory for targets that read files, below $TMPDIR: whoever starts them removes it. */
#include <git2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Made by the first call. */
static inline const char *fuzz_place(void)
{
	static char dir[PATH_MAX];
	const char *tmp = getenv("TMPDIR");

	if (dir[0])
		return dir;
	(void)snprintf(dir, sizeof(dir), "%s/joust-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		abort();
	return dir;
}

/* libgit2 counts its users: while it has one, no call has to set it up, a tenth of a second. */
static inline void fuzz_hold_git(void)
{
	static int held;

	if (!held)
		held = git_libgit2_init();
}
