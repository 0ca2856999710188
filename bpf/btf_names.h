/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Which tracepoints BPF programs can attach to: of each, the kernel's types (BTF) hold a typedef
 * btf_trace_NAME. Only their names are looked for, in the section of strings: a program whose
 * tracepoint is missing would make the whole object fail, and libbpf reads the types anyway later.
 */
#include <stdbool.h>
#include <stddef.h>

/* Sets found[i] for each names[i] that is there. 0, or -EINVAL: this is not BTF. */
int btf_names_find(const void *btf, size_t len, const char *const *names, size_t cnt,
		   bool *ret_found) __attribute__((warn_unused_result));
