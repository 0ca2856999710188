/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What a program said, of which the first and the last KEPT_BYTES are kept: the first error is often the
 * cause, the last the end. Memory grows with what there is; where it runs out less is kept.
 */
#include <stddef.h>
#include <stdint.h>
#include "../../report/cleanup.h"

#define KEPT_BYTES 65536

/* Zeroed: nothing was said. */
struct kept {
	char *head, *ring; /* ring: KEPT_BYTES, the byte after the head's at 0 */
	size_t head_len, head_room;
	uint64_t total; /* bytes said */
};

void kept__add(struct kept *k, const char *data, size_t len);

/* Bytes in between that are not kept. */
uint64_t kept_lost(const struct kept *k);

/*
 * All that is kept, with a line that says how much is missing where some is; a NUL is a question mark.
 * NULL: nothing was said, or memory is out. Owned.
 */
char *kept_text(const struct kept *k) MUST_CHECK;

/* Accepts a zeroed one. */
void kept__done(struct kept *k);
