/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The adapter of libelf: elf.c alone includes it. */
#include <stdbool.h>
#include "versions.h"

struct elf_facts {
	bool loadable; /* an executable or a shared object, in contrast to an object file */
	bool dynamic;  /* a program interpreter runs first */
	bool worker;   /* carries the note of joust.h */
	char build_id[41];
};

/* -ENOEXEC: not a regular ELF file that can be read. */
int elf_facts_at(int dir, const char *name, struct elf_facts *ret) MUST_CHECK;
