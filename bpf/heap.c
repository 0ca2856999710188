/* SPDX-License-Identifier: BSD-2-Clause */
#include "heap.h"
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define HUGE_BYTES ((size_t)2 << 20)

/*
 * malloc keeps what it is given: what was mapped once and freed raises the size from which it maps
 * anew, so that the second time the same comes from the heap, and stays there when it is freed.
 */
void heap_prepare(const char *btf_path)
{
#ifdef __GLIBC__
	char *volatile at; /* or the compiler leaves out the first pair */
	struct stat btf;
	size_t len, skip;

	if (stat(btf_path, &btf))
		return;
	/* two copies, an index, and what alignment cuts off at both ends */
	len = (size_t)btf.st_size * 2 + (size_t)btf.st_size / 4 + 2 * HUGE_BYTES;
	at = malloc(len);
	free(at);
	at = malloc(len);
	if (!at)
		return;
	skip = HUGE_BYTES - (uintptr_t)at % HUGE_BYTES;
	(void)madvise(at + skip, (len - skip) / HUGE_BYTES * HUGE_BYTES,
		      MADV_HUGEPAGE); /* if not, it takes longer */
	free(at);
#else
	(void)btf_path;
#endif
}

void heap_return(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0); /* whether there was any does not matter */
#endif
}
