/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include "../util/path.h"
#include "versions.h"

/* PATH below FROM, as the same below TO. */
static int moved(const char *path, const char *from, const char *to, char **ret)
{
	const char *inner = from && to ? path_below(path, from) : NULL;
	char *text;

	if (!inner)
		text = strdup(path);
	else if (asprintf(&text, "%s%s%s", to, inner[0] ? "/" : "", inner) < 0)
		text = NULL;
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}

int tree_inside(const struct tree *t, const char *path, char **ret)
{
	return moved(path, t->root, t->place, ret);
}

int tree_outside(const struct tree *t, const char *path, char **ret)
{
	return moved(path, t->place, t->root, ret);
}
