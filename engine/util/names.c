/* SPDX-License-Identifier: BSD-2-Clause */
#include "names.h"
#include <errno.h>
#include <search.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

int names__add(struct names *n, const char *name)
{
	const char *const *found = tsearch(name, &n->root, compare);

	if (!found)
		return -ENOMEM;
	return *found == name ? 0 : -EEXIST;
}

const char *names_find(const struct names *n, const char *name)
{
	const char *const *found = tfind(name, &n->root, compare);

	return found ? *found : NULL;
}

static void keep(void *name)
{
	(void)name; /* the caller's */
}

void names__done(struct names *n)
{
	tdestroy(n->root, keep);
	n->root = NULL;
}
