/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Facts of a host that its files tell, below a root ("" for the real one). */
#include <stdbool.h>
#include <stdint.h>

/* Owned; NULL when unknown or when memory is out. */
char *hostfacts_cpu_model(const char *root);
char *hostfacts_governor(const char *root, int cpu);
bool hostfacts_virtual(const char *root);
/* Whether this process has capability `cap` (effective). */
bool hostfacts_capable(const char *root, unsigned cap);
