/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Which tracepoints BPF programs can attach to: of each, the kernel's types (BTF) hold a typedef
 * btf_trace_NAME. Only their names are looked for, in the section of strings: a program whose
 * tracepoint is missing would make the whole object fail, and libbpf reads the types anyway later.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BTF_NAMES_OVERLAP 128 /* no name that is looked for is longer, with its prefix */

/* Where the strings lie in a file that starts with these bytes. 0, or -EINVAL: this is not BTF. */
int btf_names_section(const void *head, size_t len, uint64_t *ret_offset, uint64_t *ret_len)
	__attribute__((warn_unused_result));

/*
 * Sets found[i] for each names[i] that this piece of the strings holds whole; the others stay. Pieces
 * overlap by BTF_NAMES_OVERLAP.
 */
void btf_names_mark(const char *piece, size_t len, const char *const *names, size_t cnt,
		    bool *found);
