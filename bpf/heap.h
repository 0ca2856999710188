/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Memory for libbpf to load in. It reads the types of the kernel, some megabytes, and what it does
 * with them takes less time than the page faults of fresh memory for them: 60 of 90 ms in a virtual
 * machine whose page tables are shadowed. With huge pages there are a dozen. All of this is only for
 * speed: where it cannot be done nothing happens.
 */

/* Makes the heap large enough to load the types in this file. */
void heap_prepare(const char *btf_path);
/* Gives back what is not used any more. */
void heap_return(void);
