/* SPDX-License-Identifier: BSD-2-Clause */
#include "kept.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 4096
#define GAP_MAX	   64

static size_t least(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

/* Room for `len` bytes more, as far as there is memory and KEPT_BYTES allow; what fits. */
static size_t grow_head(struct kept *k, size_t len)
{
	size_t want = least((uint64_t)k->head_len + len, KEPT_BYTES);
	size_t room = k->head_room ? k->head_room : ROOM_FIRST;
	char *grown;

	while (room < want)
		room *= 2;
	if (room != k->head_room) {
		grown = realloc(k->head, room);
		if (!grown)
			return k->head_room - k->head_len;
		k->head = grown;
		k->head_room = room;
	}
	return want - k->head_len;
}

/* The part after the head lies in the ring at its own number modulo its size. */
static void add_to_ring(struct kept *k, const char *data, size_t len)
{
	uint64_t at = k->total - k->head_len;

	if (!k->ring)
		k->ring = malloc(KEPT_BYTES);
	if (!k->ring)
		return;
	if (len > KEPT_BYTES) {
		at += len - KEPT_BYTES;
		data += len - KEPT_BYTES;
		len = KEPT_BYTES;
	}
	while (len) {
		size_t to = at % KEPT_BYTES;
		size_t part = least(len, KEPT_BYTES - to);

		memcpy(k->ring + to, data, part);
		at += part;
		data += part;
		len -= part;
	}
}

void kept__add(struct kept *k, const char *data, size_t len)
{
	size_t part = k->total == k->head_len ? grow_head(k, len) : 0;

	part = least(part, len);
	if (part)
		memcpy(k->head + k->head_len, data, part);
	k->head_len += part;
	k->total += part;
	if (part < len) {
		add_to_ring(k, data + part, len - part);
		k->total += len - part;
	}
}

static size_t tail_len(const struct kept *k)
{
	return k->ring ? least(k->total - k->head_len, KEPT_BYTES) : 0;
}

uint64_t kept_lost(const struct kept *k)
{
	return k->total - k->head_len - tail_len(k);
}

static void copy_tail(const struct kept *k, char *to)
{
	size_t len = tail_len(k);
	uint64_t at = k->total - k->head_len - len;

	while (len) {
		size_t from = at % KEPT_BYTES;
		size_t part = least(len, KEPT_BYTES - from);

		memcpy(to, k->ring + from, part);
		to += part;
		at += part;
		len -= part;
	}
}

char *kept_text(const struct kept *k)
{
	size_t tail = tail_len(k), len = k->head_len;
	char *text = k->total ? malloc(k->head_len + GAP_MAX + tail + 1) : NULL;

	if (!text)
		return NULL;
	if (len)
		memcpy(text, k->head, len);
	if (kept_lost(k))
		len += (size_t)snprintf(text + len, GAP_MAX, "\n[joust: %llu bytes left out]\n",
					(unsigned long long)kept_lost(k));
	copy_tail(k, text + len);
	len += tail;
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] ? text[i] : '?'; /* it would hide what follows */
	text[len] = '\0';
	return text;
}

void kept__done(struct kept *k)
{
	free(k->head);
	free(k->ring);
	*k = (struct kept){0};
}
