/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded before a program: 300 MiB of memory that it has in use all the time. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BALLAST_BYTES ((size_t)300 << 20)

static __attribute__((constructor)) void hold(void)
{
	void *p = mmap(NULL, BALLAST_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	if (p == MAP_FAILED)
		abort();
	memset(p, 1, BALLAST_BYTES);
}
