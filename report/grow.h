/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Arrays that grow by one. They have no capacity field: their room doubles whenever their length is
 * a power of two, so that it follows from the length.
 */
#include <stdlib.h>
#include "cleanup.h"

/* items[0..cnt) with room for one more, or NULL without memory, when the old array still stands. */
static inline MUST_CHECK void *grow_by_one(void *items, size_t cnt, size_t size)
{
	if (cnt & (cnt - 1))
		return items;
	return reallocarray(items, cnt ? 2 * cnt : 1, size);
}
