/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A tree of files that stands in for the host's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "engine/project/dirs.h"
#include "report/cleanup.h"

static char root[64];

static inline int make_root(void **state)
{
	(void)state;
	(void)snprintf(root, sizeof(root), "%s/joust-root-XXXXXX", P_tmpdir);
	return mkdtemp(root) ? 0 : -1;
}

static inline int remove_root(void **state)
{
	(void)state;
	return dirs_remove(root);
}

/* root/path with its folders */
static inline void put(const char *path, const char *text)
{
	AUTO_FILE FILE *f = NULL;
	char full[512];

	assert_true(snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full));
	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		(void)mkdir(full, 0755);
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
}
