/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The adapter of libelf: elf.c alone includes it. */
#include <stdbool.h>
#include <stdint.h>
#include "versions.h"

struct elf_facts {
	bool loadable; /* an executable or a shared object, in contrast to an object file */
	bool dynamic;  /* a program interpreter runs first */
	bool worker;   /* carries the note of joust.h */
	char build_id[41];
};

/*
 * A hash of the names of the functions in the order of their addresses: two links of one program with
 * equal hashes have their functions in the same places. *ret_cnt: how many there are, 0 in a stripped
 * program. -ENOEXEC.
 */
int elf_function_order(const char *path, uint64_t *ret_hash, size_t *ret_cnt) MUST_CHECK;

/* The program interpreter, as the file names it. Owned. -ENOENT: it has none; -ENOEXEC. */
int elf_interpreter(const char *path, char **ret) MUST_CHECK;

/* -ENOEXEC: not a regular ELF file that can be read. */
int elf_facts_at(int dir, const char *name, struct elf_facts *ret) MUST_CHECK;
