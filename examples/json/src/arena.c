/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 64 * 1024 };

static void use(struct arena *a, struct chunk *c)
{
	a->now = c;
	a->at = (char *)c->data;
	a->end = a->at + c->cap;
}

/* The next chunk that is large enough: one from an earlier document, or a new one. */
static bool more(struct arena *a, size_t size)
{
	struct chunk **link = a->now ? &a->now->next : &a->first;
	struct chunk *c;

	if (*link && (*link)->cap >= size) {
		use(a, *link);
		return true;
	}
	if (size > SIZE_MAX - CHUNK_BYTES)
		return false;
	size = size > CHUNK_BYTES ? size : CHUNK_BYTES;
	c = malloc(sizeof(*c) + size);
	if (!c)
		return false;
	c->cap = size;
	c->next = *link;
	*link = c;
	use(a, c);
	return true;
}

char *arena_text(struct arena *a, size_t size)
{
	char *piece;

	if ((size_t)(a->end - a->at) < size && !more(a, size))
		return NULL;
	piece = a->at;
	a->at += size;
	return piece;
}

void *arena_take(struct arena *a, size_t size)
{
	size_t gap = -(uintptr_t)a->at & 7;

	if ((size_t)(a->end - a->at) < gap + size) {
		if (!more(a, size))
			return NULL;
		gap = 0;
	}
	a->at += gap;
	return arena_text(a, size);
}

void arena_reset(struct arena *a)
{
	if (a->first)
		use(a, a->first);
}

void arena_done(struct arena *a)
{
	while (a->first) {
		struct chunk *c = a->first;

		a->first = c->next;
		free(c);
	}
	*a = (struct arena){0};
}
