/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"
#include <errno.h>
#include <string.h>
#include "../../report/grow.h"

int strings__add(struct strings *s, const char *item)
{
	AUTO_FREE char *copy = strdup(item);
	char **items = copy ? grow_by_one(s->items, s->cnt, sizeof(*items)) : NULL;

	if (!items)
		return -ENOMEM;
	s->items = items;
	items[s->cnt++] = TAKE_PTR(copy);
	return 0;
}

bool strings_has(const struct strings *s, const char *item)
{
	for (size_t i = 0; i < s->cnt; i++)
		if (!strcmp(s->items[i], item))
			return true;
	return false;
}

void strings__done(struct strings *s)
{
	for (size_t i = 0; i < s->cnt; i++)
		free(s->items[i]);
	free(s->items);
	*s = (struct strings){0};
}
