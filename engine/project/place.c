/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include "versions.h"

/* PATH below FROM, as the same below TO. */
static int moved(const char *path, const char *from, const char *to, char **ret)
{
	size_t n = from ? strlen(from) : 0;
	bool below = to && n && !strncmp(path, from, n) && (path[n] == '/' || !path[n]);
	char *text = NULL;

	if (!below)
		text = strdup(path);
	else if (asprintf(&text, "%s%s", to, path + n) < 0)
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
